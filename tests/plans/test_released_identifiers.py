"""The 18 identifiers of Safe Harbor in a release that was made by other means: it fails closed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sfumato.columns.gather_evidence import Inquiry, identify_extract
from sfumato.plans.safe_harbor.released_identifiers import IdentifierState, LookedAt, released_identifiers
from sfumato.tables.load import load

PEOPLE = 40
ORIGINAL = pa.table({
    "name": [f"Ann Baker{i}" for i in range(PEOPLE)],
    "phone": [f"+31 6 1234{i:04}" for i in range(PEOPLE)],
    "admission_date": [f"2024-0{1 + i % 9}-11" for i in range(PEOPLE)],
    "age": [20 + i % 60 for i in range(PEOPLE)],
    "sex": ["f", "m"] * (PEOPLE // 2),
})  # fmt: skip


def states(release: pa.Table, *, changed=(), decided=ORIGINAL.column_names, original=ORIGINAL):
    extract = load(original)
    released = load(release, engine=extract.table.engine)
    looked = LookedAt(released.table, tuple(release.column_names), frozenset(changed))
    found = released_identifiers(extract, identify_extract(extract, Inquiry(largest=0)), looked, decided)
    assert [item.letter for item in found] == list("ABCDEFGHIJKLMNOPQR")
    return {item.letter: item.state for item in found}


def test_what_is_released_as_it_was_is_present():
    found = states(ORIGINAL)
    assert found["A"] is found["D"] is found["C"] is IdentifierState.PRESENT
    assert found["E"] is IdentifierState.ABSENT


def test_what_does_not_leave_is_removed_and_a_year_is_allowed():
    years = pa.array([2024] * PEOPLE)
    release = pa.table({"admission_date": years, "age": ORIGINAL["age"], "sex": ORIGINAL["sex"]})
    found = states(release, changed=["admission_date"])
    assert found["A"] is found["D"] is IdentifierState.REMOVED
    assert found["C"] is IdentifierState.ALLOWED


@pytest.mark.parametrize("label", ["2024-03", "[2024, 2025)", "1930"])
def test_dates_that_were_changed_to_anything_else_than_a_harmless_year_are_not_judged(label):
    release = pa.table({"admission_date": [label] * PEOPLE, "sex": ORIGINAL["sex"]})
    assert states(release, changed=["admission_date"])["C"] is IdentifierState.CHANGED
    assert states(release)["C"] is IdentifierState.PRESENT  # nobody says that it was changed


def test_while_a_column_leaves_that_nobody_knows_no_identifier_is_absent():
    codes = pa.array([f"zq{i * 7919:07}x{i}" for i in range(PEOPLE)])
    original = ORIGINAL.append_column("xyzzy", codes)
    release = pa.table({"sex": ORIGINAL["sex"], "xyzzy": codes})
    found = states(release, original=original)
    assert set(found.values()) == {IdentifierState.UNKNOWN} or found["R"] is IdentifierState.PRESENT
    accounted = states(release, original=original, decided=[*ORIGINAL.column_names, "xyzzy"])
    assert accounted["E"] is IdentifierState.ABSENT


def test_an_identifier_in_a_column_that_a_step_made_is_present():
    release = pa.table({"sex": ORIGINAL["sex"], "contact_email": [f"ann{i}@example.org" for i in range(PEOPLE)]})
    assert states(release)["F"] is IdentifierState.PRESENT
