"""Whose key a column is, by its name: of a person, of what happened to one, of a hospital, or of an entry of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from sfumato.columns.lexicon.vocabulary import grammar_of_words
from sfumato.columns.lexicon.words import words
from sfumato.columns.word_lists import word_list


class Whose(StrEnum):
    """What a key tells apart."""

    PERSON = "a person"
    RECORD = "something that happened to one person"  # also what is taken of one
    OCCURRENCE = "a record"  # of a person where the table is of people
    STAFF = "somebody who gives care"
    ORGANISATION = "a place or an organisation"
    LIST = "an entry of a list"
    UNKNOWN = "nobody knows what"


WHOSE = {
    "person": Whose.PERSON, "record": Whose.RECORD, "occurrence": Whose.OCCURRENCE, "list": Whose.LIST,
    "staff": Whose.STAFF, "organisation": Whose.ORGANISATION,
}  # fmt: skip
TAGGED = {"person": Whose.PERSON, "staff": Whose.STAFF, "thing": Whose.LIST}  # words of grammar.yaml
BY_THEMSELVES = {"person_key": Whose.PERSON, "record_key": Whose.RECORD}  # a word that is a key already
OF_ROWS = (Whose.PERSON, Whose.RECORD, Whose.OCCURRENCE)
CARING = (Whose.STAFF, Whose.ORGANISATION)
SHORTEST = 3  # letters of a word that is found without a gap before `id`: `hadmid`, not `acid`


@dataclass(frozen=True)
class KeyName:
    """Whose key a name says the column is. `key`: it says so; `number`: it says number; else it is only the thing."""

    whose: Whose
    key: bool = False
    number: bool = False
    bare: bool = False  # a word for a key, and nothing that says of what

    @property
    def numbered(self) -> bool:
        """Whether the name says key or number at all."""
        return self.key or self.number


def key_words(sort: str) -> frozenset[str]:
    """The words of one sort, folded."""
    return word_list("lexicon/key_names", sort)


@lru_cache(maxsize=8192)
def key_name(name: str) -> KeyName | None:
    """Whose key a name says a column is; None where it says nothing of the sort.

    >>> for name in ("patient_id", "HADM_ID", "condition_occurrence_id", "admission_type_id", "ID de caso", "PATIENT"):
    ...     print(name, "->", key_name(name).whose)
    patient_id -> a person
    HADM_ID -> something that happened to one person
    condition_occurrence_id -> a record
    admission_type_id -> an entry of a list
    ID de caso -> something that happened to one person
    PATIENT -> a person
    >>> key_name("num_procedures"), key_name("haemoglobin")
    (None, None)
    """
    tokens = _tokens(name)
    if not tokens or len(tokens) > 8:
        return None
    while len(tokens) > 1 and (tokens[-1].isdigit() or tokens[-1] in key_words("qualifier")):
        tokens.pop()
    if whose := _by_itself(tokens[-1]):
        return KeyName(whose, key=True)
    content = [token for token in tokens if not _keyed(token) and not token.isdigit()]
    return _numbered(tokens, content) or _of_a_thing(tokens, content)


def _numbered(tokens: Sequence[str], content: Sequence[str]) -> KeyName | None:
    """A name with a word for a key, a number, or the code of a person, at one end."""
    first, last = tokens[0], tokens[-1]
    if _keyed(last):
        return _named(_head(reversed(content)), content, key=any(token in key_words("key") for token in tokens))
    if first in key_words("key") or first in key_words("number_first"):
        return _named(_head(content), content, key=first in key_words("key"))
    coded = not key_words("code").isdisjoint((first, last))
    of_a_person = coded and any(_whose(token) is Whose.PERSON for token in content)
    return KeyName(Whose.PERSON, number=True) if of_a_person else None


def _of_a_thing(tokens: Sequence[str], content: Sequence[str]) -> KeyName | None:
    """A name that is only of what may have a key: `PATIENT`, `secondary_payer`, not `patient_weight`."""
    head = _head(reversed(content)) if len(content) == len(tokens) else None
    only = head and all(token == head or token in key_words("joining") for token in content)
    whose = _whose(head) if head and only else None
    return KeyName(whose) if whose else None


def _named(head: str | None, content: Sequence[str], *, key: bool) -> KeyName | None:
    if head is None and not key:
        return None  # `no`, `number`: of what, and how many?
    return KeyName((_whose(head) if head else None) or Whose.UNKNOWN, key, number=True, bare=not content)


def whose_rows(table: str) -> Whose | None:
    """What the rows of a table are, by its name; None where that says nothing.

    >>> whose_rows("synthea_providers.csv"), whose_rows("d_labitems"), whose_rows("baseline.xlsx")
    (<Whose.STAFF: 'somebody who gives care'>, <Whose.LIST: 'an entry of a list'>, None)
    """
    tokens = words(table.rsplit("/", 1)[-1].split(".")[0])
    first, last = len(tokens) > 1 and tokens[0] in key_words("dictionary_first"), tokens[-1:]
    if first or not key_words("dictionary").isdisjoint(last):
        return Whose.LIST
    named = [token for token in tokens if not token.isdigit() and token not in key_words("qualifier")]
    known = ((token, whose) for token in reversed(named) if (whose := _whose(token)))
    # A study has people, a type of list none; what stands before the last word is the database: `clinic_bookings`.
    return next((whose for token, whose in known if whose in OF_ROWS or (token == named[-1] and whose in CARING)), None)


def _tokens(name: str) -> list[str]:
    """The words of a name, a key that hangs on its word without a gap cut off: `patientid`, `idpaciente`."""
    camel, plain = words(name), words(name, camel=False)
    tokens = camel if sum(map(_understood, camel)) * len(plain) >= sum(map(_understood, plain)) * len(camel) else plain
    return [part for token in tokens for part in _apart(token)]


def _apart(token: str) -> Iterable[str]:
    if _understood(token) or _by_itself(token):
        return (token,)
    for key in sorted((*key_words("key"), *key_words("number")), key=len, reverse=True):
        before, after = token.removesuffix(key), token.removeprefix(key)
        if before != token and len(before) >= SHORTEST and (word := _at_the_end(before)):
            return (word, key)
        if after != token and len(after) >= SHORTEST and key not in key_words("number") and _whose(after):
            return (key, after)
    return (token,)


def _at_the_end(text: str) -> str | None:
    """The word that a text without gaps is, or ends with: `patientunitstay` with `stay`."""
    if _whose(text):
        return text
    ends = (text[place:] for place in range(1, len(text) - SHORTEST))
    return next((end for end in ends if _whose(end) in (Whose.PERSON, Whose.RECORD)), None)


def _by_itself(token: str) -> Whose | None:
    return next((whose for sort, whose in BY_THEMSELVES.items() if token in key_words(sort)), None)


def _understood(token: str) -> bool:
    return _keyed(token) or _whose(token) is not None or token in key_words("qualifier")


def _keyed(token: str) -> bool:
    return token in key_words("key") or token in key_words("number")


def _head(content: Iterable[str]) -> str | None:
    """The first word that is not there to join the others; or the first of all, where all may join."""
    every = list(content)
    loud = [token for token in every if token not in key_words("joining")]
    return next(iter(loud), None) or next((token for token in every if _whose(token)), None)


@lru_cache(maxsize=8192)
def _whose(token: str) -> Whose | None:
    """What a word is; what only the grammar of names knows as a thing has lists, stocks and catalogues."""
    listed = next((whose for sort, whose in WHOSE.items() if token in key_words(sort)), None)
    if listed or len(token) < SHORTEST:
        return listed
    places = grammar_of_words().get(token, frozenset())
    return next((whose for tag, whose in TAGGED.items() if tag in places), None)
