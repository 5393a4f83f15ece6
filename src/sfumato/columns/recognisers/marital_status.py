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
    plainly = 0.92
    file = "marital"
    hints = hinted(
        "marital marit familienstand estadocivil statocivile etatcivil situationfamiliale "
        "burgerlijkestaat civilstand οικογενειακη stancywilny civilstatus maritalstatus"
    )
