"""Blood pressures, both in one value."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class BloodPressure(CodeSystem):
    """120/80: the upper of 60 to 260, the lower of 20 to 160 and below it. Fractions and scores are seldom so."""

    concept = "blood pressures"
    strength = 0.9
    unnamed = 0.85
    hints = hinted("blood pressure bp rr nibp tension blutdruck presion pressione bloeddruk cisnienie πιεση blodtryck")
    fewest = 4
    pattern = re.compile(r"(\d{2,3}) ?/ ?(\d{2,3})(?: ?mm ?hg)?", re.IGNORECASE)

    def right(self, code: str) -> bool:
        upper, lower = (int(part) for part in re.findall(r"\d+", code)[:2])
        return 60 <= upper <= 260 and 20 <= lower <= 160 and lower < upper
