"""The page of a report: whole in itself, and good for those who see it, hear it or use no mouse."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from tests.proof.report.made_up import PROJECT, csv, patients
from tests.show.parsed_page import Page

from sfumato.proof.report.make_report import report
from sfumato.proof.report.page import report_page
from sfumato.show.charts.chart import DARK_FAINT, DARK_INK, DARK_PAPER, FAINT, INK, PAPER
from sfumato.show.page import STYLE


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("report")
    (folder / "patients.csv").write_text(csv(patients()), encoding="utf-8")
    (folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    return report_page(report(project=folder / "sfumato.yaml"))


@pytest.fixture(scope="module")
def found(whole) -> Page:
    return Page(whole)


def test_ids_are_there_once_and_every_link_leads_somewhere(found):
    ids = [attributes["id"] for _, _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(attributes["href"].removeprefix("#") in ids for attributes in found.all("a"))
    assert all(attributes.get("aria-labelledby", ids[0]) in ids for _, _, attributes in found.elements)


def test_headings_go_down_one_step_at_a_time_and_every_part_is_a_chapter(found):
    levels = [int(tag[1]) for tag, _, _ in found.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert levels.count(2) == 14  # five of the summary, nine parts
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_every_table_has_a_caption_and_headers_with_their_scope(found):
    assert len(found.all("table")) == len(found.all("caption")) > 30
    assert {attributes["scope"] for attributes in found.all("th")} == {"col", "row"}


def test_there_are_landmarks_and_a_way_past_the_contents(found):
    for landmark in ("header", "nav", "main", "footer"):
        assert len(found.all(landmark)) == 1
    assert found.all("a")[0] == {"class": "skip", "href": "#main"}
    assert found.all("html") == [{"lang": "en"}]
    regions = [a["aria-label"] for a in found.all("div") if a.get("role") == "region"]
    assert len(regions) == len(set(regions))


def test_nothing_runs_and_nothing_is_fetched(found, whole):
    assert not {"script", "link", "img", "iframe", "object", "embed", "form"} & {tag for tag, _, _ in found.elements}
    assert not any(name.startswith("on") for _, _, attributes in found.elements for name in attributes)
    assert set(re.findall(r"\w+://[^\"'<) ]+", whole)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in found.all("meta")[1]["content"]
    assert not re.search(r"url\((?!#)|@import", whole)


def test_each_number_is_explained_one_click_away_by_the_keyboard_too(found, whole):
    numbers = [parents for tag, parents, a in found.elements if tag == "details" and a.get("class") == "number"]
    assert len(numbers) > 30
    assert len(found.all("summary")) == len(found.all("details"))
    assert re.search(r"@media print.*details::details-content \{ content-visibility: visible", whole, re.DOTALL)


def test_each_chart_is_an_image_with_a_title_and_the_same_in_words(found):
    images = found.all("svg")
    assert len(images) == 8
    assert all(attributes["role"] == "img" and attributes["aria-label"] for attributes in images)


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2.1, section 1.4.3."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_letters_stand_out_from_the_paper_in_both_themes():
    light, dark = STYLE.split("prefers-color-scheme: dark")
    named = [dict(re.findall(r"--(link|good|bad): (#\w{6})", part)) for part in (light, dark)]
    themes = (PAPER, [INK, FAINT, *named[0].values()]), (DARK_PAPER, [DARK_INK, DARK_FAINT, *named[1].values()])
    for paper, colours in themes:
        assert len(colours) == 5
        assert min(contrast(paper, colour) for colour in colours) >= 4.5


def test_a_name_from_the_data_is_a_text(whole):
    import pyarrow as pa

    nasty = "<script>alert(\"1\")</script> | *x* & 'y'\n"
    made = report(pa.table({nasty: [1, 1, 2] * 20}), quasi=[nasty], k=3, curve=False)
    page = report_page(made)
    Page(page)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\\<script\\>" in made.markdown()
    assert "\n<script" not in made.markdown()
