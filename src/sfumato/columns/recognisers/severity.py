"""Severities and grades."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Severity(ClosedList):
    """Mild, severe, grade 3, related: how bad, and from what."""

    concept = "severities or grades"
    role = Role.SENSITIVE
    strength = 0.88
    plainly = 0.92
    file = "severity"
    unnamed = 0.78
    hints = hinted(
        "severity sever sev grade intensity schwere gravite gravedad gravita ernst stopien σοβαρο "
        "toxicity toxgr lateral acuity triage differentiat"
    )
