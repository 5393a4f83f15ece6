"""Dose forms."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class DoseForm(ClosedList):
    """Tablet, Oral Solution, Kapsel: what a drug is made as."""

    concept = "dose forms"
    role = Role.SENSITIVE
    strength = 0.8
    file = "dose_form"
    unnamed = 0.65
    hints = hinted("form dosage dosform darreichung forme forma vorm postac μορφη")
