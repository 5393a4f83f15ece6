"""ICD-O: morphologies of tumours."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.code_system import CodeSystem


class IcdO(CodeSystem):
    """Four digits from 8000 on, a slash, and the behaviour: 8140/3. Topographies (C50.9) are those of ICD-10."""

    concept = "ICD-O morphologies"
    strength = 0.93
    fewest = 1
    pattern = re.compile(r"(?:M-?)?(?:8\d{3}|9\d{3})/[012369][1-9]?")
