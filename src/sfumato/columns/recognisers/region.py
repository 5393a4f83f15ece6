"""States, provinces and regions."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Region(ClosedList):
    """States, provinces and census regions by name; abbreviations under a name that goes with them."""

    concept = "states, provinces or regions"
    role = Role.QUASI
    strength = 0.87
    plainly = 0.9
    file = "region"
    unnamed = 0.78
    hints = hinted(
        "state stabbr province region county bundesland provincia regione departamento prov wojew census "
        "division statecode"
    )
