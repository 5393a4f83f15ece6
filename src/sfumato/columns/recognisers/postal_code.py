"""Postal codes that cannot easily be anything else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

COUNTRIES = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        r"(?:NL-?)?[1-9]\d{3} ?[A-Z]{2}",  # Netherlands
        r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}",  # United Kingdom
        r"[A-Z]\d[A-Z] ?\d[A-Z]\d",  # Canada
        r"[AC-FHKNPRTV-Y]\d[\dW] ?(?=\d*[A-Z])[\dAC-FHKNPRTV-Y]{4}",  # Ireland
        r"\d{4}-\d{3}(?: [^\W\d].*)?",  # Portugal, perhaps with the place
        r"\d{5}-\d{4}",  # United States, in full
        r"\d{5}-\d{3}",  # Brazil
        r"(?:SE?-?)?\d{3} \d{2}",  # Greece, Sweden, Czechia
        r"\d{2}-\d{3}(?: [^\W\d].*)?",  # Poland, perhaps with the place
        r"(?:D|F|I|E|A|B|L|CH|DE|FR|AT|BE|GR|IT|ES|NL|SE|PL|PT)-\d{4,5}",  # with the country
    )
)


class PostalCode(Recogniser):
    """Nearly all values have the shape of one and the same country."""

    concept = "postcode"
    role = Role.QUASI
    hipaa = Hipaa.PLACES
    strength = 0.75
    needed = 0.9

    def matches(self, value: str) -> bool:
        return any(country.fullmatch(value) for country in COUNTRIES)

    def share(self, sample: Sequence[str]) -> float:
        """The share in the country that fits best."""
        values = self.values(sample)
        fitting = (sum(country.fullmatch(value) is not None for value in values) for country in COUNTRIES)
        return max(fitting) / len(values) if len(values) >= 3 else 0.0
