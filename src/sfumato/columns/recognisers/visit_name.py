"""Visits and epochs of a study."""

from __future__ import annotations

from sfumato.columns.recognisers.closed_list import ClosedList
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role


class VisitName(ClosedList):
    """Screening, baseline, end of treatment: points of a study's schedule and states of its records."""

    concept = "visits or epochs of a study"
    role = Role.NON_SENSITIVE
    strength = 0.8
    file = "visit_name"
    unnamed = 0.65
    hints = hinted("visit epoch avisit event phase period tpt timepoint redcap arm cat source status")
