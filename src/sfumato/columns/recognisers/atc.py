"""ATC: groups of drugs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import DRUGS, CodeSystem

# The therapeutic groups of each anatomical group (WHO Collaborating Centre for Drug Statistics Methodology).
GROUPS = (
    r"A(?:0\d|1[0-6])|B0[1-6]|C(?:0[1-57-9]|10)|D(?:0\d|1[01])|G0[1-4]|H0[1-5]|J0[1-7]|L0[1-4]|M0[1-59]|N0[1-7]|P0[1-3]"
    r"|R0[1-35-7]|S0[1-3]|V(?:0[1346-9]|10|20)"
)
DEEP = re.compile(r"\w{3}[A-Z].*", re.IGNORECASE)


class AtcCode(CodeSystem):
    """A letter, two digits, a letter, a letter, two digits: five levels, each of which may be the last."""

    concept = "ATC codes"
    strength = 0.95
    unnamed = 0.93
    hints = DRUGS
    pattern = re.compile(rf"(?:{GROUPS})(?:[A-Z](?:[A-Z](?:\d{{2}})?)?)?", re.IGNORECASE)

    def share(self, sample: Sequence[str]) -> float:
        """The share of codes; 0 where only the first two levels are there, which ICD-10 and rooms have as well."""
        values = self.values(sample)
        deep = sum(DEEP.fullmatch(value) is not None for value in values) >= 0.5 * len(values)
        return super().share(values) if values and deep else 0.0
