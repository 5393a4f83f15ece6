"""Outcomes."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Outcome(ClosedList):
    """Died, recovered, alive: what became of somebody."""

    concept = "outcomes"
    role = Role.SENSITIVE
    strength = 0.85
    plainly = 0.92
    file = "outcome"
    unnamed = 0.75
    hints = hinted(
        "outcome vital death dead alive surviv evolucion esito ausgang desfecho uitkomst utfall εκβαση "
        "recovered dsdecod dsterm vitalstatus"
    )
