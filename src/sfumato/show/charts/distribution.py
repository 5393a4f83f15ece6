"""The distribution of a column before and after: bars of categories, or boxes of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sfumato.show.charts.boxes import DensityBox, Segment, joined, profile
from sfumato.show.charts.categories import SMALLEST, CategoryCounts, masked
from sfumato.show.charts.chart import COLOURS, HEIGHT, WIDTH, WRITTEN, Chart, drawn, grammar, inline, shown
from sfumato.show.sheet import counted, number, plain

SIDES = ("original", "release")
DAY = 86_400_000  # milliseconds
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def categories(name: str, rows: Iterable[CategoryCounts], *, note: str = "", smallest: int = SMALLEST) -> Chart:
    """How many records have each value of a column, in the original and in the release.

    A bar is about `smallest` records or more: rarer categories are shown together.
    """
    alt, kept = grammar(), masked(rows, smallest=smallest)
    title = f"{_short(name)}: records by value, before and after"
    if not kept:
        return _nothing(title, note, smallest)
    labels = shown([row.label for row in kept])
    words = [
        f"{label}: {number(row.before)} before, {number(row.after)} after"
        for label, row in zip(labels, kept, strict=True)
    ]
    data = [
        {"label": label, "side": side, "records": records}
        for label, row in zip(labels, kept, strict=True)
        for side, records in zip(SIDES, (row.before, row.after), strict=True)
    ]
    chart = (
        alt.Chart(inline(data), width=WIDTH, height={"step": 13})
        .mark_bar()
        .encode(
            y=alt.Y("label:N", sort=labels, title=None, scale=alt.Scale(paddingInner=0.25)),
            yOffset=alt.YOffset("side:N", sort=list(SIDES)),
            x=alt.X("records:Q", title="records", axis=alt.Axis(format=",d", tickMinStep=1, tickCount=6)),
            color=_colour(alt),
        )
    )
    return drawn(chart, title=title, note=note, alternative=". ".join([*words, note]).rstrip(". ") + ".")


def numbers(
    name: str,
    original: Iterable[DensityBox],
    released: Iterable[DensityBox],
    *,
    moment: bool = False,
    note: str = "",
    smallest: int = SMALLEST,
) -> Chart:
    """How densely the numbers of a column lie, in the original and in the release: the area is the records.

    A range of the release is a box as high as its records over its width; where ranges overlap, they add up. With
    `moment` the numbers are days since 1970. A box is about `smallest` records or more: fewer join their neighbours.
    """
    alt, sides = grammar(), [joined(boxes, smallest) for boxes in (original, released)]
    title = f"{_short(name)}: density, before and after"
    if not any(sides):
        return _nothing(title, note, smallest)
    data = [
        {"low": _place(low, moment), "high": _place(high, moment), "density": density, "side": side}
        for side, boxes in zip(SIDES, sides, strict=True)
        for low, high, density in profile(boxes)
    ]
    x = alt.X("low:T" if moment else "low:Q", title=_short(name), scale=_scale(alt, moment), axis=_axis(alt, moment))
    chart = (
        alt.Chart(inline(data), width=WIDTH, height=HEIGHT)
        .mark_rect()
        .encode(
            x=x,
            x2="high",
            y=alt.Y("density:Q", title=f"records per {'day' if moment else 'unit'}"),
            y2=alt.datum(0),
            color=_colour(alt),
            stroke=_colour(alt, alt.Stroke),
            strokeWidth=alt.StrokeWidth("side:N", scale=_by_side(alt, 0.6, 2.2), legend=None),
            fillOpacity=alt.FillOpacity("side:N", scale=_by_side(alt, 0.5, 0.1), legend=None),
        )
    )
    words = [_in_words(side, boxes, moment) for side, boxes in zip(SIDES, sides, strict=True)]
    return drawn(chart, title=title, note=note, alternative=" ".join([*words, note]).strip())


def _in_words(side: str, boxes: Sequence[DensityBox], moment: bool) -> str:  # noqa: FBT001
    """What one side of the chart shows."""
    if not boxes:
        return f"The {side} has nothing to draw."
    held = sum(box.records for box in boxes)
    ends = _written(min(box.low for box in boxes), moment), _written(max(box.high for box in boxes), moment)
    top: Segment = max(profile(boxes), key=lambda segment: segment.density)
    return (
        f"The {side} has {counted(held, 'record')} from {ends[0]} to {ends[1]} in {len(boxes)} "
        f"{'range' if len(boxes) == 1 else 'ranges'}, densest from {_written(top.low, moment)} to "
        f"{_written(top.high, moment)} with {number(top.density)} per {'day' if moment else 'unit'}."
    )


def _nothing(title: str, note: str, smallest: int) -> Chart:
    """A chart of too few people to draw."""
    alt, text = grammar(), f"There are fewer than {smallest} records: too few to draw."
    chart = alt.Chart(inline([{"text": text}]), width=WIDTH, height=60).mark_text(fontSize=13, color=WRITTEN)
    return drawn(chart.encode(text="text:N"), title=title, note=note, alternative=f"{text} {note}".strip())


def _colour(alt: Any, channel: Any = None) -> Any:
    return (channel or alt.Color)("side:N", scale=_by_side(alt, *COLOURS[:2]), legend=alt.Legend(title=None))


def _by_side(alt: Any, original: Any, release: Any) -> Any:
    return alt.Scale(domain=list(SIDES), range=[original, release])


def _scale(alt: Any, moment: bool) -> Any:  # noqa: FBT001
    return alt.Scale(type="utc", nice=False) if moment else alt.Scale(zero=False, nice=False)


def _axis(alt: Any, moment: bool) -> Any:  # noqa: FBT001
    return alt.Axis(format="%Y-%m-%d", labelOverlap=True, grid=False) if moment else alt.Axis(grid=False)


def _place(edge: float, moment: bool) -> float:  # noqa: FBT001
    return edge * DAY if moment else edge


def _written(edge: float, moment: bool) -> str:  # noqa: FBT001
    """An edge as people read it."""
    if not moment:
        return number(edge)
    try:
        return (EPOCH + timedelta(edge)).date().isoformat()
    except OverflowError:
        return f"day {number(edge)} since 1970"


def _short(name: str) -> str:
    return shown([plain(name)])[0]
