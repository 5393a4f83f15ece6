"""Marital states."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class MaritalStatus(ClosedList):
    """Married, single, widowed: in ten languages."""

    concept = "marital states"
    role = Role.QUASI
    strength = 0.9
    file = "marital"
    hints = hinted(
        "marital marit civil familienstand estado civil stato burgerlijke civilstand οικογενειακη married "
        "marriage stancywilny"
    )
