"""Flags of results."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.recognisers.closed_list import ClosedList, listed, telling
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role

HIGH_OR_LOW = frozenset({"h", "l", "hh", "ll", "hi", "lo", "hl", "aa", "abn", "wnl"})
SUSCEPTIBLE = frozenset({"s", "i", "r"})
RESISTANT = frozenset({"s", "r"})


class ReferenceFlag(ClosedList):
    """Normal, abnormal, HH: whether a result lies in its range."""

    concept = "flags of results"
    role = Role.SENSITIVE
    strength = 0.85
    file = "reference_flag"
    unnamed = 0.75
    hints = hinted("flag nrind interpretation abnormal anrind bnrind resind indicator suscept sensitivity befundflag")

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 where the letters say nothing of a range: N and A are flags of anything."""
        values = set(telling(self.values(sample)))
        worded = not values.isdisjoint(listed(self.file))
        ranged = not values.isdisjoint(HIGH_OR_LOW) or values >= RESISTANT
        if values == SUSCEPTIBLE:
            return self.strength
        return super().weight(sample, said) if worded or ranged else 0.0
