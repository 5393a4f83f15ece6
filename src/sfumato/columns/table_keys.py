"""Keys: what the values of one look like, which columns of a table are keys, and whether other values lie in one."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from statistics import median

from sfumato.columns.lexicon.key_names import KeyName, Whose, key_name, whose_rows
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.calendar import finer_than_a_year
from sfumato.columns.recognisers.unique_identifier import made_up
from sfumato.schema import Role
from sfumato.tables.engine import Kind

LONGEST = 64  # letters of a code
LONGEST_NUMBER = 18  # digits of a number that fits into eight bytes
LOOKED_AT = 100  # values that say which shape a column has: of them nine in ten is known to within 0.06
MOSTLY = 0.9
LENGTH = 5  # letters of a code of one form that is more than a handful of categories
COMPACT_DATE = 8  # digits of a date without signs
LONG = 8  # the same, where digits and letters stand anywhere
FEWEST = 8  # records below which being different says nothing
# Values of a key that are remembered for other tables, those with the smallest hash. A column's sample are the values
# with the smallest hash as well, so that the two overlap also where the key has more than this.
REMEMBERED = 200_000
CONTAINED = 0.95  # of a column's values that must be in the key; the others are mistakes and people who were left out
LUCK = 1e-6  # the chance that values lie in a key by accident, below which they do not: a database has 10^4 columns
FEWEST_OF_SHARE = 10  # the same, where only a share of the key is remembered
MOST_KEYS = 5  # of one table that are remembered; more than a few are copies of one another
NOBODY = frozenset({"", "0", "-1", "-9", "NA", "NULL", "None"})  # what stands for no person, no visit
FEWEST_CONTAINED = 5  # values that must lie in a key whose name the column does not have


# Whose keys a column may name in the singular: `PATIENT` is the `Id` of `patients`.
OF_ROWS = (Whose.PERSON, Whose.RECORD, Whose.STAFF, Whose.ORGANISATION)


class Shape(StrEnum):
    """What the values of a key look like."""

    MADE_UP = "codes that a computer made up"
    ALIKE = "codes of one form"
    NUMBERS = "whole numbers"
    CODES = "codes"


@lru_cache(maxsize=64)  # several kinds of evidence ask of one column, one after the other
def shape_of(column: ColumnProfile) -> Shape | None:
    """What the values look like when they are read as a key; None for measurements, dates, sentences and words."""
    values = [value.strip()[: LONGEST + 1] for value in column.sample[:LOOKED_AT]]
    if not values or column.kind not in (Kind.TEXT, Kind.INTEGER, Kind.REAL):
        return None
    values = whole(values)
    if _mostly(map(made_up, values)):
        return Shape.MADE_UP
    if _mostly(value.isascii() and value.isdecimal() for value in values):
        lengths = {len(value) for value in values}
        if lengths == {COMPACT_DATE} and finer_than_a_year(values) >= 0.5:
            return None
        return Shape.ALIKE if len(lengths) == 1 and len(values[0]) >= LENGTH else Shape.NUMBERS
    if column.kind is not Kind.TEXT or not _mostly(map(_code, values)) or _mostly(map(_measured, values)):
        return None
    return _coded(values) if finer_than_a_year(values) < 0.5 else None


def _coded(values: Sequence[str]) -> Shape:
    """Codes of one form, where nine in ten are and they are long enough."""
    for form, length in ((_form, LENGTH), (_outline, LONG)):
        forms = [form(value) for value in values]
        alike = max(map(forms.count, set(forms))) >= MOSTLY * len(forms)
        if alike and median(map(len, values)) >= length:
            return Shape.ALIKE
    return Shape.CODES


def whole(values: Sequence[str]) -> list[str]:
    """Whole numbers that were read as decimals, because some are missing, without the decimals: 12.0 is 12."""
    decimals = all(value.endswith(".0") for value in values)
    return [value.removesuffix(".0") for value in values] if decimals else list(values)


def _mostly(said: Iterable[bool]) -> bool:
    every = list(said)
    return sum(every) >= MOSTLY * len(every)


def _code(value: str) -> bool:
    """One word of letters, digits and signs, a digit among them."""
    return re.fullmatch(rf"[^\s,;<>%]{{3,{LONGEST}}}", value) is not None and any(c.isdigit() for c in value)


def _measured(value: str) -> bool:
    return re.fullmatch(r"[<>~]?-?\d*[.,]\d+", value) is not None


def _form(value: str) -> str:
    """The signs of a value, every digit alike and every letter of one case alike: `01-701-1015`, `P000123`."""
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", value)))


def _outline(value: str) -> str:
    """The signs of a value, digits and letters alike: `00013D2EFD8E45D1`."""
    return re.sub(r"[^\W_]", "x", value)


@dataclass(frozen=True)
class TableKey:
    """A column of a table that tells its people, their records or its hospitals apart, and the values that it has.

    The values are remembered as sorted hashes: eight bytes each, and nobody can read them.
    """

    table: str
    column: str
    role: Role = Role.DIRECT
    kind: Kind = Kind.TEXT
    share: float = 1.0  # of its values that are remembered: those with the smallest hash
    digests: array[int] = field(default_factory=lambda: array("q"), repr=False, compare=False)
    numbers: array[int] | None = field(default=None, repr=False, compare=False)  # sorted, where all values are numbers

    @classmethod
    def of(cls, column: ColumnProfile, table: str, role: Role, values: Sequence[str] | None = None) -> TableKey:
        """The key with all of the values that were fetched, or with those of the sample."""
        kept = whole([value.strip() for value in (column.sample if values is None else values)])
        numbered = all(value.isascii() and value.isdecimal() and len(value) <= LONGEST_NUMBER for value in kept)
        return cls(
            table=table, column=column.name, role=role, kind=column.kind,
            share=min(1.0, len(kept) / max(column.known, 1)), digests=array("q", sorted(map(hash, kept))),
            numbers=array("q", sorted(map(int, kept))) if numbered else None,
        )  # fmt: skip

    def holds(self, column: ColumnProfile) -> bool:
        """Whether the values of a column lie in this key, and not by accident.

        Of a key that has more values than are remembered, those with the smallest hash are; a column's sample is sorted
        by the same hash. So what stands in the sample before the last value that was found must be found as well.
        """
        values = [value for value in whole([value.strip() for value in column.sample]) if not self._nobody(value)]
        named = akin(column.name, self)
        if not values or not any(map(self._has, values[:20])) or (len(values) < FEWEST_CONTAINED and not named):
            return False
        places = [place for place, value in enumerate(values) if self._has(value)]
        if self.share == 1.0:
            contained = len(places) >= CONTAINED * len(values)
        elif self.kind is column.kind:
            contained = len(places) >= FEWEST_OF_SHARE and len(places) >= CONTAINED * (places[-1] + 1)
        else:
            contained = len(places) >= max(FEWEST_OF_SHARE, 0.8 * self.share * len(values))
        return contained and (named or self._by_accident(values, len(places)) < LUCK)

    def _nobody(self, value: str) -> bool:
        """Whether a value is what points to nothing: a number that the key does not have, where no key would be."""
        return value in NOBODY and not self._has(value)

    def _has(self, value: str) -> bool:
        digest = hash(value)
        place = bisect_left(self.digests, digest)
        return place < len(self.digests) and self.digests[place] == digest

    def _by_accident(self, values: Sequence[str], matches: int) -> float:
        r"""The chance that n numbers of a range are in the key, of which a share d is: :math:`d^n`.

        Counts of 1 to 5 are in every row number, d = 1. Texts are in a key by accident only where they are short.
        """
        if self.numbers is None:
            return 0.0 if median(map(len, values)) >= LENGTH and _mostly(map(_code, values)) else 1.0
        read = [int(value) for value in values if self._has(value)]
        least, most = min(read), max(read)
        inside = bisect_right(self.numbers, most) - bisect_left(self.numbers, least)
        return float(min(1.0, inside / self.share / (most - least + 1)) ** matches)


def akin(name: str, key: TableKey) -> bool:
    """Whether a column is named as the key is, or as the rows of its table: `PATIENT` and the `Id` of `patients`."""
    said, of = key_name(name), key_name(key.column)
    if said is None or said.bare or said.whose is Whose.LIST:
        return False
    if of is None or of.bare:
        return said.whose in OF_ROWS and said.whose is whose_rows(key.table)
    return _bare(key.column) in _bare(name)


def _bare(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def key_of(column: ColumnProfile, table: str) -> KeyName | None:
    """Whose key the column is by its name, or by its label; a bare `id` is of what the rows of the table are."""
    said = key_name(column.name)
    if said is None and column.label:
        labelled = key_name(column.label)
        said = labelled if labelled and labelled.numbered else None
    if said is not None and said.bare and (rows := whose_rows(table)):
        return replace(said, whose=rows)
    return said


def person_keys(columns: Sequence[ColumnProfile]) -> tuple[str, ...]:
    """The columns that are keys of people by their name, and by what their values look like where there are any."""
    named = ((column, key_name(column.name)) for column in columns)
    of_people = ((column, said) for column, said in named if said and said.whose is Whose.PERSON and not said.bare)
    return tuple(column.name for column, said in of_people if _may_be(column, said))


def _may_be(column: ColumnProfile, said: KeyName) -> bool:
    return shape_of(column) is not None and column.known > 1 if column.sample else said.numbered


def keys_within(columns: Sequence[ColumnProfile], table: str) -> tuple[TableKey, ...]:
    """The keys of a table that its other columns may repeat: `infector` is a `case_id`."""
    named = [(column, key_of(column, table)) for column in columns if tells_apart(column)]
    keys = [column for column, said in named if said and said.numbered and said.whose is not Whose.LIST]
    return tuple(TableKey.of(column, table, Role.DIRECT) for column in keys[:MOST_KEYS] if shape_of(column))


def tells_apart(column: ColumnProfile) -> bool:
    """Whether every record that has a value has one of its own, and enough have."""
    return column.known == column.present >= FEWEST and column.present >= 0.5 * column.records
