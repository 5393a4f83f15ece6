"""Text in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

FEWEST_WORDS = 5
FEWEST_LETTERS = 25


class FreeText(Recogniser):
    """Long values of many words, most of them different: they may hold names and anything else."""

    concept = "free text"
    role = Role.DIRECT
    hipaa = None
    strength = 0.85
    needed = 0.4
    varied = 0.5

    def matches(self, value: str) -> bool:
        return len(value) >= FEWEST_LETTERS and len(value.split()) >= FEWEST_WORDS

    def share(self, sample: Sequence[str]) -> float:
        """The share of long values; Hangul needs fewer, longer words."""
        values = self.values(sample)
        hangul = sum(any("가" <= c <= "힣" for c in value[:20]) for value in values) > len(values) / 2
        if hangul:
            return sum(len(value) >= 15 and len(value.split()) >= 4 for value in values) / len(values)
        return super().share(values)

    def values(self, sample: Sequence[str]) -> list[str]:
        """The beginning of each value, which says whether it is text."""
        return [value.strip()[: self.longest] for value in sample[: self.most]]
