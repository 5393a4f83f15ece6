"""Telephone numbers without any sign that they are."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

COUNTRIES = ("NL", "DE", "FR", "PT", "ES", "GR", "KR", "GB", "US", "BE", "IT", "CH", "AT", "PL", "BR", "IE", "SE")
SHORTEST, LONGEST = 9, 12  # digits


class TelephoneDigits(Recogniser):
    """Only digits, and nearly all of them a telephone number in one and the same country."""

    concept = "telephone"
    role = Role.DIRECT
    hipaa = Hipaa.TELEPHONE
    strength = 0.5
    needed = 0.95
    varied = 0.2
    most = 100

    def matches(self, value: str) -> bool:
        return value.isascii() and value.isdigit() and SHORTEST <= len(value) <= LONGEST

    def share(self, sample: Sequence[str]) -> float:
        """The share in the country that fits best."""
        values = self.values(sample)
        if len(values) < 3 or not all(map(self.matches, values)):
            return 0.0
        likely = max(COUNTRIES, key=lambda country: _share(values[:15], country))
        return _share(values, likely)


def _share(values: Sequence[str], country: str) -> float:
    return sum(_valid(value, country) for value in values) / len(values)


def _valid(value: str, country: str) -> bool:
    import phonenumbers

    try:
        return bool(phonenumbers.is_valid_number_for_region(phonenumbers.parse(value, country), country))
    except phonenumbers.NumberParseException:
        return False
