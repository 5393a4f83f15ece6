"""CCAM: procedures in France."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import PROCEDURES, CodeSystem


class Ccam(CodeSystem):
    """Four letters (organ, action, way) and three digits: HHFA001."""

    concept = "CCAM codes"
    strength = 0.92
    unnamed = 0.6
    hints = PROCEDURES
    fewest = 5
    pattern = re.compile(r"[A-HJ-NP-QYZ][A-Z]{3}\d{3}(?:[-+ ]?[0-9A-Z]{1,3})?")

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name for it where all begin alike, as the numbers of a study do."""
        spread = {value[:2] for value in self.values(sample)}
        return super().weight(sample, said) if self.named(said) or len(spread) >= self.fewest else 0.0
