"""Visits and epochs of a study."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.closed_list import ClosedList, plain, telling
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role

NUMBERED = re.compile(
    r"(?:week|wk|day|month|visit|cycle|period|screening|baseline|unscheduled|follow ?up|visite|woche|tag|monat|"
    r"semaine|jour|mois|semana|dia|mes|settimana|giorno|mese|dag|maand|besok|wizyta|timepoint)"
    r"s? ?-?\d[\d ./]*(?:(?:week|day|month)s?)?"
    r"|[\w ]{3,60} arm \d{1,2}"
)


class VisitName(ClosedList):
    """Screening, baseline, end of treatment: points of a study's schedule and states of its records."""

    concept = "visits or epochs of a study"
    role = Role.NON_SENSITIVE
    strength = 0.84
    file = "visit_name"
    unnamed = 0.65
    hints = hinted("visit epoch avisit event phase period tpt timepoint redcap status complete")

    def matches(self, value: str) -> bool:
        return super().matches(value) or NUMBERED.fullmatch(plain(value)) is not None

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Numbered visits count as words of the list; without a name for it they may be weeks of a pregnancy."""
        numbered = [value for value in telling(self.values(sample)) if NUMBERED.fullmatch(value)]
        return super().weight(sample, said) or (0.5 if len(numbered) >= self.fewest else 0.0)
