"""Places on the globe."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

PAIR = re.compile(r"(?:POINT\s*)?[(\[]?\s*(-?\d{1,3}\.\d{2,})\s*[,; ]\s*(-?\d{1,3}\.\d{2,})\s*[)\]]?", re.IGNORECASE)
DEGREES = re.compile(r"\d{1,3}\s*°\s*\d{1,2}(?:[.,]\d+)?\s*['′]?.{0,20}[NSEWO]", re.IGNORECASE)


class Coordinates(Recogniser):
    """Latitude and longitude together, or degrees and minutes. One number alone may measure anything."""

    concept = "coordinates"
    role = Role.QUASI
    hipaa = Hipaa.PLACES
    strength = 0.85

    def matches(self, value: str) -> bool:
        if pair := PAIR.fullmatch(value):
            one, other = abs(float(pair[1])), abs(float(pair[2]))
            return max(one, other) <= 180 and min(one, other) <= 90
        return DEGREES.match(value) is not None
