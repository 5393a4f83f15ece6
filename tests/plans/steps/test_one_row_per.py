"""One row a subject: which row stays, what a mean is made of, and what is missing, tied or nobody's."""

from statistics import fmean

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plans.steps.drafting import RESOURCES, column, drafted

from sfumato.errors import PlanError
from sfumato.plans.plan_file import parse_plan
from sfumato.plans.steps.one_row_per import OneRowPer
from sfumato.tables.engines.duckdb import DuckDB

VISITS = {
    "who": ["a", "b", "a", "b", None, "c", "c", "a"],
    "day": pa.array([2, None, 1, 5, 1, None, None, 2], pa.int64()),
    "base": [None, "y", None, None, "Y", "N", "", "Y"],
    "mass": pa.array([60.5, None, 61.5, 70.0, 80.0, None, None, 60.4]),
    "beats": pa.array([1, 2, 2, 3, 4, None, None, None], pa.int64()),
}
KEPT = {  # the numbers of the rows that stay
    "first": [3, 4, 5, 6],  # a missing day comes last, the first of two missing ones stays
    "last": [4, 5, 7, 8],  # of two on the same day the later one stays, and a missing day still comes last
    "baseline": [2, 5, 6, 8],  # c has none, so that the first one stands
    "mean": [3, 4, 5, 6],
}


def numbers(draft):
    return [
        number for (number,) in draft.engine.fetch(f"SELECT {draft.number} FROM {draft.table} AS record ORDER BY 1")
    ]


def step(rule, **more):
    more |= {"baseline_flag": "base"} if rule == "baseline" else {}
    return OneRowPer(rule, **({"columns": ("mass", "beats")} if rule == "mean" else {}), **more)


@pytest.mark.parametrize("rule", KEPT)
def test_each_rule_keeps_its_row(rule):
    assert numbers(step(rule, order="day").apply(drafted(DuckDB(), VISITS, subject="who"), RESOURCES)) == KEPT[rule]


def test_rows_and_means_are_the_same_on_every_engine(engine):
    draft = drafted(engine, VISITS, subject="who")
    assert numbers(step("last", order="day").apply(draft, RESOURCES)) == KEPT["last"]
    made = step("mean", order="day").apply(draft, RESOURCES)
    rows = engine.fetch(f"SELECT {made.number}, mass, beats FROM {made.table} AS record ORDER BY 1")
    assert [row[0] for row in rows] == KEPT["mean"]
    assert [row[1:] for row in rows] == [((60.5 + 61.5 + 60.4) / 3, 1.5), (70.0, 2.5), (80.0, 4.0), (None, None)]


def test_the_notes_count_who_went_and_who_had_no_baseline():
    draft = drafted(DuckDB(), VISITS, subject="who")
    said = "Records suppressed, since one row stands for each who (rule: {}): 4 of 8."
    assert step("first", order="day").apply(draft, RESOURCES).notes == (said.format("first"),)
    assert step("baseline", order="day").apply(draft, RESOURCES).notes == (
        f"{said.format('baseline')} Without a baseline, so that the first one stands: 1.",
    )


@pytest.mark.parametrize(
    "flags", [pa.array([False, True, None]), pa.array([0, 1, None]), [" no", "Yes ", None]], ids=["bool", "int", "text"]
)
def test_a_baseline_is_marked_in_any_of_the_usual_ways(flags):
    draft = drafted(DuckDB(), {"who": ["a", "a", "a"], "day": [1, 2, 3], "base": flags})
    assert numbers(step("baseline", order="day", subject="who").apply(draft, RESOURCES)) == [2]


def test_texts_are_dates_where_their_form_is_given():
    draft = drafted(DuckDB(), {"who": ["a", "a"], "day": ["2/3/2020", "12/1/2020"]}, subject="who")
    assert numbers(OneRowPer("last", order="day", format="%d/%m/%Y").apply(draft, RESOURCES)) == [1]
    assert numbers(OneRowPer("first", order="day", format="%d/%m/%Y").apply(draft, RESOURCES)) == [2]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rule": "median", "order": "day"}, "rule must be one of"),
        ({"rule": "first"}, "name a column"),
        ({"rule": "baseline", "order": "day"}, "marks a baseline"),
        ({"rule": "last", "order": "day", "baseline_flag": "base"}, "belongs to the rule baseline"),
        ({"rule": "mean", "order": "day"}, "to take the mean of"),
        ({"rule": "first", "order": "day", "columns": "mass"}, "belong to the rule mean"),
        ({"rule": "first", "order": "day", "format": "day"}, "format"),
    ],
)
def test_what_does_not_go_together_is_refused_before_any_data(given, said):
    with pytest.raises(PlanError, match=said):
        OneRowPer(**given)


