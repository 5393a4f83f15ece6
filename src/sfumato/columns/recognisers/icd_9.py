"""ICD-9 and ICD-9-CM: diagnoses, procedures, and what injured."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import DIAGNOSES, PROCEDURES, CodeSystem

LETTERED = re.compile(r"V\d{2}(?:\.?\d{1,2})?|E[89]\d{2}(?:\.?\d)?")
CERTAIN = ("icd", "diag", " dx", "dgns", "ecode", "pdx ", "prcdr", "cim9", "cie9")  # say so even of bare digits


class Icd9(CodeSystem):
    """Three digits and up to two more, with or without a dot; V and E codes beside them.

    Digits are like anything: without a name that says diagnosis some of them must be V or E codes, which stand among
    three digits nowhere else. Where numbers were read, noughts at the front are lost.
    """

    concept = "ICD-9 codes"
    strength = 0.9
    unnamed = 0.8
    hints = DIAGNOSES | PROCEDURES
    pattern = re.compile(rf"{LETTERED.pattern}|\d{{3}}(?:\.\d{{1,2}})?|\d{{2}}\.\d{{1,2}}|\d{{3,5}}", re.IGNORECASE)
    fewest = 5

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Without a name for it, only beside V and E codes; two or three different numbers may count something."""
        values = self.values(sample)
        lettered = sum(LETTERED.fullmatch(value.upper()) is not None for value in values)
        digits = sum(value[:1].isdigit() for value in values)
        if lettered >= max(1, 0.01 * len(values)) and digits >= 0.3 * len(values):
            return super().weight(sample, said)
        dotted = sum("." in value for value in values) >= 0.3 * len(values)
        spread = {value[:2] for value in values}
        if not self.named(said) or len(spread) < self.fewest:
            return 0.0
        if any(word in said for word in CERTAIN):
            return self.strength if dotted or all(len(value) >= 3 for value in values) else 0.0
        return 0.8 if dotted else 0.0
