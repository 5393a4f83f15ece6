"""Whose key a column is, by its name: of a person, of what happened to one, of a hospital, or of an entry of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from sfumato.columns.lexicon.words import folded, words
from sfumato.packaged_data import packaged_yaml


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
BY_THEMSELVES = {"person_key": Whose.PERSON, "record_key": Whose.RECORD}  # a word that is a key already
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


@cache
def key_words(sort: str) -> frozenset[str]:
    """The words of one sort, folded."""
    return frozenset(folded(phrase.strip()) for phrase in packaged_yaml(__package__, "key_names.yaml")[sort].split(","))


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
    last, first = tokens[-1], tokens[0]
    if whose := next((whose for sort, whose in BY_THEMSELVES.items() if last in key_words(sort)), None):
        return KeyName(whose, key=True)
    content = [token for token in tokens if not _keyed(token) and not token.isdigit()]
    if last in key_words("key") or last in key_words("number"):
        head = _head(reversed(content))
        return _named(head, content, key=last in key_words("key") or _any_key(tokens), number=True)
    if first in key_words("key") or first in key_words("number_first"):
        return _named(_head(content), content, key=first in key_words("key"), number=True)
    if len(content) == len(tokens) and (head := _head(reversed(content))) and _whose(head) is not None:
        return KeyName(_whose(head) or Whose.UNKNOWN) if _only(content, head) else None
    return None


def _named(head: str | None, content: Sequence[str], *, key: bool, number: bool) -> KeyName | None:
    if head is None and not key:
        return None  # `no`, `number`: of what, and how many?
    whose = _whose(head) if head else None
    return KeyName(whose or Whose.UNKNOWN, key, number, bare=not content)


def whose_rows(table: str) -> Whose | None:
    """What the rows of a table are, by its name; None where that says nothing.

    >>> whose_rows("synthea_providers.csv"), whose_rows("d_labitems"), whose_rows("baseline.xlsx")
    (<Whose.STAFF: 'somebody who gives care'>, <Whose.LIST: 'an entry of a list'>, None)
    """
    tokens = words(table.rsplit("/", 1)[-1].split(".")[0])
    if tokens and (tokens[0] in key_words("dictionary") or tokens[-1] in key_words("dictionary")):
        return Whose.LIST
    head = next((token for token in reversed(tokens) if _whose(token) is not None), None)
    return _whose(head) if head else None


def _tokens(name: str) -> list[str]:
    """The words of a name, a key that hangs on its word without a gap cut off: `patientid`, `idpaciente`."""
    camel, plain = words(name), words(name, camel=False)
    tokens = camel if sum(map(_understood, camel)) * len(plain) >= sum(map(_understood, plain)) * len(camel) else plain
    return [part for token in tokens for part in _apart(token)]


def _apart(token: str) -> Iterable[str]:
    if _understood(token):
        return (token,)
    for key in sorted((*key_words("key"), *key_words("number")), key=len, reverse=True):
        before, after = token.removesuffix(key), token.removeprefix(key)
        if before != token and len(before) >= SHORTEST and _whose(before):
            return (before, key)
        if after != token and len(after) >= SHORTEST and key not in key_words("number") and _whose(after):
            return (key, after)
    return (token,)


def _understood(token: str) -> bool:
    return _keyed(token) or _whose(token) is not None or token in key_words("qualifier")


def _keyed(token: str) -> bool:
    return token in key_words("key") or token in key_words("number")


def _any_key(tokens: Iterable[str]) -> bool:
    return any(token in key_words("key") for token in tokens)


def _head(content: Iterable[str]) -> str | None:
    """The first word that is not there to join the others; or the first of all, where all may join."""
    every = list(content)
    loud = [token for token in every if token not in key_words("joining")]
    return next(iter(loud), None) or next((token for token in every if _whose(token)), None)


def _whose(token: str) -> Whose | None:
    return next((whose for sort, whose in WHOSE.items() if token in key_words(sort)), None)


def _only(content: Sequence[str], head: str) -> bool:
    """Whether nothing else is said than the thing itself: `PATIENT`, `secondary_payer`, not `patient_weight`."""
    return all(token == head or token in key_words("joining") for token in content)
