"""Names of tests."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class LaboratoryTest(ClosedList):
    """Glucose, heart rate, HbA1c: what was measured."""

    concept = "names of tests or measurements"
    role = Role.SENSITIVE
    strength = 0.85
    plainly = 0.9
    file = "laboratory"
    unnamed = 0.72
    needed = 0.5
    hints = hinted(
        "test lab labname labtest measure param analyte component observation label item labor messwert examen prueba "
        "esame "
        "exame bepaling badanie εξεταση paramcd"
    )
