"""GSN, GCN, DIN and other numbers of drug products."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class Gsn(CodeSystem):
    """Four to nine digits: only under a name that says so."""

    concept = "numbers of drug products"
    strength = 0.85
    unnamed = 0.0
    whole = True
    hints = hinted("gsn gcn gcnseqno hicl multum gpi cnk zindex vtm dmd bnf bnfcode")
    pattern = re.compile(r"\d{4,18}|[0-9A-Z]{9,15}|0")
