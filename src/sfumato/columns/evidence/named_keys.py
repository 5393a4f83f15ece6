"""Whether a column is a key by its name and by the form of its values, also where the values recur."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.key_names import KeyName, Whose, whose_rows
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.columns.table_keys import FEWEST, Shape, key_of, shape_of
from sfumato.schema import Role

# Where a name plainly says another thing ("the running of the study": 0.85; a diagnosis: 0.8), values that nothing else
# looks like weigh more, and values that many things look like less.
MADE_UP = 0.95  # UUIDs of a person or a record
UNIQUE = 0.92  # the name says key, and every record has its own
FORMED = 0.85  # the name says whose key, and the values have the form of one
PLAIN = 0.8  # the same, and the values are numbers that may be anything
ONLY_ONE = 0.7  # the name says whose key, and all records are of one person
GUESSED = 0.6  # the name says key of nobody knows what, and it recurs

OF_PEOPLE = (Whose.PERSON, Whose.RECORD)
OF_CARE = (Whose.STAFF, Whose.ORGANISATION)
SEVERAL = 20  # different values, below which a number may be that of a visit and not of a person
MANY = 50  # records, below which each may have been in a hospital of its own


@dataclass(frozen=True)
class NamedKeys(Evidence):
    """A key of a person is one however often it recurs; so is one of what happened to a person, or is taken of one.

    What counts is the name, and the form of the values: codes that a computer made up, digits of one length, a prefix
    and digits. A name that says key of whatever clinical thing is one of records where every record has its own. A key
    of a hospital, an insurer or of who gives care is a quasi-identifier. Lists of codes have such names as well
    (`admission_type_id`): they are no keys of anybody, and a few small numbers count visits.

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> stays = tuple(str(142300 + 7 * number) for number in range(30))
    >>> hadm = ColumnProfile("hadm_id", Kind.INTEGER, 900, 0, 30, 0, 1.0, 9, stays)
    >>> NamedKeys().of(hadm).sentence
    'The name says key of something that happened to one person, and the values are codes of one form.'
    """

    method = "named keys"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if beside.of_a_list:
            return _of_a_list(column, beside)
        said = _of_a_record(key_of(column, beside.table), column, beside)
        role = Role.QUASI if said and said.whose in OF_CARE else Role.DIRECT
        shape = shape_of(column)
        if said is None or not column.sample or shape is None:
            weight, sentence = _by_one(column, said, shape)
        else:
            weight, sentence = _by_both(column, said, shape, beside)
        if not weight:
            return None
        return Finding(self.method, role, None, sentence, weight, Hipaa.OTHER if role is Role.DIRECT else None)


def _of_a_list(column: ColumnProfile, beside: Surroundings) -> Finding | None:
    """The key of a list of codes or things, which is of nobody."""
    said = key_of(column, beside.table)
    if said is None or not said.key or said.whose is not Whose.LIST or column.known < column.present:
        return None
    sentence = f"The table's name says a list, and the column's {said.whose}."
    return Finding(NamedKeys.method, Role.NON_SENSITIVE, None, sentence, FORMED)


def _of_a_record(said: KeyName | None, column: ColumnProfile, beside: Surroundings) -> KeyName | None:
    """A pharmacy of which every record has its own is no pharmacy: the key is of what happened there."""
    own = column.known == column.present >= MANY and beside.of_people and whose_rows(beside.table) not in OF_CARE
    return replace(said, whose=Whose.OCCURRENCE) if said and said.key and said.whose in OF_CARE and own else said


def _by_one(column: ColumnProfile, said: KeyName | None, shape: Shape | None) -> tuple[float, str]:
    """The name alone, of a column without values; or the values alone, which a computer made up."""
    if said and said.key and said.whose is not Whose.LIST and not column.sample:
        return GUESSED if said.whose in (
            Whose.OCCURRENCE,
            Whose.UNKNOWN,
        ) else PLAIN, f"The name says key of {said.whose}."
    return (FORMED if shape is Shape.MADE_UP and column.known > 1 else 0.0), f"The values are {shape}."


def _by_both(column: ColumnProfile, said: KeyName, shape: Shape, beside: Surroundings) -> tuple[float, str]:
    """The name and the values."""
    sentence = f"The name says key of {said.whose}, and the values are {shape}."
    if column.known < 2 < column.present and said.whose in OF_PEOPLE and said.key:
        return ONLY_ONE, f"The name says key of {said.whose}, and every record has the same."
    if column.known < 2 < column.present or (said.whose is Whose.LIST and shape is not Shape.MADE_UP):
        return _of_few(column, said, beside), sentence
    if shape is Shape.MADE_UP:
        return FORMED if said.whose is Whose.LIST else UNIQUE if said.whose in OF_CARE else MADE_UP, sentence
    if said.whose in OF_CARE:  # a number of a hospital may be one that the hospital gave to a patient
        return (FORMED if said.key else 0.0), sentence
    if said.numbered and column.known == column.present >= FEWEST:
        own = f"The name says key of {said.whose}, and every record has its own."
        return _unique(said, shape, beside), own
    return max(_recurring(column, said, shape, beside), _of_few(column, said, beside)), sentence


def _of_few(column: ColumnProfile, said: KeyName, beside: Surroundings) -> float:
    """The key of a thing in a short table of people, where every record has its own: a payment, a booking."""
    own = said.key and column.known == column.present
    return GUESSED if own and beside.of_people and column.present < FEWEST else 0.0


def _unique(said: KeyName, shape: Shape, beside: Surroundings) -> float:
    """Every record has its own. What may be an entry of a list, or of a stock, needs people beside it."""
    if said.whose in OF_PEOPLE:
        return UNIQUE if said.key or shape is Shape.ALIKE else FORMED
    if said.key:
        return UNIQUE if beside.of_people or said.bare else PLAIN if said.whose is Whose.UNKNOWN else GUESSED
    return GUESSED if beside.of_people else 0.0


def _recurring(column: ColumnProfile, said: KeyName, shape: Shape, beside: Surroundings) -> float:
    """Values that recur: those of people and of what happened to them, unless they may be counted."""
    several, formed = column.known >= SEVERAL, shape is Shape.ALIKE
    if said.whose is Whose.PERSON and (said.key or (several and (said.number or formed))):
        return FORMED if formed and said.numbered else PLAIN
    if said.whose is Whose.RECORD and ((said.key and formed) or (several and (said.key or formed))):
        return FORMED if formed and said.numbered else PLAIN
    if said.whose is Whose.OCCURRENCE:
        own = formed and column.known == column.present  # `sample`, each a code of its own
        varied = said.key and column.known >= 0.1 * column.present and shape is not Shape.CODES
        return GUESSED if several and (own or (varied and beside.of_people)) else 0.0
    varied = several and column.known >= 0.02 * column.present
    return GUESSED if said.key and varied and (formed or said.bare) else 0.0
