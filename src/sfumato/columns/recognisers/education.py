"""Levels of education."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class Education(ClosedList):
    """High school, Abitur, licenciatura: levels of schooling."""

    concept = "levels of education"
    role = Role.QUASI
    strength = 0.87
    plainly = 0.92
    file = "education"
    unnamed = 0.82
    hints = hinted(
        "educ school bildung schul etude diplom estudio escolar instruc istruz titolo opleiding wykszt εκπαιδ "
        "utbild degree"
    )
