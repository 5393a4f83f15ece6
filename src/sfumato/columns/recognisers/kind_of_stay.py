"""Kinds of stays and dispositions."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class KindOfStay(ClosedList):
    """Inpatient, emergency, discharged to home: kinds of stays, and where people came from and went."""

    concept = "kinds of stays or dispositions"
    role = Role.SENSITIVE
    strength = 0.75
    plainly = 0.75
    file = "kind_of_stay"
    unnamed = 0.65
    hints = hinted(
        "admission admit discharge disposition encounter visit patienttype patienttyp pattype aufnahme "
        "entlassung fallart entree sortie ingreso egreso ricovero opname ontslag careset setting "
        "przyjecie"
    )
