"""OMIM and Orphanet: rare diseases, by bare numbers."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class Omim(CodeSystem):
    """Six digits (OMIM), or up to six (Orphanet): only under a name that says so."""

    concept = "numbers of rare diseases"
    strength = 0.88
    unnamed = 0.0
    whole = True
    hints = hinted("omim mim orpha orphanet orphacode")
    pattern = re.compile(r"\d{1,6}")
