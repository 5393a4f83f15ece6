"""ICD-10-PCS: procedures of American hospitals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import PROCEDURES, CodeSystem


class Icd10Pcs(CodeSystem):
    """Seven characters without I and O, the first of which is a section; most have no qualifier, which is a Z."""

    concept = "ICD-10-PCS codes"
    strength = 0.92
    unnamed = 0.88
    hints = PROCEDURES
    fewest = 3
    pattern = re.compile(r"[0-9BCDFGHX][0-9A-HJ-NP-Z]{6}")

    def share(self, sample: Sequence[str]) -> float:
        """The share of codes; 0 where few end as these do, or where they are only digits."""
        values = self.values(sample)
        ended = sum(value.endswith("Z") for value in values) >= 0.4 * len(values)
        mixed = sum(value.isdigit() for value in values) <= 0.3 * len(values)
        return super().share(values) if values and ended and mixed else 0.0
