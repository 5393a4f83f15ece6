"""OPS and kindred: procedures of German hospitals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import PROCEDURES, CodeSystem


class Ops(CodeSystem):
    """A chapter (1, 3, 5, 6, 8, 9), a hyphen, three characters and up to two behind a dot: 5-820.01."""

    concept = "OPS codes"
    strength = 0.92
    unnamed = 0.88
    hints = PROCEDURES
    fewest = 3
    pattern = re.compile(r"[135689]-\d{2}[0-9a-z](?:\.[0-9a-z]{1,2})?(?: ?[RLB])?", re.IGNORECASE)

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name for it where few have a dot: a hyphen stands in much else."""
        values = self.values(sample)
        dotted = sum("." in value for value in values) >= 0.3 * len(values)
        return super().weight(sample, said) if dotted or self.named(said) else 0.0
