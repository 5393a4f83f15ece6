"""Edits of a hierarchy, one thought each: values put together, a level added or taken out, a label called otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sfumato.errors import HierarchyError
from sfumato.hierarchies.hierarchy import TOP, Counts, Hierarchy

Lines = tuple[tuple[str, ...], ...]


def grouped(hierarchy: Hierarchy, values: Collection[str], level: int, label: str) -> Hierarchy:
    """Some values under one label at a level, and under what that label is under further up.

    A label that is new goes under what all of the values have there, or else under the top.

    >>> towns = Hierarchy((("Lienz", "*"), ("Wien", "*"), ("Graz", "*")))
    >>> grouped(with_level(towns, 0), ["Wien", "Graz"], 1, "large").lines
    (('Lienz', 'Lienz', '*'), ('Wien', 'large', '*'), ('Graz', 'large', '*'))
    """
    _require_between(hierarchy, level)
    if not label.strip():
        raise HierarchyError("A group needs a label.")
    picked = [line for line in hierarchy.lines if line[0] in values]
    if not picked:
        raise HierarchyError("Pick the values that belong together.")
    same = next((line for line in hierarchy.lines if line[level] == label), None)
    above = same[level + 1 :] if same is not None else _common(picked, level + 1, hierarchy)
    lines = ((*line[:level], label, *above) if line[0] in values else line for line in hierarchy.lines)
    return _with_lines(hierarchy, lines)


def with_level(hierarchy: Hierarchy, below: int) -> Hierarchy:
    """A further level above one, at first with the same labels."""
    if not 0 <= below < hierarchy.height:
        raise HierarchyError("A level is added above one that is not the top.")
    lines = ((*line[: below + 1], line[below], *line[below + 1 :]) for line in hierarchy.lines)
    missing = (*hierarchy.missing[: below + 1], hierarchy.missing[below], *hierarchy.missing[below + 1 :])
    return Hierarchy(tuple(lines), missing)


def without_level(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The same without a level."""
    _require_between(hierarchy, level)
    lines = ((*line[:level], *line[level + 1 :]) for line in hierarchy.lines)
    return Hierarchy(tuple(lines), (*hierarchy.missing[:level], *hierarchy.missing[level + 1 :]))


def relabelled(hierarchy: Hierarchy, level: int, before: str, after: str) -> Hierarchy:
    """The same with another word for a label of a level."""
    _require_between(hierarchy, level)
    if before not in hierarchy.labels(level) or not after.strip():
        raise HierarchyError("Name a label of that level, and another word for it.")
    lines = ((*line[:level], after, *line[level + 1 :]) if line[level] == before else line for line in hierarchy.lines)
    return _with_lines(hierarchy, lines)


def with_values(hierarchy: Hierarchy, values: Iterable[str]) -> Hierarchy:
    """The same with a place for further values: each by itself up to the top, where a hand can move it."""
    known = set(hierarchy.values)
    new = tuple((*([value] * hierarchy.height), hierarchy.top) for value in values if value not in known)
    return _with_lines(hierarchy, (*hierarchy.lines, *new))


def unplaced(hierarchy: Hierarchy, counts: Counts) -> dict[str, int]:
    """The values that have no place in a hierarchy, and how many records hold each."""
    return {value: n for value, n in counts.items() if value is not None and n and value not in hierarchy}


def _common(picked: list[tuple[str, ...]], level: int, hierarchy: Hierarchy) -> tuple[str, ...]:
    above = {line[level:] for line in picked}
    return above.pop() if len(above) == 1 else (TOP,) * (hierarchy.height - level) + (hierarchy.top,)


def _with_lines(hierarchy: Hierarchy, lines: Iterable[tuple[str, ...]]) -> Hierarchy:
    return Hierarchy(tuple(lines), hierarchy.missing)


def _require_between(hierarchy: Hierarchy, level: int) -> None:
    if not 0 < level < hierarchy.height:
        raise HierarchyError("Only levels between the values themselves and the top can be edited. Add a level first.")
