"""Whether a column is a key: of a person, of a record of one, or of a place, by its name and by its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, prod

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.key_names import KeyName, Whose
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.table_keys import LONGEST, Shape, key_of, shape_of
from sfumato.schema import Role
from sfumato.tables.engine import Kind

CODE = re.compile(rf"[^\s,;]{{3,{LONGEST}}}")
LONG_CODE = re.compile(rf"[\w./-]{{5,{LONGEST}}}")

# How much a key weighs. Where a name plainly says another thing ("the running of the study": 0.85; a diagnosis: 0.8)
# values that nothing else looks like weigh more, and values that many things look like less.
MADE_UP = 0.95  # UUIDs of a person or a record
UNIQUE = 0.92  # the name says key, and every record has its own
RECURRING = 0.85  # the name says key of a person or of a record, and the values have the form of one
PLAIN = 0.8  # the same, and the values are numbers that may be anything
GUESSED = 0.6  # the name says key of nobody knows what, and it recurs
DIFFERENT, FEW_SHARE = 0.5, 0.4  # nothing but the values says so: any plain name decides against them

Verdict = tuple[Role, float, str]


@dataclass(frozen=True)
class Keys(Evidence):
    r"""A key by its name and the form of its values, or because every present value is different, not by accident.

    A key of a person that recurs in a long table is still one: the name, and the form (UUIDs, digits of one length, a
    prefix and digits) count, not that it is unique. A name that says key of whatever clinical thing is one of records
    where every record has its own. Lists of codes have names of keys as well (`admission_type_id`); they are none.

    Without such a name only values count that are different though nothing made them so. A measurement may be unique by
    accident: of n whole numbers drawn from a range of R, no two are the same with

    .. math:: P = \prod_{i < n} (1 - i / R)

    Below `accident` this was arranged: somebody handed out the numbers. That holds for 1, 2, ..., n as well, which
    is a record number: it names a person to whoever keeps the list, so it is direct, unless the name of the column
    says that it counts rows or orders. Long numbers of equal length, and texts with digits, are codes; long codes
    that a few records share are those of people with several records. Decimals, dates and sentences are no keys.
    """

    method = "keys"
    fewest: int = 8  # records below which being unique says nothing
    fewest_words: int = 25  # the same, for plain words: towns and drugs are different in a short table
    accident: float = 0.01
    shared: float = 0.3  # codes per record, from which on a code is not of a thing that many people have
    several: int = 20  # different values, below which a number may be that of a visit and not of a person

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        said = key_of(column, beside.table)
        verdict = self._named(column, said, beside) or self._different(column, said)
        if verdict is None:
            return None
        role, weight, sentence = verdict
        share = column.known / column.present if column.present else None
        return Finding(self.method, role, share, sentence, weight, Hipaa.OTHER if role is Role.DIRECT else None)

    def _named(self, column: ColumnProfile, said: KeyName | None, beside: Surroundings) -> Verdict | None:
        """What the name and the values say together."""
        if not column.sample:
            return _by_name_only(said)
        shape = shape_of(column)
        if shape is None or column.known < 2 and column.present > 1:
            return None
        if shape is Shape.MADE_UP:
            return _made_up(said)
        if said is None or said.whose is Whose.LIST:
            return None
        if said.whose in (Whose.STAFF, Whose.ORGANISATION):
            return _of_care(said, shape)
        unique = column.known == column.present
        handed_out = unique and column.present >= self.fewest and (said.key or not self._by_accident(column))
        if said.numbered and handed_out:
            return self._unique(said, beside)
        return self._recurring(column, said, shape, beside)

    def _unique(self, said: KeyName, beside: Surroundings) -> Verdict | None:
        """Every record has its own. What may be an entry of a list, or a number of a thing, needs people beside it."""
        uncertain = said.whose is Whose.OCCURRENCE or (said.whose is Whose.UNKNOWN and not said.key)
        if uncertain and not beside.of_people:
            return (Role.DIRECT, PLAIN - 0.05, f"{EACH}: a key of {said.whose}.") if said.key else None
        return Role.DIRECT, UNIQUE, f"{EACH}, and the name says key of {said.whose}."

    def _recurring(self, column: ColumnProfile, said: KeyName, shape: Shape, beside: Surroundings) -> Verdict | None:
        """Values that recur: those of people and of what happened to them. A few small numbers count visits."""
        several = column.known >= self.several or column.known == column.present
        sentence = f"The name says key of {said.whose}, and the values are {shape}."
        if said.whose is Whose.PERSON:
            if said.key or (said.number and several):
                return Role.DIRECT, RECURRING if shape is Shape.ALIKE else PLAIN, sentence
            return (Role.DIRECT, PLAIN, sentence) if shape is Shape.ALIKE and several else None
        if said.whose is Whose.RECORD and several:
            if shape is Shape.ALIKE:
                return Role.DIRECT, RECURRING if said.numbered else PLAIN, sentence
            return (Role.DIRECT, PLAIN, sentence) if said.key else None
        varied = several and column.known >= 0.1 * column.present
        if said.whose is Whose.OCCURRENCE and said.key and varied and beside.of_people and shape is not Shape.CODES:
            return Role.DIRECT, GUESSED, sentence
        if said.whose is Whose.UNKNOWN and said.key and varied and shape is Shape.ALIKE:
            return Role.DIRECT, GUESSED, sentence
        return None

    def _different(self, column: ColumnProfile, said: KeyName | None) -> Verdict | None:
        """What the values say alone, because they are different."""
        if column.present < self.fewest or column.kind not in (Kind.TEXT, Kind.INTEGER, Kind.REAL):
            return None
        values = [value.strip()[: LONGEST + 1] for value in column.sample]
        unique = column.known == column.present
        weight, what = self._all_different(column, values) if unique else self._shared(column, values)
        return (Role.DIRECT, weight, f"{EACH if unique else 'Few records share a value'}: {what}.") if weight else None

    def _all_different(self, column: ColumnProfile, values: Sequence[str]) -> tuple[float, str]:
        """How much it weighs that the values are unique, and what they are."""
        if all(value.removeprefix("-").isdecimal() for value in values):
            return self._number(values, column.present)
        if column.kind is not Kind.TEXT or any(map(_measured, values)):
            return 0.0, "measurements"
        if _mostly(_code, values):
            return DIFFERENT, "codes"
        words = sum(len(value.split()) for value in values) / len(values)
        few = words <= 3 and column.present >= self.fewest_words
        return (FEW_SHARE, "texts") if few else (0.0, "sentences")

    def _number(self, values: Sequence[str], present: int) -> tuple[float, str]:
        """Whole numbers: handed out, or so long and alike that they count nothing; not rounded amounts."""
        numbers = [int(value) for value in values]
        span = max(max(numbers) - min(numbers) + 1, present)
        if _unique_by_accident(present, span) < self.accident:
            return DIFFERENT, "numbers that were handed out"
        alike = len({len(value) for value in values}) == 1 and len(values[0]) >= 6
        rounded = sum(value.endswith("0") for value in values) > 0.3 * len(values)
        return (DIFFERENT, "long numbers") if alike and not rounded else (0.0, "measurements")

    def _by_accident(self, column: ColumnProfile) -> bool:
        """Whether whole numbers may all differ without anybody having seen to it: amounts with a name of a number."""
        values = [value.strip() for value in column.sample]
        if not all(value.removeprefix("-").isdecimal() for value in values):
            return False
        return self._number(values, column.present)[0] == 0.0 and len(values) < 2 * self.several

    def _shared(self, column: ColumnProfile, values: Sequence[str]) -> tuple[float, str]:
        """Values that recur, but seldom: the codes of people with several records."""
        enough = column.known >= max(20, self.shared * column.present)
        decimal = column.kind is Kind.REAL or any(map(_measured, values))
        return (FEW_SHARE, "long codes") if enough and not decimal and _mostly(_long_code, values) else (0.0, "")


EACH = "Every record that has a value has one of its own"


def _by_name_only(said: KeyName | None) -> Verdict | None:
    """A column without values is what its name says, if that is plain."""
    if said is None or not said.key or said.whose is Whose.LIST:
        return None
    sentence = f"The name says key of {said.whose}."
    if said.whose in (Whose.STAFF, Whose.ORGANISATION):
        return Role.QUASI, PLAIN, sentence
    return Role.DIRECT, PLAIN if said.whose in (Whose.PERSON, Whose.RECORD) else GUESSED, sentence


def _made_up(said: KeyName | None) -> Verdict | None:
    """UUIDs and digests are keys; the name says whose, and people's where it says nothing."""
    if said and said.whose in (Whose.STAFF, Whose.ORGANISATION):
        return Role.QUASI, UNIQUE, f"The values are {Shape.MADE_UP}, and the name says {said.whose}."
    if said is None or said.whose is Whose.LIST:
        return Role.DIRECT, RECURRING, f"The values are {Shape.MADE_UP}."
    return Role.DIRECT, MADE_UP, f"The values are {Shape.MADE_UP}, and the name says {said.whose}."


def _of_care(said: KeyName, shape: Shape) -> Verdict | None:
    """Keys of hospitals and of who gives care. A hospital number is one of a patient, or of a hospital."""
    if not said.key:
        return None
    return Role.QUASI, RECURRING, f"The name says key of {said.whose}, and the values are {shape}."


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
