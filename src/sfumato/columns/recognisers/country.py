"""Countries."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Country(ClosedList):
    """Countries by name; codes of two or three letters under a name that goes with them."""

    concept = "countries"
    role = Role.QUASI
    strength = 0.87
    plainly = 0.92
    file = "country"
    unnamed = 0.78
    hints = hinted(
        "country cntry nation pays land pais paese kraj χωρα birthplace born origin citizen herkunft residence"
    )
