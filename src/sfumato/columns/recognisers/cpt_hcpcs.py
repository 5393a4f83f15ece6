"""CPT and HCPCS: what was done and billed in America."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted

LETTERED = re.compile(r"[A-CEGHJ-MP-V]\d{4}|\d{4}[FTU]", re.IGNORECASE)


class CptHcpcs(CodeSystem):
    """Five digits, or a letter and four, or four and a letter; a modifier may follow. Postcodes are five digits too.

    Under a name that says procedure; without one only where digits and several letters are mixed.
    """

    concept = "CPT or HCPCS codes"
    strength = 0.88
    unnamed = 0.7
    whole = True
    hints = hinted("cpt cpt4 hcpcs procedure procedur proc prcdr px surg")
    pattern = re.compile(rf"(?:\d{{5}}|{LETTERED.pattern})(?:[- ][A-Z0-9]{{2}})?", re.IGNORECASE)

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 where the name says nothing and not both sorts are there."""
        values = self.values(sample)
        letters = {value[0].upper() for value in values if LETTERED.match(value)}
        digits = sum(value.isdigit() for value in values)
        mixed = len(letters) >= 2 and 0.1 * len(values) <= digits <= 0.95 * len(values)
        return super().weight(sample, said) if self.named(said) or mixed else 0.0
