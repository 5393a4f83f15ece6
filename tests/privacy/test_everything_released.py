"""Everything that is released, read together: against a reader that does it by hand, and on the case of issue 16."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato.privacy.everything_released as module
from sfumato.privacy.assess import assess
from sfumato.privacy.everything_released import EverythingReleased, LoneSet
from sfumato.tables.engines.duckdb import DuckDB

Row = dict[str, Any]


def alone_by_hand(rows: Sequence[Row], columns: Iterable[str], subject: str | None = None) -> int:
    """Persons of whom one record at least is shared with nobody; a record without a subject is a person of its own."""
    names = tuple(columns)
    groups: defaultdict[tuple[Any, ...], set[Any]] = defaultdict(set)
    for i, row in enumerate(rows):
        whose = row.get(subject) if subject else None
        groups[tuple(row[name] for name in names)].add(("row", i) if whose is None else ("person", whose))
    return len({person for group in groups.values() if len(group) == 1 for person in group})


def released(rows: Sequence[Row], columns: Sequence[str], **given: Any) -> EverythingReleased:
    names = [*columns, *([given["subject"]] if given.get("subject") else [])]
    kinds = {"a": pa.string(), "b": pa.int64(), "c": pa.float64(), "d": pa.string(), "who": pa.string()}
    table = pa.table({name: pa.array([row[name] for row in rows], kinds.get(name)) for name in names})
    return EverythingReleased(DuckDB().load(table), tuple(columns), **given)


RECORDS = st.lists(
    st.fixed_dictionaries({
        "a": st.sampled_from(["x", "y", None]),
        "b": st.sampled_from([1, 2, 3, None]),
        "c": st.sampled_from([0.0, 1.5, 2.25, None]),
        "d": st.sampled_from(["p", "q"]),
        "who": st.sampled_from(["anna", "bert", "cleo", "dora", None]),
    }),
    min_size=1,
    max_size=14,
)  # fmt: skip


@settings(max_examples=120)
@given(rows=RECORDS, persons=st.booleans())
def test_every_count_is_that_of_a_reader_by_hand(rows: list[Row], persons: bool) -> None:
    columns, subject = ("a", "b", "c", "d"), "who" if persons else None
    everything = released(rows, columns, subject=subject, asked=("a", "d"))
    found = everything.reading
    whole = alone_by_hand(rows, columns, subject)
    assert found.alone == whole
    assert found.alone_on_asked == (alone_by_hand(rows, ("a", "d"), subject) if whole else 0)
    for each in found.sets:
        assert each.alone == alone_by_hand(rows, each.columns, subject)
    assert found.examined + found.implied + found.left == found.possible == 14
    by_hand = {s: alone_by_hand(rows, s, subject) for n in (1, 2, 3) for s in combinations(columns, n)}
    if found.left == 0:  # then no set that was not listed singles out more than those of its size that were
        for size in (1, 2, 3):
            most = max(n for s, n in by_hand.items() if len(s) == size)
            known = [each.alone for each in found.sets if len(each.columns) <= size]
            assert max(known, default=0) == most
    added = found.adds_most
    assert (added is None) == (whole == 0)
    if added is not None:
        assert added.alone_without == alone_by_hand(rows, (c for c in columns if c != added.column), subject)
        with_it, without = (*added.beside, added.column), added.beside
        before = alone_by_hand(rows, without, subject) if without else 0
        assert added.gain == alone_by_hand(rows, with_it, subject) - before


def test_not_a_number_is_a_null_and_there_is_one_zero() -> None:
    table = pa.table({"c": [float("nan"), None, 0.0, -0.0, 1.0]})
    found = EverythingReleased(DuckDB().load(table), ("c",)).reading
    assert (found.people, found.alone) == (5, 1)


def test_where_nobody_is_alone_one_grouping_says_all() -> None:
    found = released([{"a": "x", "b": 1}] * 3, ("a", "b")).reading
    assert (found.alone, found.sets, found.examined, found.implied, found.left) == (0, (), 0, 3, 0)


def test_a_set_that_singles_out_no_more_than_its_part_is_not_listed() -> None:
    rows = [{"a": "x", "b": i, "d": "p"} for i in range(4)]
    found = released(rows, ("a", "b", "d")).reading
    assert found.sets == (LoneSet(("b",), 4),)
    assert (found.examined, found.implied, found.left) == (4, 3, 0)
    assert found.adds_most is not None
    assert (found.adds_most.column, found.adds_most.gain, found.adds_most.alone_without) == ("b", 4, 0)


def wide(columns: int, rows: int) -> pa.Table:
    draw = random.Random(16)
    return pa.table({f"c{i}": [draw.randrange(3 + i % 5) for _ in range(rows)] for i in range(columns)})


def test_of_two_hundred_columns_a_bounded_number_of_sets_is_looked_at_and_the_rest_is_not_called_safe() -> None:
    assessment = assess(wide(200, 400), quasi=["c0"], k=2)
    found = assessment.everything.reading
    assert found.possible == 200 + 19_900 + 1_313_400
    assert found.examined <= 200 + 28 + 56
    assert found.left == found.possible - found.examined - found.implied > 1_000_000
    assert "not looked at is not safe" in str(assessment)
    assert f"{found.examined} of 1 333 500 sets" in str(assessment)


def test_the_same_table_gives_the_same_sets_whatever_the_order_of_its_rows() -> None:
    table = wide(12, 300)
    rows = list(range(300))
    random.Random(1).shuffle(rows)
    one, other = (EverythingReleased(DuckDB().load(t), tuple(t.column_names)) for t in (table, table.take(rows)))
    assert one.reading == other.reading
    assert one.reading.left > 0


def test_with_more_rows_fewer_columns_are_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUPED", 20 * 300)
    table = wide(12, 300)
    found = EverythingReleased(DuckDB().load(table), tuple(table.column_names)).reading
    assert (found.combined, found.examined) == (5, 12 + 10 + 10)


def test_it_is_read_when_somebody_looks_and_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(module._Search, "run", lambda self, run=module._Search.run: made.append(1) or run(self))
    assessment = assess(wide(5, 60), quasi=["c0"], k=2)
    assert (assessment.met, made) == (True, [])
    assert str(assessment)
    assert assessment.to_json()
    assert assessment.verdict.state == "met, but"
    assert made == [1]


def test_what_is_not_to_be_looked_at_is_open_and_never_called_safe() -> None:
    assessment = assess(pa.table({"age": [30, 30], "sex": ["f", "f"]}), quasi=["age", "sex"], k=2, everything=False)
    assert assessment.met is True
    assert assessment.verdict.state == "met, but"
    assert assessment.document()["everything"] is None
    assert assessment.document()["open"] == ["Who is alone on everything that is released was not looked at."]


def stroke(rows: int = 5110) -> pa.Table:
    """A table like that of issue 16: two measurements, of which each is shared by many and both by hardly anybody."""
    draw = random.Random(5110)
    return pa.table({
        "gender": [draw.choice(["Female", "Male"]) for _ in range(rows)],
        "age_group": [draw.choice(["0-39", "40-59", "60-"]) for _ in range(rows)],
        "avg_glucose_level": [round(draw.uniform(55, 272), 1) for _ in range(rows)],
        "bmi": [round(draw.gauss(29, 7.5), 1) for _ in range(rows)],
    })  # fmt: skip


def test_a_policy_that_is_met_is_not_green_while_nearly_everybody_is_alone_on_two_released_measurements() -> None:
    """The case of issue 16: 5,096 of 5,110 rows were unique on two released measurements, under a green report."""
    table = stroke()
    rows = table.to_pylist()
    on_two = alone_by_hand(rows, ("avg_glucose_level", "bmi"))
    whole = alone_by_hand(rows, table.column_names)
    assert on_two > 4500
    assessment = assess(table, quasi=["gender", "age_group"], k=100)
    document = assessment.document()
    assert (document["met"], document["verdict"]) == (True, "met, but")
    assert document["everything"]["alone"] == whole
    assert {"columns": ["avg_glucose_level", "bmi"], "alone": on_two} in document["everything"]["sets"]
    (question,) = document["open"]
    assert question.startswith(f"{whole:,} of 5,110 records are alone".replace(",", " "))
    assert "nothing is required of avg_glucose_level, bmi" in question
    assert assessment.sheet().verdict == "Every requirement is met, but 1 question is open."
    assert 'class="verdict amber"' in assessment._repr_html_()


def test_a_table_of_which_everything_was_asked_about_is_simply_met() -> None:
    assessment = assess(stroke().select(["gender", "age_group"]), quasi=["gender", "age_group"], k=100)
    assert assessment.verdict.state == "met"
    assert assessment.sheet().verdict == "Every requirement is met."
    assert assessment.document()["everything"]["alone"] == 0


def test_direct_identifiers_and_the_subject_are_left_apart() -> None:
    table = pa.table({"who": ["a", "b", "c", "c"], "sex": ["f", "f", "f", "m"], "wing": ["N", "N", "N", "N"]})
    everything = assess(table, quasi=["sex"], subject="who", k=1).everything
    assert (everything.columns, everything.apart) == (("sex", "wing"), ("who",))
    assert (everything.reading.people, everything.reading.alone) == (3, 1)


@pytest.mark.spark
@pytest.mark.parametrize("cells", [1000, 10], ids=["on the driver", "on Spark"])
def test_spark_reads_the_same(spark, monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    from sfumato.tables.engines import spark as engines
    from sfumato.tables.engines.spark import Spark

    monkeypatch.setattr(engines, "NEAR", cells)
    draw = random.Random(3)
    table = pa.table({
        "who": [draw.choice(["a", "b", "c", "d", None]) for _ in range(40)],
        'a "b"': [draw.choice(["x", "y", None]) for _ in range(40)],
        "size": [draw.choice([1, 2, 3, None]) for _ in range(40)],
        "c": [draw.choice([0.5, -0.0, 0.0, float("nan"), None]) for _ in range(40)],
    })  # fmt: skip
    for subject in (None, "who"):
        one, other = (
            EverythingReleased(engine.load(table), tuple(table.column_names[1:]), subject=subject, asked=("size",))
            for engine in (DuckDB(), Spark(spark))
        )
        assert one.reading == other.reading
        assert one.reading.alone > 0
