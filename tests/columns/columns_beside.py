"""Columns as evidence reads them, and the tables that they stand in, for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import Surroundings
from sfumato.tables.engine import Kind


def column_of(name: str, values: Sequence[object] = (), **told: Any) -> ColumnProfile:
    """The profile of some values; a kind that is not told is that of the values. None is a missing value."""
    present = [value for value in values if value is not None]
    counts = Counter(map(str, present))
    missing = len(values) - len(present)
    kinds = {int: Kind.INTEGER, float: Kind.REAL, bool: Kind.BOOLEAN}
    kind = told.pop("kind", kinds.get(type(present[0]), Kind.TEXT) if present else Kind.TEXT)
    return ColumnProfile(
        name=name, kind=kind, records=len(values), missing=missing, distinct=len(counts) + bool(missing),
        once=sum(n == 1 for n in counts.values()), rarity=0.0, pairs=0, sample=tuple(counts)[:500], **told,
    )  # fmt: skip


def table_of(columns: Mapping[str, Sequence[object]] | Sequence[str], name: str = "", **told: Any) -> Surroundings:
    """A table of columns by name, with values or without."""
    values: Mapping[str, Sequence[object]] = columns if isinstance(columns, Mapping) else dict.fromkeys(columns, ())
    return Surroundings(name, tuple(column_of(name, cells) for name, cells in values.items()), **told)
