"""Use of tobacco, alcohol and drugs."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class SubstanceUse(ClosedList):
    """Never smoker, ex-drinker, raucher: tobacco, alcohol and drugs."""

    concept = "use of tobacco, alcohol or drugs"
    role = Role.SENSITIVE
    strength = 0.9
    plainly = 0.92
    file = "substance_use"
    unnamed = 0.85
    hints = hinted("smok tobacco alcohol drink rauch tabac tabaq fum rook palen καπνισ rok drug cigar vap alkohol etil")