def test_a_mean_of_words_or_of_numbers_beyond_exactness_is_refused():
    draft = drafted(DuckDB(), {"who": ["a"], "word": ["x"], "large": [1e15]}, subject="who")
    for name, said in (("word", "needs numbers"), ("large", "16 digits")):
        with pytest.raises(PlanError, match=said):
            OneRowPer("mean", columns=name).apply(draft, RESOURCES)
    with pytest.raises(PlanError, match="whose a record is"):
        OneRowPer("mean", columns="large").apply(drafted(DuckDB(), {"large": [1.0]}), RESOURCES)


def test_which_row_stays_decides_about_no_column():
    (one,) = parse_plan("steps: [one_row_per: {rule: mean, columns: [weight], subject: id}]", "plan.yaml").steps
    assert one.transformation.treated() == frozenset()


values = st.one_of(st.none(), st.floats(-1e6, 1e6).map(lambda x: round(x, 3)))
records = st.lists(st.tuples(st.sampled_from("abc"), st.one_of(st.none(), st.integers(0, 3)), values), min_size=1)


@settings(max_examples=25)
@given(records)
def test_rows_and_means_are_those_of_plain_python(table):
    who, day, mass = zip(*table, strict=True)
    columns = {"who": who, "day": pa.array(day, pa.int64()), "mass": pa.array(mass, pa.float64())}
    draft = drafted(DuckDB(), {name: list(c) if name == "who" else c for name, c in columns.items()}, subject="who")
    first, last, means = {}, {}, {}
    for number, (owner, at, _) in enumerate(table, start=1):
        later = at if at is not None else float("inf")
        first[owner] = min(first.get(owner, (later, number)), (later, number))
        earlier = at if at is not None else float("-inf")
        last[owner] = max(last.get(owner, (earlier, number)), (earlier, number))
    for owner in first:
        known = [m for o, _, m in table if o == owner and m is not None]
        means[owner] = fmean(known) if known else None
    assert numbers(OneRowPer("first", order="day").apply(draft, RESOURCES)) == sorted(n for _, n in first.values())
    assert numbers(OneRowPer("last", order="day").apply(draft, RESOURCES)) == sorted(n for _, n in last.values())
    averaged = OneRowPer("mean", order="day", columns="mass").apply(draft, RESOURCES)
    found = dict(zip(column(averaged, "who"), column(averaged, "mass"), strict=True))
    assert {o: m is None for o, m in found.items()} == {o: m is None for o, m in means.items()}
    assert all(m is None or m == pytest.approx(means[o], abs=1e-9) for o, m in found.items())


@pytest.mark.parametrize("texts", [["03.01.2021", "01.02.2021"], ["1/31/21", "12/1/20"], ["01FEB2021", "03JAN2021"],
                                   ["2021-10-1", "2021-9-30"]])  # fmt: skip
def test_dates_as_text_that_are_not_in_order_letter_by_letter_need_their_form(texts):
    draft = drafted(DuckDB(), {"person": ["a", "a"], "visit": texts})
    with pytest.raises(PlanError, match=r"'visit' holds dates as text.*format: '%d\.%m\.%Y'") as raised:
        OneRowPer("first", order="visit", subject="person").apply(draft, RESOURCES)
    assert not any(text in str(raised.value) for text in texts)


def test_texts_that_are_no_dates_and_dates_of_iso_8601_go_letter_by_letter():
    for texts in (["V1", "V2"], ["2021-09-30", "2021-10-01"], ["2021-09-30T08:00", "2021-10"], [None, None]):
        draft = drafted(DuckDB(), {"person": ["a", "a"], "visit": pa.array(texts, pa.string())})
        assert OneRowPer("first", order="visit", subject="person").apply(draft, RESOURCES).count() == 1
