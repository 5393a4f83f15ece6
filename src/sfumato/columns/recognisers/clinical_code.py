"""Codes of diagnoses, medicines, laboratory tests and genes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

CODE = re.compile(
    r"[A-TV-Z]\d[\dA-B](?:\.?[\dA-Z]{1,4})?"  # ICD-10: E11.9
    r"|[A-DGHJL-NPRSV]\d{2}[A-Z]{1,2}(?:\d{2})?"  # ATC: A10BA02
    r"|\d{1,5}-\d"  # LOINC: 4548-4
    r"|rs\d{3,10}|[cgpnm]\.[-*]?\d+\S*"  # rs429358, c.68_69del
    r"|\d{5}-\d{3,4}-\d{1,2}"  # NDC
)
NUMBERED = re.compile(r"[A-Z]\d+")


class ClinicalCode(Recogniser):
    """ICD-10, ATC, LOINC or NDC codes, or genetic variants."""

    concept = "clinical code"
    role = Role.SENSITIVE
    hipaa = None
    strength = 0.7
    needed = 0.9

    def matches(self, value: str) -> bool:
        return CODE.fullmatch(value) is not None

    def share(self, sample: Sequence[str]) -> float:
        """The share of codes; 0 where they are a letter or two and a number, as subjects are numbered."""
        values = self.values(sample)
        numbered = sum(NUMBERED.fullmatch(value) is not None for value in values) > 0.7 * len(values)
        chapters = {value[:1] for value in values}
        return 0.0 if numbered and len(chapters) < 4 else super().share(values)
