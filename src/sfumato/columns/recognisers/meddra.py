"""MedDRA: adverse events and medical history, by number."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class MedDra(CodeSystem):
    """Eight digits that begin with 100, as the numbers of subjects may: only under a name that says so."""

    concept = "MedDRA codes"
    strength = 0.88
    unnamed = 0.0
    whole = True
    hints = hinted(
        "meddra aeptcd aelltcd aehltcd aehlgtcd aebdsycd aesoccd mhptcd mhlltcd mhhltcd mhbdsycd mhsoccd "
        "ptcode lltcode soccode reac"
    )
    pattern = re.compile(r"100[0-9]\d{4}")
