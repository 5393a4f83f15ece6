"""Names of people, by their shape."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.family_name import family_name
from sfumato.columns.recognisers.people import capitalised, given_names, name_words, other_thing, split
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

_MARKED = re.compile(
    r"[^\W\d_][\w'’ -]+, ?[^\W\d_][\w'’ .-]*"  # Jansen, Piet
    r"|(?:[^\W\d_]\. ?){1,4}(?:[\w'’-]+ ?){1,4}"  # P. C. Jansen
    r"|(?:['’]?[\w'’-]{2,} ){1,4}(?:[^\W\d_]\.[ -]?){1,4}"  # Jansen P.C.
    r"|(?:['’]?[\w'’-]+ ){1,4}(?:[^\W\d_]\. ){1,3}[\w'’-]{2,}"  # Piet C. Jansen
)
_COMPANY = re.compile(r"\b(?:S\.? ?A|S\.?A\.?S|S\.?A\.?R\.?L|S\.?L|B\.?V|N\.?V|A\.?G|S\.?R\.?L|S\.?p\.?A|A\.?E)\.?$")


class PersonName(Recogniser):
    """Two to six words with capitals, some of them given names or most family names; or initials, or a title.

    Towns, drugs and diagnoses are capitalised too, but few are many words, most recur, and none is called Maria.
    """

    concept = "personal name"
    role = Role.DIRECT
    hipaa = Hipaa.NAMES
    strength = 0.75
    needed = 0.75
    longest = 60

    def matches(self, value: str) -> bool:
        words = split(value)
        shaped = 2 <= len(words) <= 6 and all(map(capitalised, words)) and not any(c.isdigit() for c in value)
        return shaped and _only_names(value) and not any(other_thing(folded(word)) for word in words)

    def share(self, sample: Sequence[str]) -> float:
        """The share of the right shape; 0 where nothing says that these are people."""
        values = self.values(sample)
        matched = [value for value in values if self.matches(value)]
        if len(matched) < 3:
            return 0.0
        called = sum(any(folded(word) in given_names() for word in re.split(r"\W+", value)) for value in matched)
        either = sum(any(_frequent(word) for word in split(value)) for value in matched)
        marked = sum(_marked(value) for value in matched)
        least = 0.1 if len(matched) >= 20 else 0.3  # a handful of labels may hold one such word by chance
        believed = called >= least * len(matched) or max(marked, either) >= 0.5 * len(matched)
        return len(matched) / len(values) if believed else 0.0


def _frequent(word: str) -> bool:
    """Whether many people are called so."""
    return family_name(word) or any(part in given_names() for part in folded(word).split("-"))


def _only_names(value: str) -> bool:
    """Whether nothing stands between or after the words that does not belong in a name."""
    return not re.search(r"[^\w\s,.'’()-]|_", value) and value.count(",") <= 1 and not _COMPANY.search(value)


def _marked(value: str) -> bool:
    """Whether a comma, initials or a title say that this is a person."""
    first = folded(value).split()[0].rstrip(".")
    return first in name_words("titles") or _MARKED.fullmatch(value) is not None
