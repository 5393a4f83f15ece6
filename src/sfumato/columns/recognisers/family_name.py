"""Family names."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.people import capitalised, family_names, name_words, other_thing, split
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role


class FamilyName(Recogniser):
    """One to three words with capitals, of which many are frequent family names or end like one.

    Rarer names stand beside the frequent ones, so a third is enough; the others must be capitalised words as well.
    """

    concept = "personal name"
    role = Role.DIRECT
    hipaa = Hipaa.NAMES
    strength = 0.72
    needed = 0.35
    longest = 50
    fewest = 8  # different values, below which they may be occupations or colours

    def matches(self, value: str) -> bool:
        return _shaped(value) and any(map(family_name, split(value)))

    def share(self, sample: Sequence[str]) -> float:
        """The share that holds a frequent name; 0 where many values are no capitalised words."""
        values = self.values(sample)
        different = {folded(value) for value in values}
        shaped = sum(map(_shaped, values))
        return super().share(values) if len(different) >= self.fewest and shaped >= 0.8 * len(values) else 0.0


def family_name(word: str) -> bool:
    """Whether a word is a frequent family name, or ends as those of Greece do."""
    low = folded(word)
    return low in family_names() or (len(low) > 6 and low.endswith(tuple(name_words("family_endings"))))


def _shaped(value: str) -> bool:
    words = split(value)
    proper = not any(c.isdigit() for c in value) and all(map(capitalised, words))
    full = sum(folded(word) not in name_words("particles") for word in words)
    return proper and 1 <= full <= 3 and not any(other_thing(folded(word)) for word in words)
