"""Bars in groups: a number for each group and each table; a number that is hidden is a word in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sfumato.show.charts.chart import HEIGHT, WIDTH, WRITTEN, Chart, by_table, drawn, grammar, inline, shown
from sfumato.show.sheet import number

Bars = Sequence[tuple[str, Sequence[float | None]]]  # a table, and its number in each group; None: hidden


def bars(
    title: str,
    groups: Sequence[str],
    tables: Bars,
    *,
    x: str,
    y: str,
    hidden: str = "hidden",
    note: str = "",
) -> Chart:
    """One bar for each group and table, its number above it; `hidden` stands where a number may not be shown."""
    alt, labels, names = grammar(), shown(groups), shown([name for name, _ in tables])
    data = [
        {"group": group, "table": name, "value": value or 0, "text": hidden if value is None else number(value)}
        for name, (_, values) in zip(names, tables, strict=True)
        for group, value in zip(labels, values, strict=True)
    ]
    top = max((value or 0 for _, values in tables for value in values), default=0) or 1
    base = alt.Chart(inline(data), width=WIDTH, height=HEIGHT).encode(
        x=alt.X("group:N", sort=labels, title=x, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("table:N", sort=names),
        y=alt.Y("value:Q", title=y, axis=alt.Axis(tickCount=5), scale=_with_room(alt, top)),
    )
    filled = base.mark_bar().encode(color=by_table(names))
    written = base.mark_text(dy=-7, fontSize=11, color=WRITTEN).encode(text="text:N")
    words = [
        f"{name}: " + ", ".join(f"{group} {hidden if value is None else number(value)}"
                                for group, value in zip(labels, values, strict=True)) + "."
        for name, (_, values) in zip(names, tables, strict=True)
    ]  # fmt: skip
    return drawn(filled + written, title=title, note=note, alternative=" ".join([*words, note]).strip())


def _with_room(alt: Any, top: float) -> Any:
    """Numbers up to the highest, and room for its text above it."""
    return alt.Scale(domain=[0, top * 1.1], nice=False)
