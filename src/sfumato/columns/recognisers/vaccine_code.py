"""CVX and MVX: vaccines, by number."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class VaccineCode(CodeSystem):
    """One to three digits: only under a name that speaks of vaccines. Beside texts: CodeAndText."""

    concept = "codes of vaccines"
    strength = 0.85
    unnamed = 0.0
    whole = True
    hints = hinted("cvx vaccinecode vaccinationcode immunizationcode immunisationcode vaccinecd vaxcode impfcode")
    pattern = re.compile(r"\d{1,3}")
