"""Class size: how many records look alike, on average."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.objective_interface import Objective, Scorer, State, Task


@dataclass(frozen=True, kw_only=True)
class ClassSize(Objective):
    r"""Records over classes, where all that is suppressed is one more class.

    .. math:: \frac{N}{f \cdot |\text{kept classes}| + g \cdot [S > 0]}

    with the factors f of suppression and g of generalisation in this order, as in ARX.

    References
    ----------
    LeFevre, DeWitt, Ramakrishnan (2006). Mondrian multidimensional k-anonymity. ICDE, 25 (section 5).

    Examples
    --------
    >>> ClassSize().name()
    'class-size'
    """

    plainly = "how many records look alike, on average"

    def ready(self, task: Task) -> Scorer:
        return ClassSizeScorer(self, task)


class ClassSizeScorer(Scorer):
    """A class that is kept has a row that is large enough, or enough small ones."""

    reads_lows = False

    def __init__(self, objective: Objective, task: Task) -> None:
        self.f, self.g = objective.suppression_factor, objective.generalisation_factor
        self.n, self.fewest = task.table.total, task.judges.least
        self.least, self.most = 1.0, float(self.n)

    def score(self, state: State) -> float:
        return self._score(int(state.kept.sum()), suppressed=state.suppressed > 0)

    def bound(self, state: State, lows: Node) -> float:
        import numpy as np

        grouped, sizes = state.grouped, state.grouped.of_rows(state.grouped.table.member_weights)
        large = sizes >= self.fewest
        rows = np.bincount(grouped.ids, weights=large, minlength=grouped.space)
        small = np.bincount(grouped.ids, weights=np.where(large, 0, sizes), minlength=grouped.space)
        return self._score(int((rows + np.floor(small / self.fewest))[~state.verdict.doomed].sum()), suppressed=True)

    def _score(self, classes: int, *, suppressed: bool) -> float:
        parts = self.f * classes + self.g * suppressed
        return self.n / parts if parts else inf
