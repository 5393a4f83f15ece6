"""Dates finer than a year."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.calendar import finer_than_a_year, read_date
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role


class Date(Recogniser):
    """Days or months in any usual notation. Only years, or only the first of January, say no more than a year."""

    concept = "date finer than a year"
    role = Role.QUASI
    hipaa = Hipaa.DATES
    strength = 0.75

    def matches(self, value: str) -> bool:
        return read_date(value) is not None

    def share(self, sample: Sequence[str]) -> float:
        """The share of dates; 0 where none of them says more than the year."""
        return finer_than_a_year(sample)
