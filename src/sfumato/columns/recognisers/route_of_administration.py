"""Routes of administration."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class RouteOfAdministration(ClosedList):
    """Oral, intravenous, PO: how a drug is given."""

    concept = "routes of administration"
    role = Role.SENSITIVE
    strength = 0.8
    file = "route"
    unnamed = 0.65
    hints = hinted("route administ via voie weg toedien droga οδος")
