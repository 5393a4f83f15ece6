"""Risk against loss, as a sheet: the releases that no other beats, the knee, and the rest."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted, number

Document = dict[str, Any]
COLUMNS = ("point", "method", "requirements", "may suppress", "suppressed", "classes", "risk", "loss", "levels")


def frontier_sheet(document: Document) -> Sheet:
    """The curve of risk against loss, from its document."""
    points = document["points"]
    numbered = [point | {"number": number} for number, point in enumerate(points, 1)]
    front = [numbered[i] for i in document["front"]]
    others = [point for point in numbered if not point["on_front"]]
    sections = (
        _table("No other has less of both", front, _remarks(document)),
        _table("Others do as well or better in both", others, ()),
    )
    return Sheet(
        title="Risk against loss",
        verdict=_verdict(document, len(front)),
        sections=tuple(section for section in sections if section.rows),
    )


def _verdict(document: Document, front: int) -> str:
    said = f"{number(front)} of {counted(len(document['points']), 'release')} would be worth choosing."
    if document["knee"] is None:
        return said
    knee = document["points"][document["knee"]]
    how = f"{knee['method']}, {', '.join(knee['requirements']) or 'nothing required'}"
    which = "The knee" if document["knee_distance"] else "None stands out; the safest"
    return f"{said} {which}: {how}, with risk {number(knee['risk'])} and loss {number(knee['score'])}."


def _remarks(document: Document) -> tuple[str, ...]:
    said = f"Risk: {document['risk']}. Loss: {document['loss']}. The lowest risk comes first."
    if not document["knee_distance"]:
        return said, "No release stands out: the safest one is marked."
    return said, "The knee (*) lies farthest below the line between the two ends: beyond it, less of one costs more."


def _table(title: str, points: list[Document], remarks: tuple[str, ...]) -> Section:
    return Section(title, COLUMNS, tuple(_row(point) for point in points), remarks, numbers=(3, 4, 5, 6, 7))


def _row(point: Document) -> tuple[str, ...]:
    levels = point["levels"]
    return (
        f"{point['number']}{' *' if point['knee'] else ''}",
        point["method"],
        ", ".join(point["requirements"]),
        f"{point['suppression'] * 100:.1f} %",
        number(point["suppressed"]),
        number(point["classes"]),
        number(point["risk"]),
        number(point["score"]),
        ", ".join(f"{name} {level}" for name, level in levels.items()) if levels is not None else "-",
    )
