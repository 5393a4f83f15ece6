"""DRG: groups of hospital stays by which is paid."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted

LETTERED = re.compile(r"[A-Z9]\d{2}[A-IZ]")


class Drg(CodeSystem):
    """Up to four digits under a name that says DRG; a letter, two digits and a letter in Germany and Australia."""

    concept = "diagnosis related groups"
    strength = 0.88
    unnamed = 0.5
    whole = True
    hints = hinted("drg msdrg aprdrg gdrg drgs mdc ghm grd jgp casemix ccs ccsr hcc")
    pattern = re.compile(rf"\d{{1,4}}(?:-\d)?|{LETTERED.pattern}|\d{{2}}[A-Z]\d{{2}}[\dA-Z]|[A-Z]{{3}}\d{{3}}")

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name for it, unless the letters are many, as chapters are."""
        values = self.values(sample)
        chapters = {value[0] for value in values if LETTERED.fullmatch(value)}
        lettered = sum(LETTERED.fullmatch(value) is not None for value in values) >= 0.9 * len(values)
        return super().weight(sample, said) if self.named(said) or (lettered and len(chapters) >= 5) else 0.0
