"""LOINC: laboratory tests and observations, by their check digit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.checksums import luhn
from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class Loinc(CodeSystem):
    """Up to seven digits, a hyphen and the check digit that Luhn gives; parts begin with LP, answers with LA."""

    concept = "LOINC codes, check digit right"
    strength = 0.95
    unnamed = 0.95
    hints = hinted("loinc test lab code codes cd observation component analyte labor messung")
    chance = 0.1
    pattern = re.compile(r"(?:L[PAG])?\d{1,7}-\d")

    def right(self, code: str) -> bool:
        return luhn(code.lstrip("LPAG").replace("-", ""))

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Less where so few codes may be right by accident, whatever the name."""
        matched = len({value for value in self.values(sample) if self.matches(value)})
        return super().weight(sample, said) if matched >= 5 else 0.8 if matched >= 2 and self.named(said) else 0.0
