"""What is drawn for a record depends on the record, and on nothing around it."""

from __future__ import annotations

import random
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as some
from tests.plans.steps.drafting import drafted, made_up, resources

from sfumato.plans.blocks.draws import with_draw, with_units
from sfumato.plans.steps.pseudonymise import Pseudonymise
from sfumato.tables.engines.duckdb import DuckDB

TEXTS = some.one_of(some.none(), some.text(alphabet="ab:-'|é환 1", max_size=4))
NUMBERS = some.one_of(some.none(), some.integers(-3, 3))
REALS = some.one_of(some.none(), some.sampled_from([0.0, -0.0, 0.5, 1e300]))
ROWS = some.lists(some.tuples(TEXTS, NUMBERS, REALS), min_size=1, max_size=12)


def table(rows, order=("a", "b", "c")):
    kinds = {"a": pa.string(), "b": pa.int64(), "c": pa.float64()}
    columns = dict(zip("abc", zip(*rows, strict=True), strict=True))
    return {name: pa.array(columns[name], kinds[name]) for name in order}


def drawn(draft, **how):
    """The draw of each record, by its number in the source."""
    drawing, sql = with_draw(draft, resources(), **how)
    return dict(draft.engine.fetch(f"SELECT {drawing.number}, {sql} FROM {drawing.table} AS record"))


def by_content(rows, draws):
    """Each row with its draw; rows that are the same cannot be told apart, so they are a bag."""
    zero = [(a, b, None if c is None else c + 0.0) for a, b, c in rows]
    return Counter((row, draws[number]) for number, row in enumerate(zero, 1))


@given(ROWS, some.randoms(use_true_random=False))
@hypothesis_settings(max_examples=60)
def test_reordering_rows_and_columns_changes_no_draw(rows, chance):
    engine = DuckDB()
    shuffled, order = list(rows), list("abc")
    chance.shuffle(shuffled)
    chance.shuffle(order)
    before = by_content(rows, drawn(drafted(engine, table(rows))))
    assert by_content(shuffled, drawn(drafted(engine, table(shuffled, order)))) == before


@given(ROWS, some.data())
@hypothesis_settings(max_examples=60)
def test_deleting_rows_changes_no_draw_of_any_other(rows, data):
    engine = DuckDB()
    kept = [row for row in rows if data.draw(some.booleans())]
    if not kept:
        return
    before = by_content(rows, drawn(drafted(engine, table(rows))))
    assert not by_content(kept, drawn(drafted(engine, table(kept)))) - before


@given(ROWS)
@hypothesis_settings(max_examples=60)
def test_no_two_records_have_one_unit(rows):
    drawing, unit = with_units(made_up(table(rows)))
    units = [text for (text,) in drawing.engine.fetch(f"SELECT {unit} FROM {drawing.table} AS record")]
    assert len(set(units)) == len(rows)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("", 1, None), (None, 1, None)),
        (("1", None, None), (None, 1, None)),
        (("a1:b", None, None), ("a", None, None)),
        (("-", None, None), (None, None, None)),
    ],
)
def test_missing_is_not_empty_and_no_value_can_pass_for_two(one, other):
    assert drawn(made_up(table([one]))) != drawn(made_up(table([other])))


def test_the_same_cells_under_other_names_are_another_record():
    first = drawn(made_up({"a": ["x"], "b": ["y"]}))
    assert first == drawn(made_up({"b": ["y"], "a": ["x"]}))
    assert first != drawn(made_up({"a": ["y"], "b": ["x"]}))
    assert first != drawn(made_up({"ab": ["x"], "b": ["y"]}))


def test_records_left_out_and_values_changed_by_earlier_steps_change_no_draw():
    draft = made_up({"id": [f"P{i % 7}" for i in range(50)], "v": list(range(50))}, subject="id")
    before = drawn(draft)
    fewer = draft.where("record.v % 3 = 0").changed({"v": "record.v + 100"})
    assert drawn(fewer) == {number: before[number] for number in drawn(fewer)}
    assert len(drawn(fewer)) == 17


def test_a_person_draws_once_by_the_identifier_of_the_source_whatever_pseudonym_was_given():
    ids = [f"P{i % 7}" for i in range(49)] + [None]
    draft = made_up({"id": pa.array(ids), "v": list(range(50))}, subject="id")
    before = drawn(draft, people=True)
    assert [len({before[n] for n in range(1, 50) if ids[n - 1] == f"P{i}"}) for i in range(7)] == [1] * 7
    assert len(set(before.values())) == 8
    assert drawn(Pseudonymise("id").apply(draft, resources()), people=True) == before
    assert drawn(draft.without("id"), people=True) == before
    numbers = made_up({"id": pa.array([1.0, 2.0]), "w": ["x", "y"]}, subject="id")
    texts = made_up({"id": ["2", "1"]}, subject="id")
    one, other = drawn(numbers, people=True), drawn(texts, people=True)
    assert (one[1], one[2]) == (other[2], other[1])


def test_units_and_draws_are_the_same_on_every_engine(engine):
    chance = random.Random(1)
    rows = [
        (
            chance.choice(["", None, "it's", "환자", "a:b"]),
            chance.choice([None, 1, -1]),
            chance.choice([None, 0.5, 1e300]),
        )
        for _ in range(60)
    ]
    for people in (False, True):
        here, there = (drafted(e, table(rows), subject="a") for e in (engine, DuckDB()))
        assert drawn(here, people=people) == drawn(there, people=people)
