"""Strengths of drugs: an amount and its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import DRUGS, CodeSystem, hinted


class DrugStrength(CodeSystem):
    """500 MG, 10 mg/ml, 100 units: amounts with a unit of drugs."""

    concept = "strengths or doses of drugs"
    strength = 0.88
    unnamed = 0.72
    needed = 0.8
    hints = DRUGS | hinted("strength dose dosage dosis dosierung starke concentration amount posologia")
    pattern = re.compile(
        r"\d[\d.,]*(?:[-/ ]\d[\d.,]*)* ?(?:mg|mcg|ug|µg|g|gm|ml|units?|iu|ie|u|meq|mmol|%|l)"
        r"(?: ?/ ?[\d.,]* ?(?:ml|l|h|hr|actuat|dose|tab|kg|day|d|min|g|m2))*"
        r"(?: (?:tablet|capsule|tab|cap|vial|bag|inj\w*"
        r"|oral|pe?r? day|daily|bid|premix|syringe|patch).{0,30})?",
        re.IGNORECASE,
    )

    def named(self, said: str) -> bool:
        """Doses are named as amounts, which other codes are not."""
        return any(hint in said if len(hint) > 3 else f" {hint} " in said for hint in self.hints)

    def weight(self, sample: Sequence[str], said: str) -> float:
        """As for every shape; a single amount says nothing without a name for it."""
        return super().weight(sample, said)
