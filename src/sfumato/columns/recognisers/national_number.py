"""National and health numbers, by their check digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.calendar import read_date
from sfumato.columns.recognisers.checksums import luhn, nhs
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

# Below this chance it is no accident that all values pass a check: with one check digit that takes six values. A table
# has some hundred columns, and 26 checks are tried on each, so at most one table in forty holds an accident.
LUCK = 1e-5
_SEPARATORS = re.compile(r"[\s.\-/]")


@dataclass(frozen=True)
class NumberScheme:
    """One sort of number: its shape without separators, its check, and how many random ones pass the check."""

    shape: re.Pattern[str]
    right: Callable[[str], bool]
    chance: float

    def matches(self, value: str) -> bool:
        """Whether a value is such a number."""
        bare = _SEPARATORS.sub("", value).upper()
        return self.shape.fullmatch(bare) is not None and self.right(bare)


# Country, class of the package idnumbers, shape without separators, and the chance of an accident.
LISTED = (
    ("NLD", "NationalID", r"\d{9}", 0.1),
    ("DEU", "NationalID", r"[1-9]\d{10}", 0.02),
    ("FRA", "NationalID", r"[123478]\d{4}[\dAB]{2}\d{8}", 0.01),
    ("PRT", "TaxIDNumber", r"\d{9}", 0.1),
    ("PRT", "CitizenCard", r"\d{9}[A-Z]{2}\d", 0.1),
    ("ESP", "NationalID", r"\d{8}[A-Z]", 0.05),
    ("GRC", "TaxIdentityNumber", r"\d{9}", 0.1),
    ("GBR", "NationalID", r"[A-Z]{2}\d{6}[A-D]", 0.1),
    ("BEL", "NationalID", r"\d{11}", 0.01),
    ("ITA", "NationalID", r"[A-Z]{6}[\dA-Z]{2}[A-Z][\dA-Z]{2}[A-Z][\dA-Z]{3}[A-Z]", 0.02),
    ("POL", "NationalID", r"\d{11}", 0.02),
    ("BRA", "NationalID", r"\d{11}", 0.01),
    ("NOR", "NationalID", r"\d{11}", 0.01),
    ("SWE", "NationalID", r"\d{10}|\d{12}", 0.02),
    ("MEX", "NationalID", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[\dA-Z]\d", 0.01),
    ("TUR", "NationalID", r"[1-9]\d{10}", 0.01),
    ("CHN", "NationalID", r"\d{17}[\dX]", 0.01),
)


def _listed(country: str, cls: str) -> Callable[[str], bool]:
    """The check of the package idnumbers, which is imported when the first value has the right shape."""

    def right(bare: str) -> bool:
        try:
            return bool(getattr(import_module(f"idnumbers.nationalid.{country}"), cls).validate(bare))
        except (ValueError, TypeError, IndexError, KeyError, ImportError, AttributeError):
            return False

    return right


def _dated(bare: str) -> bool:
    """Whether the first six digits are a day, in the order of either Greece or Korea."""
    return any(read_date(f"20{d[:2]}-{d[2:4]}-{d[4:]}") for d in (bare[:6], bare[4:6] + bare[2:4] + bare[:2]))


def _insured(bare: str) -> bool:
    """A German health insurance number: the letter counts as two digits, the factors are 1 and 2 in turn."""
    digits = f"{ord(bare[0]) - 64:02d}{bare[1:9]}"
    products = (int(d) * (1 + i % 2) for i, d in enumerate(digits))
    return sum(product - 9 if product > 9 else product for product in products) % 10 == int(bare[9])


def _foreigner(bare: str) -> bool:
    """A Spanish number of a foreigner: the first letter stands for 0, 1 or 2, the last is the rest by 23."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(f"{'XYZ'.index(bare[0])}{bare[1:8]}") % 23] == bare[8]


def _health_card(bare: str) -> bool:
    """A Brazilian health card: weights 15 to 1, a multiple of 11."""
    return sum(int(d) * (15 - i) for i, d in enumerate(bare)) % 11 == 0


def _chilean(bare: str) -> bool:
    """A Chilean number: weights 2 to 7 in turn from the right, and K for ten."""
    rest = -sum(int(d) * (2 + i % 6) for i, d in enumerate(reversed(bare[:-1]))) % 11
    return bare[-1] == "0123456789K"[rest]


def _taxed(bare: str) -> bool:
    """A Polish tax number: the rest by 11 of nine digits, each by its weight."""
    return sum(int(d) * weight for d, weight in zip(bare, (6, 5, 7, 2, 3, 4, 5, 6, 7), strict=False)) % 11 == int(
        bare[9]
    )


@cache
def schemes() -> tuple[NumberScheme, ...]:
    """Every sort of number."""
    own = (
        (r"\d{10}", nhs, 0.1),  # United Kingdom, NHS number
        (r"\d{11}", lambda bare: luhn(bare) and _dated(bare), 0.01),  # Greece, AMKA
        (r"\d{13}", _dated, 0.08),  # Korea, resident registration number
        (r"[A-Z]\d{9}", _insured, 0.1),  # Germany, health insurance number
        (r"[XYZ]\d{7}[A-Z]", _foreigner, 0.05),  # Spain, foreigners
        (r"756\d{10}", lambda bare: True, 0.001),  # Switzerland
        (r"[12789]\d{14}", _health_card, 0.05),  # Brazil, cartão nacional de saúde
        (r"\d{7,8}[\dK]", _chilean, 0.1),  # Chile, RUT
        (r"\d{10}", _taxed, 0.1),  # Poland, NIP
    )
    listed = ((shape, _listed(country, cls), chance) for country, cls, shape, chance in LISTED)
    return tuple(NumberScheme(re.compile(shape), right, chance) for shape, right, chance in (*own, *listed))


class NationalNumber(Recogniser):
    """Nearly all values pass the check of one sort of number, and too many of them for an accident.

    One in ten random numbers passes a single check digit; that n of them all do has the chance 1 / 10^n.
    """

    concept = "national number"
    role = Role.DIRECT
    hipaa = Hipaa.NATIONAL
    strength = 0.85
    needed = 0.9
    most = 200
    longest = 40

    def matches(self, value: str) -> bool:
        return any(number.matches(value) for number in schemes())

    def values(self, sample: Sequence[str]) -> list[str]:
        """The values that are looked at; where they were kept as numbers, with the noughts that those lost in front."""
        values = super().values(sample)
        longest = max(map(len, values), default=0)
        lost = all(value.isdigit() and len(value) >= longest - 2 for value in values)
        return [value.zfill(longest) for value in values] if lost else values

    def share(self, sample: Sequence[str]) -> float:
        """The share that passes the check which fits best."""
        values = self.values(sample)
        return max((_share(number, values) for number in schemes()), default=0.0)


def _share(number: NumberScheme, values: Sequence[str]) -> float:
    """The share that passes; 0 where the first few do not, or where so few passed that it may be luck."""
    first = values[:20]
    if sum(map(number.matches, first)) < 0.8 * len(first):
        return 0.0
    passed = sum(map(number.matches, values))
    return passed / len(values) if values and number.chance**passed < LUCK else 0.0
