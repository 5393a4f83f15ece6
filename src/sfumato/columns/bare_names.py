"""Names of columns that say something only beside the name of their table: `CODE` in `allergies`."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache

from sfumato.columns.lexicon import meaning
from sfumato.columns.lexicon.key_names import Whose, whose_rows
from sfumato.columns.lexicon.words import words
from sfumato.columns.word_lists import word_list
from sfumato.schema import Role


class Subject(StrEnum):
    """What the rows of a table are about, by its name."""

    HEALTH = "what people have, get or show"
    CARE = "care that people were given"
    PEOPLE = "people"
    STAFF = "people who give care"
    ORGANISATIONS = "organisations"
    LIST = "the entries of a list"


SUBJECTS = {
    Whose.PERSON: Subject.PEOPLE, Whose.STAFF: Subject.STAFF, Whose.ORGANISATION: Subject.ORGANISATIONS,
    Whose.LIST: Subject.LIST, Whose.RECORD: Subject.CARE,
}  # fmt: skip

PARTS = ("unit", "unusual", "value", "measured")  # of a long table: `value_unit` is a unit, `test_result` a value
CODED = frozenset(
    {"id", "code", "cd", "name", "concept", "key", "nr", "no", "num", "text", "txt"}
)  # how a part is told
PLAIN = 0.8  # how plainly the lexicon must know a word of a table's name
LONGEST = 4  # words of the name of a part


def bare_words(sort: str) -> frozenset[str]:
    """The words of one sort, folded."""
    return word_list("bare_names", sort)


def subject_of(table: str) -> Subject | None:
    """What a table is about, by its name; None where that says nothing.

    >>> subject_of("synthea_allergies.csv"), subject_of("LABEVENTS.csv"), subject_of("export_2024.csv")
    (<Subject.HEALTH: 'what people have, get or show'>, <Subject.HEALTH: 'what people have, get or show'>, None)
    """
    stem = table.replace("\\", "/").rsplit("/", 1)[-1].split(".")[0]
    rows = whose_rows(stem)
    if rows is Whose.LIST:
        return Subject.LIST
    # The last noun is the head, and what stands before it is the database: `klinik_bokningar` are bookings. Where the
    # head is not known, an illness before it still says what the table is about, and a hospital does not.
    loud = [word for word in words(stem) if not word.isdigit() and word not in bare_words("edition")]
    if not loud:
        return None
    head = _subject(loud[-1]) or SUBJECTS.get(whose_rows(loud[-1]) or Whose.UNKNOWN)
    return head or next((Subject.HEALTH for word in loud[:-1] if _subject(word) is Subject.HEALTH), None)


def _subject(word: str) -> Subject | None:
    """What a word says of a table: listed, or a word of health in the lexicon."""
    for sort, subject in (("health", Subject.HEALTH), ("care", Subject.CARE)):
        if word in bare_words(sort):
            return subject
    said = meaning(word)
    return Subject.HEALTH if said and said.concept.role is Role.SENSITIVE and said.sure >= PLAIN else None


@lru_cache(maxsize=4096)
def bare(name: str, *sorts: str) -> bool:
    """Whether a name holds nothing but words of these sorts, and numbers: `REASONCODE`, `DESCRIPTION1`.

    >>> bare("REASONCODE", "content"), bare("DESCRIPTION1", "content"), bare("blood_value", "content")
    (True, True, False)
    """
    known = frozenset[str]().union(*map(bare_words, sorts))
    loud = [word for word in words(name, camel=not name.isupper()) if not word.isdigit()]
    return bool(loud) and all(_joined(word, known) for word in loud)


def part_of_long_table(name: str) -> str | None:
    """What a column would be in a table with a row for each thing that was measured.

    >>> names = ("lab_test_code", "result_value", "valueuom", "unit_concept_id", "abnormal_flag", "value_date")
    >>> [part_of_long_table(name) for name in names]
    ['measured', 'value', 'unit', 'unit', 'unusual', None]
    """
    read = [word for word in words(name, camel=not name.isupper()) if not word.isdigit()]
    whole = "".join(read)
    while len(read) > 1 and read[-1] in CODED:
        read.pop()
    if not read or len(read) > LONGEST:
        return None
    ends = {whole, "".join(read), "".join(read[-2:]), read[-1]}
    qualified = set(read[:-1]) <= _qualifying()
    return next((part for part in PARTS if bare_words(part) & (ends if qualified else {whole})), None)


@cache
def _qualifying() -> frozenset[str]:
    """Words that may stand before the head of a part: those of the other parts, and of health."""
    return frozenset[str]().union(*map(bare_words, (*PARTS, "health", "content")))


def _joined(word: str, known: frozenset[str]) -> bool:
    """Whether it is one of the words, or two of them without a gap."""
    return word in known or any(word[:at] in known and word[at:] in known for at in range(3, len(word) - 2))
