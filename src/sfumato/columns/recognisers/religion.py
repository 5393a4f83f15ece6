"""Religions."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Religion(ClosedList):
    """Catholic, Muslim, none: religions and confessions."""

    concept = "religions"
    role = Role.QUASI
    strength = 0.88
    plainly = 0.92
    file = "religion"
    hints = hinted("relig konfession confession geloof wyznanie θρησκ faith church")
