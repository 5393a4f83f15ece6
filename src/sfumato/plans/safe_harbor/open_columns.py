"""Columns of which nobody knows what they hold: until somebody decides, they count as what may identify.

Safe Harbor is a list of identifiers that must not be there. That none was recognised in a column does not say that it
holds none: a maiden name, the number of the person somebody caught an illness from, a note. A column is accounted for
where its name, or the shape of its values, says that it is something else; all others are open.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from sfumato.columns.identification import IdentifiedColumn
from sfumato.columns.lexicon import meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.unique_identifier import MADE_UP
from sfumato.schema import Role
from sfumato.tables.engine import Kind

# A name that says so half-heartedly ("a thing that may be anybody's", 0.5) says too little here; the next surer kind of
# name has 0.6. The same for shapes of values.
PLAIN = 0.6
# Few values that many people share cannot be numbers or names of single people: at most so many, each that often.
FEW, OFTEN = 20, 10
CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_-]{12,}")
# The number of a thing, whatever the rest of the name says that it is; a concept of OMOP is a code, and shared.
KEY = re.compile(r"(?:^|(?<!concept)[\W_])(?:id|uuid|guid|key|number|num|no|nr)$|(?-i:[a-z]I[Dd]$)", re.IGNORECASE)
WORDS = 4  # of a value that is a sentence rather than a term


@dataclass(frozen=True)
class OpenColumn:
    """A column that nobody decided about, and why it may identify."""

    name: str
    why: str


def open_column(column: IdentifiedColumn) -> OpenColumn | None:
    """Why a column that nothing is done to may identify all the same; None where it is accounted for."""
    why = _why(column)
    return OpenColumn(column.name, why) if why else None


def _why(column: IdentifiedColumn) -> str | None:
    profile = column.profile
    if not profile.known:
        return None
    if profile.kind is Kind.OTHER:
        return "values of a kind that is not looked into"
    unlike = None if profile.kind is Kind.BOOLEAN else _text(column) if profile.kind is Kind.TEXT else _number(column)
    return unlike or ("nothing says what it is" if column.role is None else None)


def _text(column: IdentifiedColumn) -> str | None:
    profile = column.profile
    if _share(profile, _made_up) >= 0.5:
        return "codes that a computer made up"
    if _share(profile, _sentence) >= 0.1:
        return "may be free text"
    if _said(column):
        return "nearly every record has a text of its own" if _alone(profile) else None
    return None if profile.known <= 2 and _shared(profile) else "text that nothing is known of"


def _number(column: IdentifiedColumn) -> str | None:
    profile = column.profile
    whole = profile.kind is Kind.INTEGER or not any(re.search(r"[.]0*[1-9]", value) for value in profile.sample)
    if _said(column):
        return "every record has a number of its own" if whole and _all_alone(profile) else None
    if whole:
        return None if _shared(profile) else "numbers that nothing is known of"
    return "nearly every record has a number of its own" if _alone(profile) else None


def _said(column: IdentifiedColumn) -> bool:
    """Whether the name or the shape of the values says that the column is something about people, and what."""
    if KEY.search(column.name) and not _shared(column.profile):
        return False
    meaning = meaning_of(column.name, column.profile.label)
    about = (Role.QUASI, Role.SENSITIVE)
    named = meaning is not None and meaning.sure >= PLAIN and meaning.concept.role in about
    shaped = any(f.method == "values" and f.role in about and f.weight >= PLAIN for f in column.findings)
    return named or shaped


def _shared(profile: ColumnProfile) -> bool:
    return profile.known <= FEW and profile.present >= OFTEN * profile.known


def _alone(profile: ColumnProfile) -> bool:
    return profile.present >= OFTEN and profile.once > profile.present / 2


def _all_alone(profile: ColumnProfile) -> bool:
    return profile.present >= OFTEN and profile.once == profile.present


def _made_up(value: str) -> bool:
    return (MADE_UP.fullmatch(value) or CODE.fullmatch(value)) is not None


def _sentence(value: str) -> bool:
    return len(value.split()) > WORDS and len(value) > 25


def _share(profile: ColumnProfile, matches: Callable[[str], bool]) -> float:
    values = [value.strip() for value in profile.sample]
    return sum(map(matches, values)) / len(values) if values else 0.0
