"""Which columns are keys, and what a data dictionary adds."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.columns.evidence.dictionary import Dictionary
from sfumato.columns.evidence.keys import Keys
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.meaning import ADMINISTERED, WHOLE
from sfumato.columns.profile import ColumnProfile
from sfumato.schema import Role
from sfumato.tables.engine import Kind

DRAW = random.Random(3)


def column(values, kind=Kind.TEXT, identifier=None, missing=0):
    values = [str(value) for value in values]
    distinct = len(set(values)) + (1 if missing else 0)
    sample = tuple(dict.fromkeys(values))
    return ColumnProfile("v1", kind, len(values) + missing, missing, distinct, 0, 0.0, 0, sample, identifier=identifier)


@pytest.mark.parametrize(
    "profile",
    [
        column(range(1, 101), Kind.INTEGER),
        column(range(1, 101), Kind.INTEGER, missing=7),
        column(DRAW.sample(range(1000, 1300), 100), Kind.INTEGER),
        column(DRAW.sample(range(1_000_000, 9_999_999), 100), Kind.INTEGER),
        column([f"S-{i:03d}" for i in range(20)]),
        column([f"{'abcdefgh'[i % 8]}word{'xyz'[i % 3]}{'qrstu'[i % 5]}" for i in range(40)]),
        column([f"P{i % 60:06d}" for i in range(120)]),
    ],
    ids=["1..n", "with missing", "handed out", "long numbers", "codes", "words", "several records each"],
)
def test_a_key_is_a_direct_identifier(profile):
    finding = Keys().of(profile)
    assert (finding.role, finding.hipaa) == (Role.DIRECT, Hipaa.OTHER)
    assert finding.weight > 0


@pytest.mark.parametrize(
    "profile",
    [
        column([f"{i}.{i % 7}3" for i in range(100)], Kind.REAL),
        column([f"{i},{i % 7}3" for i in range(100)]),
        column(DRAW.sample(range(500, 90_000), 100), Kind.INTEGER),
        column([i * 1000 for i in range(101, 201)], Kind.INTEGER),
        column([f"2020-01-{i:02d}" for i in range(1, 29)], Kind.DATE),
        column([f"the patient said the word number {i} again" for i in range(50)]),
        column(["Porto", "Athens", "Berlin", "Utrecht", "Seoul", "Madrid", "Lyon", "Gent", "Bonn"]),
        column([1, 2, 3], Kind.INTEGER),
        column(["A", "B"] * 30),
        column([]),
    ],
    ids=["reals", "decimal commas", "measured", "rounded", "dates", "sentences", "few words", "few", "groups", "empty"],
)
def test_what_is_only_different_is_no_key(profile):
    finding = Keys().of(profile)
    assert finding is None or finding.weight == 0


@pytest.mark.parametrize("end", ["", "9", "abcd", "12ab"])
def test_long_values_are_read_as_far_as_a_code_may_be_long(end):
    values = [f"{i}{'a' * 5000}{end}" for i in range(50)] + [f"{i}{'7' * 5000}{end}" for i in range(50, 100)]
    assert Keys().of(column(values)).sentence.endswith(": texts.")
    assert Keys().of(column(values[50:])).sentence.endswith(": long numbers.")
    assert Keys().of(column([*values, *values])) is None


def test_amounts_far_apart_but_rounded_are_no_key():
    assert Keys().of(column(DRAW.sample(range(100_000, 900_000, 50), 40), Kind.INTEGER)) is None


@given(st.lists(st.floats(0.001, 999, allow_nan=False), min_size=8, unique=True))
def test_a_real_valued_column_is_never_a_key(numbers):
    assert Keys().of(column([f"{number:.3f}1" for number in numbers], Kind.REAL)) is None


@pytest.mark.parametrize(("marked", "role", "decides"), [(True, Role.DIRECT, True), (False, None, False)])
def test_a_mark_decides_and_no_mark_is_only_shown(marked, role, decides):
    finding = Dictionary().of(column(["a"], identifier=marked))
    assert (finding.role, finding.weight > 0) == (role, decides)


def test_a_mark_weighs_more_than_a_name_that_says_not_personal_and_less_than_a_plain_name():
    assert ADMINISTERED < Dictionary().of(column(["a"], identifier=True)).weight < WHOLE


def test_a_dictionary_that_says_nothing_finds_nothing():
    assert Dictionary().of(column(["a"])) is None
