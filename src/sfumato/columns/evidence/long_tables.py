"""Long tables: a row for each thing that was measured, which one column names and another gives the value of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import meaning
from sfumato.columns.lexicon.key_names import key_name
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role

LOOKED_AT = 50  # names of what was measured that say what the values are about
MOSTLY = 0.6  # of the names that are understood: what a value is about


@dataclass(frozen=True)
class LongTables(Evidence):
    """A value beside a column that names what was measured is a result, with its unit and its flag.

    Where most of the things that are named are who somebody is (sex, age, origin), so are the values. A list of
    codes, in which every row names another, has no results.
    """

    method: ClassVar[str] = "long tables"
    result: float = 0.85
    characteristic: float = 0.75
    flag: float = 0.83  # a name that plainly says flag, and nothing of whom, weighs 0.8
    unit: float = 0.88
    what: float = 0.5  # which test somebody had says a little of them; the same tests for all say nothing

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if beside.long_table is None:
            return None
        named, parts = beside.long_table
        part = parts.get(column.name)
        said = key_name(column.name)
        if part is None or (part == "value" and said is not None and said.key):  # `result_id` numbers the results
            return None
        results = Role.QUASI if _about(named) is Role.QUASI else Role.SENSITIVE
        role, weight, what = {
            "value": (results, self.characteristic if results is Role.QUASI else self.result, "gives its result"),
            "unusual": (results, self.flag, "says whether the result is unusual"),
            "unit": (Role.NON_SENSITIVE, self.unit, "gives its unit"),
            "measured": (
                Role.NON_SENSITIVE if results is Role.QUASI else Role.SENSITIVE, self.what, "names what was measured",
            ),
        }[part]  # fmt: skip
        sentence = f"A row for each thing that was measured: this column {what}."
        return Finding(self.method, role, None, sentence, weight)


def _about(named: ColumnProfile) -> Role | None:
    """What the things that are named are, where most of those that are understood are the same."""
    read = [said.concept.role for value in named.sample[:LOOKED_AT] if (said := meaning(value))]
    if len(read) < max(2, 0.3 * len(named.sample[:LOOKED_AT])):
        return None
    role, times = Counter(read).most_common(1)[0]
    return role if times >= MOSTLY * len(read) else None
