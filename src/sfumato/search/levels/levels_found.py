"""Levels found: those that a search chose, and how sure it is that there are no better ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Scores that differ by less, relatively, are the same. Chosen between what rounding does (a score is a sum of millions
# of terms at the most, and is off by some 1e-15 to 1e-13) and what a difference of one record among millions does.
CLOSE = 1e-12


@dataclass(frozen=True)
class LevelsFound:
    """The best combination of levels, what it costs, and what was proved about all others.

    >>> found = LevelsFound(levels={"age": 2}, records=30, suppressed=1, classes=2, sizes=(9, 20), score=0.25,
    ...     normalised=0.25, bound=0.2, examined=3, pruned=0, tied=0, lattice=5)
    >>> found.optimal, round(found.gap, 4), found.average_size
    (False, 0.2, 14.5)
    """

    levels: Mapping[str, int]
    records: int
    suppressed: int  # records
    classes: int  # that are kept
    sizes: tuple[int, int]  # of the smallest and the largest class that is kept; zeros where none is
    score: float
    normalised: float  # the score, from 0 where nothing is lost to 1 where everything is
    bound: float  # no combination of levels scores less
    examined: int  # combinations that were looked at
    pruned: int  # combinations that need no look: they break the policy or cannot be better
    tied: int  # further combinations of the same score that were seen
    lattice: int  # all combinations

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no combination of levels is better."""
        return self.bound >= self.score - CLOSE * max(1.0, abs(self.score))

    @property
    def gap(self) -> float:
        """By how much a better combination could undercut the score at the most, as a share of the score."""
        return 0.0 if self.optimal or not self.score else (self.score - self.bound) / abs(self.score)

    @property
    def average_size(self) -> float | None:
        """How many records a class that is kept has on average."""
        return (self.records - self.suppressed) / self.classes if self.classes else None

    def document(self) -> dict[str, Any]:
        """Everything as plain values."""
        smallest, largest = self.sizes
        return {
            "levels": dict(self.levels), "records": self.records, "suppressed": self.suppressed,
            "classes": self.classes, "smallest": smallest, "average": self.average_size, "largest": largest,
            "score": self.score, "normalised": self.normalised, "optimal": self.optimal, "bound": self.bound,
            "gap": self.gap, "examined": self.examined, "pruned": self.pruned, "tied": self.tied,
            "lattice": self.lattice,
        }  # fmt: skip
