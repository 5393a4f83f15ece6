"""What the name of the table says of columns whose own name says too little: `CODE` in a table of allergies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.bare_names import Subject, bare
from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.calendar import finer_than_a_year
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role
from sfumato.tables.engine import Kind

FEW_ROWS = 20  # of so few, all may be different by chance
ROWS = (Subject.HEALTH, Subject.CARE)


@dataclass(frozen=True)
class TableNames(Evidence):
    """The subject of the table, for names that only say code, description, value, reason, name or start.

    In a table of what people have or get, these are that; in one of people or of who gives care, a name is a
    person's; in one of organisations it is where somebody was.
    """

    method: ClassVar[str] = "table names"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if beside.subject is None or column.known == 1 < column.present:
            return None  # a constant sorts nothing and tells nothing
        for subjects, sorts, said, fits in RULES:
            if beside.subject in subjects and bare(column.name, *sorts) and fits(column):
                sentence = f"The table's name says {beside.subject}, and the column's says {said.what}."
                return Finding(
                    self.method, said.role, None, sentence, said.weight, said.hipaa if column.sample else None
                )
        return None


@dataclass(frozen=True)
class Said:
    """What a bare name is in a table of some subject."""

    role: Role
    what: str
    weight: float
    hipaa: Hipaa | None = None


def _dated(column: ColumnProfile) -> bool:
    """Whether the values can be dates or times."""
    if not column.sample:
        return True
    return column.kind in (Kind.DATE, Kind.TIMESTAMP) or finer_than_a_year(column.sample) >= 0.5


def _worded(column: ColumnProfile) -> bool:
    return sum(any(c.isalpha() for c in value) for value in column.sample) >= 0.5 * len(column.sample)


def _recurring(column: ColumnProfile) -> bool:
    """Whether several rows have the same: a name or a code of its own in every row names the row, or a person."""
    return column.kind.numeric or column.present < FEW_ROWS or column.known <= 0.9 * column.present


def _any(column: ColumnProfile) -> bool:
    return True


# The first that fits is said: the code of a visit may be its kind (0.7), and a type may sort rows for a program (0.5).
RULES: tuple[tuple[tuple[Subject, ...], tuple[str, ...], Said, Callable[[ColumnProfile], bool]], ...] = (
    (ROWS, ("moment",), Said(Role.QUASI, "when that was", 0.65, Hipaa.DATES), _dated),
    ((Subject.HEALTH,), ("content",), Said(Role.SENSITIVE, "which", 0.82), _recurring),
    ((Subject.CARE,), ("content",), Said(Role.SENSITIVE, "what for", 0.7), _recurring),
    (ROWS, ("content", "sorting"), Said(Role.SENSITIVE, "of which sort", 0.5), _recurring),
    (
        (Subject.PEOPLE, Subject.STAFF),
        ("called",),
        Said(Role.DIRECT, "what somebody is called", 0.75, Hipaa.NAMES),
        _worded,
    ),
    ((Subject.ORGANISATIONS,), ("called", "sorting"), Said(Role.QUASI, "where somebody was", 0.75), _any),
)
