"""SNOMED CT: concepts, by length, partition and check digit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import DIAGNOSES, DRUGS, PROCEDURES, CodeSystem, hinted

# The dihedral group of order 10, and the permutation of positions, by which Verhoeff (1969) finds every single wrong
# digit and every swap of neighbours.
PRODUCT = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
    "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
)  # fmt: skip
PERMUTED = (
    "0123456789", "1576283094", "5803796142", "8916043527",
    "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip
ENOUGH = 10  # different identifiers that are all right, from which on no name is needed


def verhoeff(digits: str) -> bool:
    """Whether the last digit is right.

    >>> verhoeff("22298006"), verhoeff("22298007")
    (True, False)
    """
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(PRODUCT[check][int(PERMUTED[place % 8][int(digit)])])
    return check == 0


class SnomedCt(CodeSystem):
    """Six to eighteen digits: two of them say what is identified (a concept, a description), the last one checks.

    Twelve of a hundred numbers have such a partition, and one of ten the check digit.
    """

    concept = "SNOMED CT codes, length and check digit right"
    strength = 0.93
    unnamed = 0.9
    hints = (
        DIAGNOSES
        | PROCEDURES
        | DRUGS
        | hinted(
            "code codes cd snomed sct sctid concept conceptid reaction allerg bodysite site finding observation system"
        )
    )
    chance = 0.012
    whole = True
    pattern = re.compile(r"[1-9]\d{2,14}[01][0-5]\d")

    def right(self, code: str) -> bool:
        return verhoeff(code)

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 where so few numbers may be right by accident; less where there are few."""
        values = self.values(sample)
        matched = {value for value in values if self.matches(value)}
        if len(matched) >= ENOUGH:
            return super().weight(sample, said)
        if not self.named(said) or len(matched) < len(set(values)):
            return 0.0
        return (0.45, 0.7, 0.85)[min(len(matched), 3) - 1]
