"""Whether a column is a key: every record has a value of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, prod

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.key_names import Whose
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.table_keys import LONGEST, key_of, shape_of
from sfumato.schema import Role
from sfumato.tables.engine import Kind

CODE = re.compile(rf"[^\s,;]{{3,{LONGEST}}}")
LONG_CODE = re.compile(rf"[\w./-]{{5,{LONGEST}}}")


@dataclass(frozen=True)
class Keys(Evidence):
    r"""Every present value is different, and not because it was measured finely.

    A measurement may be unique by accident. Of n whole numbers drawn from a range of R, no two are the same with

    .. math:: P = \prod_{i < n} (1 - i / R)

    Below `accident` this was arranged: somebody handed out the numbers. That holds for 1, 2, ..., n as well, which
    is a record number: it names a person to whoever keeps the list, so it is direct, unless the name of the column
    says that it counts rows or orders. Long numbers of equal length, and texts with digits, are codes; long codes
    that a few records share are those of people with several records. Decimals, dates and sentences are no keys.
    """

    # The bounds and the weights below were set by hand on the development columns of docs/detection-quality.md. A key
    # weighs 0.5 or less, so that any plain name (0.6 and more) decides against it.
    method = "keys"
    fewest: int = 8  # records below which being unique says nothing
    fewest_words: int = 25  # the same, for plain words: towns and drugs are different in a short table
    accident: float = 0.01
    shared: float = 0.3  # codes per record, from which on a code is not of a thing that many people have

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if beside.of_a_list or _named(column, beside):
            return None
        if column.present < self.fewest or column.kind not in (Kind.TEXT, Kind.INTEGER, Kind.REAL):
            return None
        values = [value.strip()[: LONGEST + 1] for value in column.sample]
        unique = column.known == column.present
        weight, what = self._unique(column, values) if unique else self._shared(column, values)
        if not weight:
            return None
        whose = "Every record that has a value has one of its own" if unique else "Few records share a value"
        share = column.known / column.present
        return Finding(self.method, Role.DIRECT, share, f"{whose}: {what}.", weight, Hipaa.OTHER)

    def _unique(self, column: ColumnProfile, values: Sequence[str]) -> tuple[float, str]:
        """How much it weighs that the values are unique, and what they are."""
        if all(value.removeprefix("-").isdecimal() for value in values):
            return self._number(values, column.present)
        if column.kind is not Kind.TEXT or any(map(_measured, values)):
            return 0.0, "measurements"
        if _mostly(_code, values):
            return 0.5, "codes"
        words = sum(len(value.split()) for value in values) / len(values)
        return (0.4, "texts") if words <= 3 and column.present >= self.fewest_words else (0.0, "sentences")

    def _number(self, values: Sequence[str], present: int) -> tuple[float, str]:
        """Whole numbers: handed out, or so long and alike that they count nothing; not rounded amounts."""
        numbers = [int(value) for value in values]
        span = max(max(numbers) - min(numbers) + 1, present)
        if _unique_by_accident(present, span) < self.accident:
            return 0.5, "numbers that were handed out"
        alike = len({len(value) for value in values}) == 1 and len(values[0]) >= 6
        rounded = sum(value.endswith("0") for value in values) > 0.3 * len(values)
        return (0.5, "long numbers") if alike and not rounded else (0.0, "measurements")

    def _shared(self, column: ColumnProfile, values: Sequence[str]) -> tuple[float, str]:
        """Values that recur, but seldom: the codes of people with several records."""
        enough = column.known >= max(20, self.shared * column.present)
        decimal = column.kind is Kind.REAL or any(map(_measured, values))
        return (0.4, "long codes") if enough and not decimal and _mostly(_long_code, values) else (0.0, "")


def _named(column: ColumnProfile, beside: Surroundings) -> bool:
    """Whether the name says whose key it is, so that the evidence of named keys says all there is to say."""
    said = key_of(column, beside.table)
    if said is None:
        return False
    of_care = said.whose in (Whose.STAFF, Whose.ORGANISATION)
    return of_care or (said.key and said.whose in (Whose.PERSON, Whose.RECORD) and shape_of(column) is not None)


def _unique_by_accident(n: int, span: int) -> float:
    """The chance that n numbers out of a range all differ; for many numbers a bound, since 1 - x <= e^-x."""
    return prod(1 - i / span for i in range(n)) if n <= 1000 else exp(-n * (n - 1) / (2 * span))


def _mostly(shape: Callable[[str], bool], values: Sequence[str]) -> bool:
    return sum(map(shape, values)) >= 0.9 * len(values)


def _code(value: str) -> bool:
    return CODE.fullmatch(value) is not None and any(c.isdigit() for c in value)


def _long_code(value: str) -> bool:
    """Seven digits, or four of them with a letter."""
    digits, lettered = sum(c.isdigit() for c in value), any(c.isalpha() for c in value)
    return LONG_CODE.fullmatch(value) is not None and digits >= (4 if lettered else 7)


def _measured(value: str) -> bool:
    return re.fullmatch(r"[<>~]?\s*-?\d*[.,]\d+", value) is not None
