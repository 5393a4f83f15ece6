"""RxNorm: drugs, by number."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class RxNorm(CodeSystem):
    """Three to seven digits, as anything may have: only under a name that says RxNorm. Beside texts: CodeAndText."""

    concept = "RxNorm codes"
    strength = 0.9
    unnamed = 0.0
    whole = True
    hints = hinted("rxnorm rxcui rxcuis rxaui")
    pattern = re.compile(r"[1-9]\d{1,6}")
