"""Specimens."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Specimen(ClosedList):
    """Serum, urine, nasopharyngeal swab: what was examined."""

    concept = "specimens"
    role = Role.SENSITIVE
    strength = 0.8
    file = "specimen"
    unnamed = 0.7
    hints = hinted(
        "specimen spectype sampletype material probe probenmaterial matrix prelevement muestra campione "
        "materiaal probka δειγμα fluid"
    )
