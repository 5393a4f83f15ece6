"""Measures that are read together read what each reads alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from sfumato.privacy.catalogue import measure, measures
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.readings import Readings
from sfumato.schema import Missing
from sfumato.tables.engines.duckdb import DuckDB


@pytest.fixture
def duckdb() -> DuckDB:
    return DuckDB()


def classes(engine: DuckDB, **settings: Any) -> EquivalenceClasses:
    """Sixty records with gaps everywhere, of forty persons."""
    rows = range(60)
    table = pa.table({
        "q": [None if i % 13 == 0 else i % 7 for i in rows],
        "r": ["a" if i % 3 else None for i in rows],
        "s": [None if i % 11 == 0 else (i * i) % 5 for i in rows],
        "who": [None if i % 17 == 0 else i % 40 for i in rows],
    })  # fmt: skip
    roles = {"q": "quasi", "r": "quasi", "s": "sensitive"}
    return replace(Dataset.of(engine.load(table), roles), **settings).classes()


SETTINGS = [{"missing": missing, "subject": subject} for missing in Missing for subject in (None, "who")]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_measures_that_share_a_pass_read_what_each_reads_alone(duckdb: DuckDB, settings: dict[str, Any]) -> None:
    found = classes(duckdb, **settings)
    every = tuple(
        measure(name, {"sensitive": "s"} if issubclass(kind, SensitiveMeasure) else {})
        for name, kind in measures().items()
    )
    together, _ = Readings(found, every).overall()
    alone = {one: one.of(classes(duckdb, **settings)) for one in every}
    assert together == pytest.approx(alone, rel=1e-12)


def test_a_class_has_its_keys_when_asked_for_them(duckdb: DuckDB) -> None:
    found = classes(duckdb)
    keys = duckdb.fetch(f"SELECT k1, k2, size FROM {found.with_keys()}")
    assert sum(size for *_, size in keys) == 60
    assert len({(q, r) for q, r, _ in keys}) == found.table.count() == len(keys)


def test_the_totals_are_those_of_the_records(duckdb: DuckDB) -> None:
    found = classes(duckdb)
    assert (found.totals.records, found.lacking("s")) == (60, 6)
    assert found.totals.incomplete == duckdb.fetch(
        f"SELECT count(*) FROM {found.with_keys()} WHERE k1 IS NULL OR k2 IS NULL")[0][0]  # fmt: skip
