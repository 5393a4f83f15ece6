"""Names of people inside texts, counted by sample."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import folded
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.family_name import family_name
from sfumato.columns.recognisers.people import given_names, name_words, other_thing
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role
from sfumato.tables.engine import Kind

LOOKED_AT = 200  # texts
READ = 2000  # letters of each
FEWEST_WORDS = 4  # below, a value that holds a name is the name
# How much it weighs that names were found: more than a name of the column that only says what the texts are about.
WEIGHT = 0.88

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")


@dataclass(frozen=True)
class NamesInTexts(Evidence):
    """How many of the texts hold the name of somebody: a given and a family name together, or a title and a name.

    Illnesses and signs are named after people, one name each (Parkinson); two together, or one after a title, are a
    person. One text may do so by accident, so that `fewest` must.

    Examples
    --------
    >>> texts = (*(f"Seen by Maria Jansen on day {day}" for day in range(9)), "No news was brought today at all")
    >>> NamesInTexts().of(ColumnProfile("x", Kind.TEXT, 10, 0, 10, 10, 10.0, 0, texts)).sentence
    'In 9 of 10 texts a given and a family name, or a title and a name, stand together.'
    """

    method = "names in texts"
    fewest: int = 3  # texts
    least: float = 0.01  # share of the texts

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if column.kind is not Kind.TEXT:
            return None
        texts = [text for value in column.sample[:LOOKED_AT] if len((text := value[:READ]).split()) >= FEWEST_WORDS]
        named = sum(map(_names_somebody, texts))
        if named < max(self.fewest, self.least * len(texts)) or len(texts) < 0.2 * len(column.sample[:LOOKED_AT]):
            return None
        sentence = f"In {named} of {len(texts)} texts a given and a family name, or a title and a name, stand together."
        return Finding(self.method, Role.DIRECT, named / len(texts), sentence, WEIGHT, Hipaa.NAMES)


def _names_somebody(text: str) -> bool:
    return any(_together(first, second) for first, second in pairwise(_WORD.findall(text)))


def _together(first: str, second: str) -> bool:
    """Whether two words are a given and a family name, in either order, or a title and a name."""
    if not (first[0].isupper() and second[0].isupper()) or len(second) < 3 or second.isupper() != first.isupper():
        return False
    before, after = folded(first.rstrip(".")), folded(second.rstrip("."))
    if other_thing(after) or other_thing(before):
        return False
    if len(before) > 1 and before in name_words("titles"):
        return True
    if first.endswith("."):
        return False
    return (before in given_names() and family_name(after)) or (family_name(before) and after in given_names())
