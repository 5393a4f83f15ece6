"""Health insurances."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Insurance(ClosedList):
    """Medicare, private, self pay: who pays for care."""

    concept = "health insurances"
    role = Role.QUASI
    strength = 0.88
    plainly = 0.92
    file = "insurance"
    unnamed = 0.82
    hints = hinted(
        "insur payer payor payment coverage versicher kasse assurance seguro assicura verzeker ubezpiecz "
        "ασφαλ plan fin regimen convenio"
    )
