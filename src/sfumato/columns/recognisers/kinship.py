"""Relations between people."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Kinship(ClosedList):
    """Mother, spouse, self: how somebody is related to somebody."""

    concept = "relations between people"
    role = Role.QUASI
    strength = 0.75
    file = "kinship"
    unnamed = 0.65
    hints = hinted("relation relationship kin family verwandt parent lien parentesco parentela relatie pokrewie συγγεν")
