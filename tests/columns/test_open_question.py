"""What would decide a column that is undecided, and which columns a reader can take as one."""

from __future__ import annotations

from sfumato.columns.evidence_interface import Finding
from sfumato.columns.open_question import would_decide
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.role_families import role_families
from sfumato.schema import Role
from sfumato.tables.engine import Kind


def profile(name, label=None, missing=0):
    return ColumnProfile(name, Kind.TEXT, 10, missing, 2, 0, 0.0, 0, ("a", "b"), label=label)


def test_a_column_of_which_nothing_is_known_needs_a_label_a_name_or_a_person():
    assert would_decide(profile("x1"), []) == "a label or data dictionary (--dictionary), a name in words, or you"


def test_a_label_that_is_there_is_not_asked_for_again():
    assert would_decide(profile("x1", label="Xyz"), []) == "a name in words, or you"


def test_where_the_evidence_contradicts_itself_only_a_person_helps():
    weak = [Finding("names", role, None, "It says so.", 0.3) for role in (Role.QUASI, Role.SENSITIVE)]
    assert would_decide(profile("x1"), weak) == "you, since the evidence contradicts itself"


def test_an_empty_column_lacks_values():
    assert "values" in would_decide(profile("x1", missing=10), [])


def test_siblings_of_different_roles_are_different_families():
    columns = [profile(f"visit{i}_{what}") for i in range(1, 4) for what in ("date", "score")]
    roles = {c.name: Role.QUASI if "date" in c.name else None for c in columns}
    families = role_families(columns, roles)
    assert sorted(map(sorted, families)) == [
        [f"visit{i}_date" for i in (1, 2, 3)],
        [f"visit{i}_score" for i in (1, 2, 3)],
    ]
    roles["visit1_date"] = Role.DIRECT
    assert sorted(map(sorted, role_families(columns, roles))) == [[f"visit{i}_score" for i in (1, 2, 3)]]
