"""Looking at a picture: what is true of every one, what is written in it, and what is drawn."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from sfumato.show.charts.chart import Chart

SVG = "{http://www.w3.org/2000/svg}"


def checked(chart: Chart) -> ElementTree.Element:
    """The root of a picture that is well formed, says what it is, and needs nothing from elsewhere."""
    root = ElementTree.fromstring(chart.svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == root.get("aria-label") == chart.title
    assert root[1].text == chart.alternative
    assert len(chart.alternative) > 20
    assert re.findall(r"\w+://[^\"' ]*", chart.svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"url\(|href|@import|<script|<image|<foreignObject|\bon\w+=|data:", chart.svg)
    return root


def texts(root: ElementTree.Element) -> list[str]:
    """What is written in a picture."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def boxes(root: ElementTree.Element, colour: str) -> list[tuple[float, float, float]]:
    """Left edge, width and height of the rectangles of a colour that are data, in pixels."""
    found = []
    for group in root.iter(f"{SVG}g"):
        if "role-mark" not in group.get("class", ""):
            continue
        for path in group.iter(f"{SVG}path"):
            drawn = re.fullmatch(r"M([-\d.e]+),[-\d.e]+h([-\d.e]+)v([-\d.e]+)h[-\d.e]+Z", path.get("d", ""))
            if drawn and path.get("fill") == colour:
                found.append((float(drawn[1]), abs(float(drawn[2])), abs(float(drawn[3]))))
    return found
