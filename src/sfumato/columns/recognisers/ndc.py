"""NDC: packages of drugs in America."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class Ndc(CodeSystem):
    """Labeller, product and package with hyphens between; as ten or eleven digits only under a name that says so."""

    concept = "NDC codes"
    strength = 0.9
    unnamed = 0.85
    whole = True
    hints = hinted("ndc ndc11 ndc9 drugcode prodndc proddesc")
    pattern = re.compile(r"\d{4}-\d{4}-\d{2}|\d{5}-\d{3}-\d{2}|\d{5}-\d{4}-\d{1,2}|\d{4,5}-\d{3,4}|\d{9,11}|0")

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name for it where not both hyphens are there: telephones and orders have one, or none."""
        values = self.values(sample)
        hyphens = sum(value.count("-") == 2 for value in values) >= 0.9 * len(values)
        return super().weight(sample, said) if hyphens or self.named(said) else 0.0
