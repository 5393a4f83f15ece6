"""PZN: packages of drugs in Germany, by their check digit."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class Pzn(CodeSystem):
    """Eight digits, or seven in former years; the last is the sum of the others by their places, modulo 11."""

    concept = "PZN codes, check digit right"
    strength = 0.92
    unnamed = 0.8
    hints = hinted("pzn pharmazentral pharmazentralnummer arznei medikament packung")
    chance = 0.1
    fewest = 10
    whole = True
    pattern = re.compile(r"(?:PZN[- ]?)?\d{7,8}", re.IGNORECASE)

    def right(self, code: str) -> bool:
        digits = code[-8:].lstrip("PZNpzn- ").zfill(8)
        return sum(place * int(digit) for place, digit in enumerate(digits[:7], 1)) % 11 == int(digits[7])
