"""How often a drug is taken."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class DoseFrequency(ClosedList):
    """QD, BID, PRN, once daily: how often a drug is taken."""

    concept = "frequencies of doses"
    role = Role.SENSITIVE
    strength = 0.8
    file = "dose_frequency"
    unnamed = 0.65
    hints = hinted("freq frequency dosfrq frq posology posologie regimen haufigkeit frecuencia frequenza")
