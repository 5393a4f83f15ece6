"""Occupations."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Occupation(ClosedList):
    """Retired, nurse, self-employed: work, or that there is none."""

    concept = "occupations or states of work"
    role = Role.QUASI
    strength = 0.85
    file = "occupation"
    unnamed = 0.75
    hints = hinted(
        "occup job work employ profess beruf arbeit metier emploi trabajo ocupac lavor mestiere beroep werk "
        "zawod επαγγ yrke"
    )
