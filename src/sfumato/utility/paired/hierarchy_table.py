"""Hierarchy tables: the hierarchies of several columns as one table, and their labels as another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sfumato.privacy.coded.arrow_columns import numbers_to_arrow, texts_to_arrow
from sfumato.tables.engine import Engine, Table
from sfumato.utility.paired.pairing import PairedColumn

if TYPE_CHECKING:
    import pyarrow as pa


def hierarchy_table(engine: Engine, columns: Sequence[PairedColumn]) -> Table | None:
    """The hierarchies of columns as one table, a row per value; None where there is none."""
    import pyarrow

    known = [_lines(column, highest_level(columns)) for column in columns if column.hierarchy]
    return engine.load(pyarrow.concat_tables(known)) if known else None


def highest_level(columns: Sequence[PairedColumn]) -> int:
    """The top level of the highest hierarchy; without one there are the value, its label and everything."""
    return max(2, *(column.hierarchy.height if column.hierarchy else 2 for column in columns))


def _lines(column: PairedColumn, height: int) -> pa.Table:
    """One row per value: its place, and at each level its ancestor, how many leaves that has, the first and last.

    A hierarchy that is lower than others stays at its top.
    """
    import pyarrow

    hierarchy = column.hierarchy
    assert hierarchy is not None
    lines, n = [*hierarchy.lines, hierarchy.missing], len(hierarchy.lines)
    columns: dict[str, list[Any]] = {"value": [line[0] for line in lines], "known": [1] * len(lines)}
    columns |= {"tree_of": [column.number] * len(lines), "height": [hierarchy.height] * len(lines)}
    columns["place"] = [*range(n), None]  # a missing value has no place among the others
    for level in range(height + 1):
        at = min(level, hierarchy.height)
        places_of: dict[str | None, list[int]] = {}
        for place, line in enumerate(hierarchy.lines):
            places_of.setdefault(line[at], []).append(place)
        members = [places_of.get(line[at], [place]) for place, line in enumerate(lines)]
        columns[f"a{level}"] = [line[at] for line in lines]
        columns[f"w{level}"] = [len(places) for places in members]
        columns[f"s{level}"] = [places[0] if places[0] < n else None for places in members]
        columns[f"e{level}"] = [places[-1] if places[-1] < n else None for places in members]
    texts = {name for name in columns if name == "value" or name[0] == "a"}
    arrays = [texts_to_arrow(held) if name in texts else numbers_to_arrow(held) for name, held in columns.items()]
    return pyarrow.table(arrays, names=list(columns))


def label_table(columns: Sequence[PairedColumn]) -> pa.Table:
    """Every label that the hierarchies know, and its place if it is a value."""
    import pyarrow

    rows: list[tuple[int, str, int | None]] = []
    for column in columns:
        hierarchy = column.hierarchy
        assert hierarchy is not None
        places = {value: place for place, value in enumerate(hierarchy.values)}
        labels = dict.fromkeys(label for line in (*hierarchy.lines, hierarchy.missing) for label in line if label)
        rows += [(column.number, label, places.get(label)) for label in labels]
    numbers, labels_held, places_held = zip(*rows, strict=True)
    arrays = [numbers_to_arrow(numbers), texts_to_arrow(labels_held), numbers_to_arrow(places_held)]
    return pyarrow.table(arrays, names=["label_of", "label", "place"])
