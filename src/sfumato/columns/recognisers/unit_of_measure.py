"""Units of measurement."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class UnitOfMeasure(ClosedList):
    """mg/dL, mmHg, years: what was measured in, and not what was measured."""

    concept = "units of measurement"
    role = Role.NON_SENSITIVE
    strength = 0.9
    file = "unit"
    unnamed = 0.85
    lone = 0.0  # a single short word is anything: CM is a domain of the SDTM
    hints = hinted(
        "unit units uom unite einheit unidad unita unidade eenheid jednostka μοναδα enhet dosu orresu stresu ageu"
    )
