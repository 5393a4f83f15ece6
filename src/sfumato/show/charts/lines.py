"""Lines: how one number changes with another, for several series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sfumato.show.charts.chart import (
    COLOURS,
    HEIGHT,
    MIDDLE,
    WIDTH,
    WRITTEN,
    Chart,
    drawn,
    entries_beside,
    grammar,
    inline,
    shown,
)
from sfumato.show.sheet import number, plain

DASHES = ([1, 0], [7, 4], [2, 3], [10, 3, 2, 3])


@dataclass(frozen=True)
class Series:
    """Points under one name; series of one panel are drawn together, panels beside each other."""

    name: str
    points: tuple[tuple[float, float], ...]
    panel: str = ""


@dataclass(frozen=True)
class Mark:
    """A point that matters, why, and in which panel."""

    x: float
    y: float
    label: str
    panel: str = ""


def lines(title: str, series: Sequence[Series], *, x: str, y: str, note: str = "", marked: Mark | None = None) -> Chart:
    """The series as lines, told apart by colour and dashes; a line at 0 where some numbers are below it."""
    series = [replace(line, panel=plain(line.panel)) for line in series]
    alt, panels = grammar(), list(dict.fromkeys(line.panel for line in series))
    data = [
        {"x": across, "y": up, "series": name, "panel": line.panel}
        for line, name in zip(series, _names(series), strict=True)
        for across, up in line.points
    ]
    if marked:
        label = shown([marked.label])[0]
        data.append({"x": marked.x, "y": marked.y, "label": label, "panel": marked.panel or panels[0]})
    width = WIDTH if len(panels) == 1 else (WIDTH + 40) // len(panels)
    parts = [*_zero(alt, data), *_drawn_lines(alt, series, x, y), *_marked(alt, marked)]
    chart = alt.layer(*(part.properties(width=width, height=HEIGHT) for part in parts), data=inline(data))
    if len(panels) > 1:
        chart = chart.facet(column=alt.Column("panel:N", sort=panels, title=None), spacing=28)
    return drawn(chart, title=title, note=note, alternative=_in_words(series, x, y, note, marked))


def _names(series: Sequence[Series]) -> list[str]:
    """The names of the series as they are shown; in another panel a name means the same."""
    different = list(dict.fromkeys(line.name for line in series))
    written = dict(zip(different, shown(different), strict=True))
    return [written[line.name] for line in series]


def _drawn_lines(alt: Any, series: Sequence[Series], x: str, y: str) -> list[Any]:
    names = list(dict.fromkeys(_names(series)))

    def told_apart(ways: Sequence[Any]) -> Any:
        return alt.Scale(domain=names, range=[ways[i % len(ways)] for i in range(len(names))])

    legend = alt.Legend(symbolType="stroke", symbolSize=700, symbolStrokeWidth=2.2, columns=entries_beside(names))
    known = alt.Chart().transform_filter("isValid(datum.series)")
    base = known.encode(
        x=alt.X("x:Q", title=x, axis=alt.Axis(grid=False)),
        y=alt.Y("y:Q", title=y),
        color=alt.Color("series:N", scale=told_apart(COLOURS), sort=names, legend=legend),
    )
    dashes = alt.StrokeDash("series:N", scale=told_apart(DASHES), sort=names)
    return [
        base.mark_line(strokeWidth=2.2).encode(strokeDash=dashes),
        base.mark_point(filled=True, size=36, opacity=1),
    ]


def _zero(alt: Any, data: Sequence[dict[str, Any]]) -> list[Any]:
    """A line at 0, if there is something below it."""
    if not any(row["y"] < 0 for row in data):
        return []
    once = alt.Chart().transform_aggregate(points="count()", groupby=["panel"])
    return [once.mark_rule(color=MIDDLE, strokeWidth=1).encode(y=alt.datum(0))]


def _marked(alt: Any, marked: Mark | None) -> list[Any]:
    """A ring around the point that matters, and its label."""
    if marked is None:
        return []
    base = alt.Chart().transform_filter("isValid(datum.label)").encode(x="x:Q", y="y:Q")
    ring = base.mark_point(size=260, strokeWidth=2.2, color=MIDDLE, filled=False)
    text = base.mark_text(dx=14, dy=-12, align="left", fontSize=12, color=WRITTEN)
    return [ring, text.encode(text="label:N")]


def _in_words(series: Sequence[Series], x: str, y: str, note: str, marked: Mark | None) -> str:
    """Where each line begins and ends, and how far down it goes in between."""
    parts = [f"{y} by {x}."]
    for line in series:
        if not line.points:
            continue
        (first, start), (last, end) = line.points[0], line.points[-1]
        lowest = min(line.points, key=lambda point: point[1])
        dip = f", lowest {number(lowest[1])} at {number(lowest[0])}" if lowest[1] < min(start, end) else ""
        name = f"{line.panel}, {line.name}" if line.panel else line.name
        parts.append(f"{name}: {number(start)} at {number(first)} to {number(end)} at {number(last)}{dip}.")
    if marked:
        parts.append(f"Marked: {marked.label}, {number(marked.y)} at {number(marked.x)}.")
    return " ".join([*parts, note]).strip()
