"""A release beside its original by the places of the rows: what comes of it is what a join by numbers gives."""

from __future__ import annotations

import random
from collections import Counter

import pyarrow as pa
import pytest

from sfumato.plans.blocks import people_per_value
from sfumato.plans.blocks.people_per_value import left_out
from sfumato.plans.draft import Draft
from sfumato.tables.engine import Table
from sfumato.tables.engines.duckdb import DuckDB, short_texts
from sfumato.tables.short_table import WholeRows
from sfumato.tables.source import Column, Extract
from sfumato.utility.paired import record_join
from sfumato.utility.paired.pairing import Pairing

NAMES = ["age", "town"]


def people(n: int = 400) -> pa.Table:
    drawn = random.Random(3)
    return pa.table(
        {
            "age": [drawn.choice([None, 20, 30, 40]) for _ in range(n)],
            "town": [drawn.choice(["", "[a]", "é", None]) for _ in range(n)],
        }
    )


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """400 rows are taken for many."""
    monkeypatch.setattr(short_texts, "MANY", 100)
    monkeypatch.setattr(record_join, "MANY", 100)


@pytest.fixture(params=[1, 1000], ids=["by a join", "by name"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How records are left out: so many are named one by one."""
    monkeypatch.setattr(people_per_value, "FEW", request.param)


def begun() -> Draft:
    table = DuckDB().load(people())
    extract = Extract("people", table, tuple(Column(n, k, "") for n, k in table.kinds.items()))
    return Draft.of(extract).held(400, made=True)


def coarser(draft: Draft) -> Draft:
    """Every age is some, and the rows are worked out."""
    return draft.changed({"age": "CASE WHEN record.age IS NULL THEN NULL ELSE 'some' END"}).held(400)


def numbers(draft: Draft, condition: str) -> str:
    return f"SELECT {draft.number} AS number FROM {draft.counted} AS record WHERE {condition}"


def pairs(before: Draft, after: Draft, whole: WholeRows | None) -> Counter[tuple[object, ...]]:
    """Every row of the pairing, with how often it stands there: a different pair has one row."""
    tables: tuple[Table, Table] = (before.compared_table(), after.counted_table(numbered=True))
    paired = Pairing.of(*tables, NAMES, key=before.row, numbered=True, whole=whole)
    return Counter(paired.engine.fetch(f"SELECT * FROM {paired.table}"))


@pytest.mark.usefixtures("few")
def test_pairs_by_place_are_those_by_number() -> None:
    before = begun()
    after, gone = left_out(coarser(before), numbers(before, "record.town = '[a]'"))
    after, more = left_out(after, numbers(after, "record.age IS NULL"))
    assert 1 < more < gone < 400
    assert after.whole is not None
    assert len(after.whole.left_out) == 2
    assert pairs(before, after, after.whole) == pairs(before, after, None)


def test_what_becomes_of_records_that_are_left_out_tells_them_apart_no_more() -> None:
    """Rows that were left out still have cells: equal records whose cells differ there are one pair all the same."""
    before = begun()
    drawn = before.changed({"age": f"CAST({before.number} % 7 AS VARCHAR)"}).held(400)
    after, _ = left_out(drawn, numbers(before, "record.town = '[a]'"))
    assert after.whole is not None
    by_place = pairs(before, after, after.whole)
    assert by_place == pairs(before, after, None)
    assert set(by_place.values()) == {1}


def test_a_record_that_is_left_out_for_two_reasons_is_counted_once() -> None:
    before = begun()
    whole = coarser(before)
    once = numbers(whole, "record.town = '[a]'")
    after, _ = left_out(whole, once)
    assert after.whole is not None
    twice = after.whole.without(after.engine.query(f"{once} UNION ALL {once}"))
    assert pairs(before, after, twice) == pairs(before, after, None)


def test_rows_in_another_order_are_joined_by_their_numbers() -> None:
    before = begun()
    after = coarser(before)
    turned = after.engine.query(f"SELECT * FROM {after.counted} ORDER BY {before.row} DESC")
    whole = WholeRows(turned, before.row)
    assert whole.beside(before.compared_table()) is None
    assert pairs(before, after, whole) == pairs(before, after, after.whole)


def test_rows_are_whole_no_more_when_a_cell_changes_or_a_record_goes_unnoticed() -> None:
    after = coarser(begun())
    assert after.whole is not None
    assert after.changed({"town": "'x'"}).whole is None
    assert after.where("record.town = 'é'").whole is None
    assert after.without("town").whole is after.whole


def test_fewer_rows_than_the_source_has_are_not_whole() -> None:
    draft = begun().where("record.town = 'é'").changed({"age": "'x'"}).held(400)
    assert draft.short is not None
    assert draft.whole is None
