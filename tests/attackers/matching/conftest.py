"""Pairs of original and released records, as a test writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

import pyarrow as pa
import pytest

from sfumato.attackers.attack_interface import LinkedRecords
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB

Record = tuple[Any, ...]
Pair = tuple[Record, Record | None]  # original and released values; None where the record is not in the release
TYPES = {int: pa.int64(), float: pa.float64(), str: pa.string(), date: pa.date32(), bool: pa.bool_()}


def typed(values: Sequence[Any], others: Sequence[Any], kind: type) -> pa.Array:
    """An array of the type of its values, or of their counterparts, or else of a given one."""
    known = [value for value in (*values, *others) if value is not None]
    return pa.array(values, TYPES[type(known[0]) if known else kind])


@pytest.fixture(scope="session")
def link() -> Callable[..., LinkedRecords]:
    usual = DuckDB(threads=1)

    def linked(
        pairs: Iterable[Pair],
        names: Sequence[str] | None = None,
        *,
        recoded: Iterable[str] | None = (),
        types: Sequence[type] | None = None,
        persons: Sequence[int | None] | None = None,
        engine: Engine | None = None,
    ) -> LinkedRecords:
        pairs = list(pairs)
        width = len(pairs[0][0])
        columns = {}
        for i in range(width):
            originals = [original[i] for original, _ in pairs]
            released = [None if record is None else record[i] for _, record in pairs]
            kind = types[i] if types else str
            columns[f"o{i + 1}"] = typed(originals, released, kind)
            columns[f"r{i + 1}"] = typed(released, originals, kind)
        columns["kept"] = pa.array([record is not None for _, record in pairs])
        if persons is not None:
            columns["person"] = pa.array(persons, pa.int64())
        table = (engine or usual).load(pa.table(columns))
        return LinkedRecords.of(table, names or [f"c{i + 1}" for i in range(width)], recoded=recoded)

    return linked
