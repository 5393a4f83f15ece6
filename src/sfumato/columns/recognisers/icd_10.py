"""ICD-10 with its national editions (CM, GM, CIM-10, CIE-10, CID-10), and topographies of ICD-O."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import DIAGNOSES, CodeSystem, hinted

DOTTED = re.compile(r"[A-Z]\d[\dAB]\.\S+", re.IGNORECASE)
NUMBERED = re.compile(r"[A-Z]\d+", re.IGNORECASE)
# The last category of each chapter's letter; the letters that are not here have all hundred.
LAST = {"D": 89, "E": 90, "H": 95, "K": 95, "O": 99, "P": 96, "T": 98, "U": 99}


class Icd10Code(CodeSystem):
    """A letter, two digits, and after a dot up to four more; crosses, stars and sides as Germany writes them.

    With dots nothing else looks like this. Without them rooms, seats and subjects are numbered alike: several letters
    and several lengths must occur, or the name must say diagnosis.
    """

    concept = "ICD-10 codes"
    strength = 0.93
    unnamed = 0.9
    hints = DIAGNOSES | hinted("topograph site primary tumor tumour tumeur neoplasm cancer icdo death")
    pattern = re.compile(
        r"[A-Z]\d[\dAB](?:\.(?:[\dX][\dA-Z]{0,3}|-)|[\dX][\dA-Z]{0,3})?[-+*!†#]?(?: ?[GVZA])?(?: ?[RLB])?",
        re.IGNORECASE,
    )

    def right(self, code: str) -> bool:
        return not code[2].isdigit() or int(code[1:3]) <= LAST.get(code[0].upper(), 99)

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Less where there are no dots: 0 where a letter or two and a number may count people."""
        values = [value for value in self.values(sample) if self.matches(value)]
        if sum(DOTTED.fullmatch(value) is not None for value in values) >= 0.1 * len(values):
            return super().weight(sample, said)
        letters = {value[0].upper() for value in values}
        numbered = sum(NUMBERED.fullmatch(value) is not None for value in values) > 0.7 * len(values)
        if self.named(said):
            return self.strength if len(letters) > 1 else 0.8
        if len(letters) < 4:
            return 0.0 if numbered else 0.45
        return 0.8 if len(letters) >= 5 and len({len(value) for value in values}) > 1 else 0.6
