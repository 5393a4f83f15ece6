"""Postal codes of five digits."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role


class PostalDigits(Recogniser):
    """Five digits each, some with a nought in front that somebody took care to keep.

    Numbers that only count or measure lose it, so this is a code; and one that people share is a place.
    """

    concept = "postcode"
    role = Role.QUASI
    hipaa = Hipaa.PLACES
    strength = 0.5
    needed = 0.98

    def matches(self, value: str) -> bool:
        return len(value) == 5 and value.isascii() and value.isdigit()

    def share(self, sample: Sequence[str]) -> float:
        """The share with five digits, where at least one value begins with a nought."""
        kept = any(value.strip().startswith("0") for value in sample)
        return super().share(sample) if kept and len(sample) >= 10 else 0.0
