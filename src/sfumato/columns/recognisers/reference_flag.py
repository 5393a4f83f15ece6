"""Flags of results."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class ReferenceFlag(ClosedList):
    """Normal, abnormal, HH: whether a result lies in its range."""

    concept = "flags of results"
    role = Role.SENSITIVE
    strength = 0.85
    file = "reference_flag"
    unnamed = 0.75
    hints = hinted(
        "flag nrind interpretation result abnormal normal range indicator ind befund status level resultado "
        "resultat anrind cat class"
    )
