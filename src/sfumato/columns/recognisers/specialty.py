"""Medical specialties and departments."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Specialty(ClosedList):
    """Cardiology, Chirurgie, GP: departments and professions of health care."""

    concept = "medical specialties or departments"
    role = Role.QUASI
    strength = 0.82
    file = "specialty"
    unnamed = 0.72
    hints = hinted(
        "special department dept service ward unit fach abteilung station servicio reparto afdeling oddzial "
        "τμημα avdelning provider profession clinic careunit division"
    )
