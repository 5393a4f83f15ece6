"""Counts that are asked beside an engine: the same rows, wherever they lie."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.columns.profile import Profile, counted_columns, profile_of_counts
from sfumato.errors import SchemaError
from sfumato.plans.draft import Draft
from sfumato.tables.load import load
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import write_table
from sfumato.utility.paired.pairing import Pairing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sfumato.tables.engine import Engine

PEOPLE = pa.table({
    "age": pa.array([31, 31, 47, None, 47, 52], pa.int64()),
    "sex": ["f", "m", "f", "f", None, "m"],
    "weight": [60.5, 71.0, 60.5, 80.25, 71.0, None],
})  # fmt: skip


def pairs(pairing: Pairing) -> list[tuple[object, ...]]:
    names = [name for name in pairing.table.columns if name != "n"]
    rows = pairing.engine.fetch(f"SELECT {', '.join(names)}, n FROM {pairing.table}")
    return sorted(rows, key=repr)


def test_counts_hold_the_same_rows_near_an_engine_as_in_it(engine: Engine) -> None:
    table = engine.load(PEOPLE)
    near = engine.near(f"SELECT sex, count(*) AS n FROM {table} GROUP BY sex")
    assert sorted(near.engine.fetch(f"SELECT * FROM {near}"), key=repr) == [("f", 3), ("m", 2), (None, 1)]


@pytest.mark.spark
def test_counts_of_more_cells_than_may_be_brought_stay_on_spark(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sfumato.tables.engines import spark as engines

    here = engines.Spark(spark)
    table = here.load(PEOPLE)
    grouped = f"SELECT sex, count(*) AS n FROM {table} GROUP BY sex"
    assert here.near(grouped).engine is not here
    monkeypatch.setattr(engines, "NEAR", 5)
    stayed = here.near(grouped)
    assert stayed.engine is here
    assert stayed.count() == 3


def test_columns_that_are_counted_together_have_the_profile_of_each_alone(engine: Engine) -> None:
    table = engine.load(PEOPLE)
    alone = Profile.of(table)
    for name, counted in counted_columns(table, PEOPLE.column_names).items():
        together = profile_of_counts(counted, name, table.kinds[name], 6)
        assert together.shape == alone[name].shape
        assert sorted(together.sample) == sorted(alone[name].sample)
        assert (together.missing, together.distinct, together.once, together.pairs) == (
            alone[name].missing, alone[name].distinct, alone[name].once, alone[name].pairs,
        )  # fmt: skip


def test_records_that_took_along_what_they_were_are_paired_as_by_their_number(engine: Engine) -> None:
    before = Draft.of(load(PEOPLE, engine=engine))
    begun = before.taking_along(["age", "sex"])
    after = begun.where("record.age < 50 OR record.sex = 'f'").changed({"age": "floor(record.age / 10)"})
    original = before.compared_table()
    released, carried = after.released_table(numbered=True), after.released_table(numbered=True, originals=True)
    by_number = Pairing.of(original, released, ["age", "sex"], key=before.row, numbered=True)
    beside = Pairing.of(original, carried, ["age", "sex"], key=before.row, originals=after.originals)
    assert pairs(beside) == pairs(by_number) == pairs(Pairing.of(original, released, ["age", "sex"], key=before.row))
    assert beside.suppressed == by_number.suppressed == 1
    assert set(after.originals.values()).isdisjoint(after.released_table().columns)


@pytest.mark.spark
@pytest.mark.parametrize(
    ("kept", "cells"),
    [
        ("record.sex = 'f' OR record.age = 31", 20),  # 24 cells of pairs stay on Spark, 18 of the originals come near
        ("record.age = 52", 10),  # 6 cells of pairs come near, 18 of the originals stay
        ("record.sex = 'f'", 17),  # both stay
    ],
)
def test_pairs_are_the_same_wherever_pairs_and_originals_lie(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, kept: str, cells: int
) -> None:
    from sfumato.tables.engines import spark as engines

    here = engines.Spark(spark)
    before = Draft.of(load(PEOPLE, engine=here))
    after = before.taking_along(["age", "sex"]).where(kept)
    original, carried = before.compared_table(), after.released_table(originals=True)
    near = Pairing.of(original, carried, ["age", "sex"], originals=after.originals)
    monkeypatch.setattr(engines, "NEAR", cells)
    stayed = Pairing.of(original, carried, ["age", "sex"], originals=after.originals)
    assert near.engine is not here
    assert stayed.engine is here
    assert pairs(stayed) == pairs(near)
    assert sum(int(str(n)) for *_, n in pairs(near)) == len(PEOPLE)


def test_a_release_with_records_that_the_original_lacks_is_not_compared(engine: Engine) -> None:
    before = Draft.of(load(PEOPLE, engine=engine))
    after = before.taking_along(["age", "sex"])
    fewer = engine.view(f"SELECT * FROM {before.compared_table()} WHERE sex = 'f'")
    with pytest.raises(SchemaError):
        Pairing.of(fewer, after.released_table(originals=True), ["age", "sex"], originals=after.originals)


@pytest.mark.spark
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_equal_rows_are_written_near_as_all_of_them_are_written_on_spark(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ending: str
) -> None:
    from sfumato.tables.engines import spark as engines

    drawn = random.Random(5)
    people = pa.table({
        "town": [drawn.choice(["", "[a]", "a;b", "~", 'say "x"', "é", None]) for _ in range(300)],
        "cost": [drawn.choice([0.0, -0.0, float("nan"), 1e-7, 1.5, None]) for _ in range(300)],
        "day": [drawn.choice([date(2024, 2, 29), None]) for _ in range(300)],
    })  # fmt: skip
    columns = [ReleasedColumn(name) for name in people.column_names]
    written = []
    for cells in (10_000, 10):
        monkeypatch.setattr(engines, "NEAR", cells)
        path = tmp_path / f"{cells}.{ending}"
        assert write_table(engines.Spark(spark).load(people), path, columns) == 300
        written.append(pq.read_table(path).to_pylist() if ending == "parquet" else path.read_bytes())
    assert repr(written[0]) == repr(written[1])
