"""Races and ethnic groups."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Race(ClosedList):
    """White, Black, Asian, Hispanic and the groups of other countries' censuses."""

    concept = "races or ethnic groups"
    role = Role.QUASI
    strength = 0.88
    plainly = 0.92
    file = "race"
    hints = hinted("race ethnic ethnicity ethn etnia raca raza rasse etnis")
