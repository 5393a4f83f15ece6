"""Risk against loss, as a sheet: the releases that no other beats, the knee, and the rest."""

from __future__ import annotations

from sfumato.show.documents.frontier import FrontierDocument, PointDocument
from sfumato.show.sheet import Section, Sheet, counted, number

COLUMNS = ("point", "method", "requirements", "may suppress", "suppressed", "classes", "risk", "loss", "levels")


def frontier_sheet(document: FrontierDocument) -> Sheet:
    """The curve of risk against loss, from its document."""
    rows = [_row(place, point) for place, point in enumerate(document.points, 1)]
    front = tuple(rows[i] for i in document.front)
    others = tuple(row for row, point in zip(rows, document.points, strict=True) if not point.on_front)
    sections = (
        Section("No other has less of both", COLUMNS, front, _remarks(document), numbers=(3, 4, 5, 6, 7)),
        Section("Others do as well or better in both", COLUMNS, others, numbers=(3, 4, 5, 6, 7)),
    )
    return Sheet(
        title="Risk against loss",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows),
    )


def _verdict(document: FrontierDocument) -> str:
    said = f"{number(len(document.front))} of {counted(len(document.points), 'release')} would be worth choosing."
    if document.knee is None:
        return said
    knee = document.points[document.knee]
    how = f"{knee.method}, {', '.join(knee.requirements) or 'nothing required'}"
    which = "The knee" if document.knee_distance else "None stands out; the safest"
    return f"{said} {which}: {how}, with risk {number(knee.risk)} and loss {number(knee.score)}."


def _remarks(document: FrontierDocument) -> tuple[str, ...]:
    said = f"Risk: {document.risk}. Loss: {document.loss}. The lowest risk comes first."
    if not document.knee_distance:
        return said, "No release stands out: the safest one is marked."
    return said, "The knee (*) lies farthest below the line between the two ends: beyond it, less of one costs more."


def _row(place: int, point: PointDocument) -> tuple[str, ...]:
    levels = point.levels
    return (
        f"{place}{' *' if point.knee else ''}",
        point.method,
        ", ".join(point.requirements),
        f"{point.suppression * 100:.1f} %",
        number(point.suppressed),
        number(point.classes),
        number(point.risk),
        number(point.score),
        ", ".join(f"{name} {level}" for name, level in levels.items()) if levels is not None else "-",
    )
