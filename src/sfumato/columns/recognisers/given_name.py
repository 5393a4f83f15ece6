"""Given names, one word each."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.lexicon.words import folded
from sfumato.columns.recognisers.people import given_names
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role


class GivenName(Recogniser):
    """Single words of which many are frequent given names. Rarer names stand beside them, so a third is enough."""

    concept = "personal name"
    role = Role.DIRECT
    hipaa = Hipaa.NAMES
    strength = 0.75
    needed = 0.35
    longest = 30

    def matches(self, value: str) -> bool:
        return folded(value) in given_names()

    def share(self, sample: Sequence[str]) -> float:
        """The share of frequent given names, where there are enough values to tell."""
        return super().share(sample) if len(sample) >= 5 else 0.0
