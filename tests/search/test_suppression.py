"""Records left out because their class breaks a requirement, and combinations recoded as a file says."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import PlanError, UnreadableFile
from sfumato.plans.blocks.tuple_file import read_tuples, write_tuples
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.steps.recode_tuples import RecodeTuples
from sfumato.plans.steps.suppress_records import SuppressRecords
from sfumato.secrets import Secrets
from sfumato.tables.load import load

ROWS = pa.table({"age": [1, 1, 1, 2, 2, 3, None, None], "illness": ["a", "b", "a", "a", "a", "b", "a", "b"]})


def kept(table: pa.Table, step: SuppressRecords) -> list[tuple[object, ...]]:
    draft = Plan().then(step).apply(Draft.of(load(table)), Secrets())
    return list(draft.engine.fetch(draft.select()))


def test_classes_that_break_any_requirement_go_and_others_stay() -> None:
    step = SuppressRecords(requirements=["k_anonymity >= 2", "distinct_l_diversity(illness) >= 2"], columns="age")
    assert kept(ROWS, step) == [(1, "a"), (1, "b"), (1, "a"), (None, "a"), (None, "b")]


def test_everybody_is_those_who_stay() -> None:
    """Ages 1 and 2 are close enough to all three. Without age 3, which is not, age 2 is too far from who is left."""
    rows = pa.table({"age": [1] * 24 + [2] * 6 + [3] * 12, "illness": list("a" * 18 + "b" * 6 + "abbbbb" + "b" * 12)})
    required = ["t_closeness(illness) <= 0.3"]
    first = sf.assess(rows, quasi="age", sensitive="illness", requirements=required)
    assert [reading.flagged for reading in first.readings] == [12]
    assert {age for age, _ in kept(rows, SuppressRecords(requirements=required, columns="age"))} == {1}


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abc")), min_size=1, max_size=30),
    bound=st.sampled_from([0.1, 0.3, 0.5]),
)
def test_what_stays_keeps_to_the_requirements_whatever_goes(rows: list[tuple[int, str]], bound: float) -> None:
    table = pa.table({"age": [a for a, _ in rows], "illness": [i for _, i in rows]})
    required = [f"t_closeness(illness) <= {bound}", "k_anonymity >= 2"]
    try:
        found = kept(table, SuppressRecords(requirements=required, columns="age"))
    except PlanError as error:
        if "no record would be left" not in str(error):
            raise
        return
    left = pa.table({"age": [a for a, _ in found], "illness": [i for _, i in found]})
    assert sf.assess(left, quasi="age", sensitive="illness", requirements=required).met


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"requirements": []}, "must be a list"),
        ({"requirements": ["k_anonymity"]}, "cannot be read"),
        ({"requirements": ["k_anonymity >= 2"], "class_size": 3}, "give one of"),
        ({"requirements": [{"measure": "k_anonymity"}]}, "at_least or at_most"),
        ({"requirements": ["k_anonymity >= 2"], "orders": 3}, "orders must name"),
        ({}, "give one of"),
    ],
)
def test_a_step_that_says_nothing_or_too_much_is_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(PlanError, match=says):
        SuppressRecords(**given)  # type: ignore[arg-type]


def test_a_sensitive_value_cannot_make_the_class_too() -> None:
    with pytest.raises(PlanError, match="cannot be the sensitive value"):
        kept(ROWS, SuppressRecords(requirements=["t_closeness(age) <= 0.4"], columns="age"))


LINES = pa.table(
    {
        "a": pa.array(["1", "2", None, ""]), "b": pa.array(["x", "x", 'y;"z"\n', "x"]),
        "c": pa.array(["1-2", "1-2", None, ""]), "d": pa.array(["x", "x", "*", "x"]),
    }
)  # fmt: skip


def test_a_file_of_combinations_reads_as_it_was_written(tmp_path: Path) -> None:
    write_tuples(LINES, ("n o", "p"), tmp_path / "recoding.csv")
    found = read_tuples(tmp_path / "recoding.csv", ("n o", "p"))
    assert [list(found[name].to_pylist()) for name in found.column_names] == [c.to_pylist() for c in LINES.columns]
    with pytest.raises(UnreadableFile, match="must name the columns"):
        read_tuples(tmp_path / "recoding.csv", ("p", "n o"))
    with pytest.raises(UnreadableFile):
        read_tuples(tmp_path / "recoding.csv", ("p",))
    with pytest.raises(UnreadableFile):
        read_tuples(tmp_path / "other.csv", ("p",))


def test_combinations_become_what_the_file_says(tmp_path: Path) -> None:
    write_tuples(LINES, ("age", "sex"), tmp_path / "recoding.csv")
    rows = pa.table({"age": [2, 1, 2], "sex": ["x", "x", "x"], "cost": [7, 8, 9]})
    plan = Plan(folder=tmp_path).then(RecodeTuples(("age", "sex"), "recoding.csv"))
    draft = plan.apply(Draft.of(load(rows)), Secrets())
    assert list(draft.engine.fetch(draft.select())) == [("1-2", "x", 7), ("1-2", "x", 8), ("1-2", "x", 9)]


def test_a_combination_that_the_file_lacks_is_an_error_or_left_out(tmp_path: Path) -> None:
    write_tuples(LINES, ("age", "sex"), tmp_path / "recoding.csv")
    rows = pa.table({"age": [2, 77], "sex": ["x", "x"]})
    with pytest.raises(PlanError, match="1 of 2 records") as error:
        Plan(folder=tmp_path).then(RecodeTuples(("age", "sex"), "recoding.csv")).apply(Draft.of(load(rows)), Secrets())
    assert "77" not in str(error.value)
    step = RecodeTuples(("age", "sex"), "recoding.csv", unknown="leave_out")
    draft = Plan(folder=tmp_path).then(step).apply(Draft.of(load(rows)), Secrets())
    assert list(draft.engine.fetch(draft.select())) == [("1-2", "x")]
    assert draft.notes == ("Records suppressed: 1 of 2.",)
