"""What must not change a reading, and which way a reading may change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.privacy.assess import answer
from sfumato.privacy.assessment import Assessment
from sfumato.privacy.catalogue import measure, measures
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.measure_interface import Measure, Safer
from sfumato.privacy.policy import Requirement
from sfumato.privacy.question import Question
from sfumato.tables.engine import quoted
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import Extract

COLUMNS = ("age", "sex", "disease", "dose")
QUASI, SENSITIVE = ("age", "sex"), ("disease", "dose")
TYPES = (pa.string(), pa.string(), pa.string(), pa.int64())
Record = tuple[str | None, str | None, str | None, int | None]
Values = dict[Measure, float | None]

RECORDS = st.lists(
    st.tuples(
        st.sampled_from([None, "30", "40", "50"]),
        st.sampled_from([None, "f", "m"]),
        st.sampled_from([None, "flu", "cold", "hiv"]),
        st.sampled_from([None, 0, 1, 2, 9]),
    ),
    min_size=1,
    max_size=16,
)
# Names that the SQL inside uses, that would end a quotation, or that look like another column's.
NAMES = st.lists(
    st.one_of(
        st.sampled_from(
            ["size", "class_id", "k1", "k2", "v1", "v2", "person", "records", "record", "value", "n", "q", "p", "alone"]
        ),
        st.sampled_from(
            ['a"b', "it's", "a\nb", "a;--", "SELECT", "é", " ", "r1", "f1", "flagged", "K1", "row", "%s", "{x}"]
        ),
        st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=6),
    ),
    min_size=4,
    max_size=4,
    unique_by=str.casefold,
)


def every_measure(disease: str = "disease", dose: str = "dose") -> list[Measure]:
    """Each measure of the catalogue: those about numbers on the dose, the others on the disease."""
    found = []
    for name, kind in measures().items():
        about = hasattr(kind, "value")
        column = dose if name.startswith("t_") and name != "t_closeness" else disease
        found.append(measure(name, {"sensitive": column} if about else {}))
    return found


@pytest.fixture(scope="module")
def duckdb() -> DuckDB:
    return DuckDB(threads=1)


def extracted(duckdb: DuckDB, records: Sequence[Record], names: Sequence[str] = COLUMNS) -> Extract:
    arrays = [pa.array([record[i] for record in records], kind) for i, kind in enumerate(TYPES)]
    return Extract("random", duckdb.load(pa.Table.from_arrays(arrays, list(names))), ())


def assessed(
    duckdb: DuckDB,
    records: Sequence[Record],
    found: Sequence[Measure],
    *,
    names: Sequence[str] = COLUMNS,
    missing: str = "own_value",
) -> Assessment:
    question = Question.written(
        quasi=names[:2],
        sensitive=names[2:],
        missing=missing,
        requirements=[Requirement(m, 2 if m.safer is Safer.HIGHER else 0.3) for m in found],
    )
    return answer(extracted(duckdb, records, names), question)


def values(duckdb: DuckDB, records: Sequence[Record], columns: Sequence[str] = COLUMNS) -> Values:
    """What every measure reads, with the columns in this order."""
    table = extracted(duckdb, records).table
    roles = {**dict.fromkeys(QUASI, "quasi"), **dict.fromkeys(SENSITIVE, "sensitive")}
    ordered = duckdb.view(f"SELECT {quoted(*columns)} FROM {table}")
    classes = Dataset.of(ordered, roles).classes()
    return {found: found.of(classes) for found in every_measure()}


def near(expected: Values) -> dict[Measure, Any]:
    return {m: None if v is None else pytest.approx(v, rel=1e-12, abs=1e-12) for m, v in expected.items()}


@settings(max_examples=7, deadline=None)
@given(records=RECORDS, order=st.randoms(use_true_random=False))
def test_the_order_of_rows_and_of_columns_does_not_matter(duckdb: DuckDB, records: list[Record], order: Any) -> None:
    rows, columns = records.copy(), list(COLUMNS)
    order.shuffle(rows)
    order.shuffle(columns)
    assert values(duckdb, rows, columns) == near(values(duckdb, records))


@settings(max_examples=10, deadline=None)
@given(records=RECORDS, names=NAMES, missing=st.sampled_from(["own_value", "wildcard", "never_matches"]))
def test_the_names_of_the_columns_do_not_matter(
    duckdb: DuckDB, records: list[Record], names: list[str], missing: str
) -> None:
    chosen = {"k_anonymity", "distinct_l_diversity", "t_closeness", "t_ordered"}
    plain = [m for m in every_measure() if m.name() in chosen]
    renamed = [m for m in every_measure(names[2], names[3]) if m.name() in chosen]
    before = assessed(duckdb, records, plain, missing=missing)
    after = assessed(duckdb, records, renamed, names=names, missing=missing)
    assert [(r.value, r.flagged) for r in after.readings] == [(r.value, r.flagged) for r in before.readings]
    assert after.sizes == before.sizes
    assert after.flags["flagged"].to_pylist() == before.flags["flagged"].to_pylist()


@settings(max_examples=9, deadline=None)
@given(records=RECORDS, merged=st.sampled_from([("30", "40"), ("40", "50"), ("30", None)]))
def test_no_reading_gets_worse_when_two_values_become_one(
    duckdb: DuckDB, records: list[Record], merged: tuple[str | None, str | None]
) -> None:
    """Two quasi-identifier values become one: classes are joined and none is split.

    Delta-disclosure is tried too, whatever it says of itself: the share of a value in a joined class lies between its
    shares in the parts, and a value that the joined class lacks, all parts lack.
    """
    coarser: list[Record] = [(merged[0] if r[0] == merged[1] else r[0], r[1], r[2], r[3]) for r in records]
    fine, coarse = values(duckdb, records), values(duckdb, coarser)
    for found, before in fine.items():
        after = coarse[found]
        assert found.monotone, found
        if before is None or after is None:
            assert before is after is None, found
        elif found.safer is Safer.HIGHER:
            assert after >= before - 1e-9, found
        else:
            assert after <= before + 1e-9, found


@settings(max_examples=10, deadline=None)
@given(records=RECORDS)
def test_readings_keep_to_their_bounds(duckdb: DuckDB, records: list[Record]) -> None:
    found = {m.name(): v for m, v in values(duckdb, records).items()}
    number = {name: v for name, v in found.items() if v is not None}
    n, k, distinct = len(records), number["k_anonymity"], number["distinct_l_diversity"]
    assert 1 <= k <= n
    assert 0 <= number["entropy_l_diversity"] <= distinct <= k
    if all(record[2] is not None for record in records):
        assert number["entropy_l_diversity"] >= 1
    assert number["maximum_risk"] == pytest.approx(1 / k)
    assert 1 / n <= number["average_risk"] <= number["maximum_risk"]
    for name in ("t_closeness", "t_ordered", "t_wasserstein_normalised"):
        assert -1e-12 <= number.get(name, 0) < 1, name
    assert 0 <= number.get("basic_beta_likeness", 0) <= number.get("enhanced_beta_likeness", 0)
    assert 1 / n <= number.get("alpha_k_anonymity", 1) <= 1


@settings(max_examples=7, deadline=None)
@given(records=RECORDS, times=st.integers(2, 3))
def test_repeating_every_row_multiplies_k_and_leaves_l_and_t_alone(
    duckdb: DuckDB, records: list[Record], times: int
) -> None:
    once, more = values(duckdb, records), values(duckdb, records * times)
    factor = {"k": times, "risk": 1 / times}
    expected = {m: None if v is None else v * factor.get(m.family, 1) for m, v in once.items()}
    assert more == near(expected)


@settings(max_examples=3, deadline=None)
@given(records=RECORDS)
def test_the_same_table_gives_the_same_bytes_twice(records: list[Record]) -> None:
    """Also from another engine with more threads: nothing depends on who finishes first."""
    one = assessed(DuckDB(threads=1), records, every_measure()).to_json()
    two = assessed(DuckDB(threads=4), records, every_measure()).to_json()
    assert one == two
