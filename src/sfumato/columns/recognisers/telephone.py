"""Telephone numbers that are written as such."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.columns.recognisers.telephone_abroad import SHAPE
from sfumato.schema import Role

GROUPED = re.compile(
    r"\(0?\d{1,4}\)[ .-]?\d{2,4}(?:[ .-]?\d{2,4}){1,3}"  # (020) 123 4567
    r"|0\d{1,4}[ ./-]\d{2,8}(?:[ .-]?\d{2,4}){0,3}"  # 06-12345678, 030/1234567
    r"|0\d(?:[ .-]\d{2}){4}"  # 06 12 34 56 78
    r"|(?:1[ .-])?[2-9]\d{2}[ .-]\d{3}[ .-]\d{4}"  # 212-555-1234
    r"|[2-9]\d{2}[ .-]\d{3}[ .-]\d{3}|[69]\d{2}[ .]\d{2}[ .]\d{2}[ .]\d{2}"  # 912 345 678
    r"|3\d{2}[ ./-]\d{6,7}"  # 347 1234567
    r"|(?:69\d|2\d{2,3})[ -]\d{3,7}(?:[ -]\d{3,4})?"  # 697 123 4567
    r"|001(?:[ .-]\d{3}){2}[ .-]\d{4}"
)
EXTENSION = re.compile(r"(?:\s*(?:x|ext\.?|extension|#)\s*\d{1,6})$", re.IGNORECASE)
SHORTEST, LONGEST = 8, 15  # digits


def national(value: str) -> bool:
    """Whether a value is grouped as a telephone number of some country."""
    bare = EXTENSION.sub("", value)
    return SHORTEST <= sum(c.isdigit() for c in bare) <= LONGEST and GROUPED.fullmatch(bare) is not None


class Telephone(Recogniser):
    """Digits in the groups in which people write telephone numbers, some perhaps with the code of their country.

    Order numbers may be grouped the same way.
    """

    concept = "telephone"
    role = Role.DIRECT
    hipaa = Hipaa.TELEPHONE
    strength = 0.65
    longest = 40

    def matches(self, value: str) -> bool:
        return national(value) or SHAPE.fullmatch(value) is not None
