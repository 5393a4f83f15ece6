"""Discernibility: how many records each record cannot be told from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.objective_interface import Objective, Scorer, State, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


@dataclass(frozen=True, kw_only=True)
class Discernibility(Objective):
    r"""The records that each record looks like, added up; a suppressed one looks like everybody.

    .. math:: DM = \sum_{\text{kept } E} |E|^2 + N S \qquad DM^* = \sum_E |E|^2

    With `ignore_suppression` it is DM*, in which suppressed classes are classes like any other.

    References
    ----------
    Bayardo, Agrawal (2005). Data privacy through optimal k-anonymization. ICDE, 217-228.

    Examples
    --------
    >>> Discernibility().name()
    'discernibility'
    """

    plainly = "how many records each record cannot be told from, added up"
    ignore_suppression: bool = False

    def ready(self, task: Task) -> Scorer:
        return PlainDiscernibilityScorer(task) if self.ignore_suppression else DiscernibilityScorer(task)


class DiscernibilityScorer(Scorer):
    """A class is as large as each of its rows, and as the policy needs."""

    reads_lows = False

    def __init__(self, task: Task) -> None:
        self.n, self.fewest = task.table.total, task.judges.least
        self.least, self.most = float(self.n), float(self.n) ** 2

    def score(self, state: State) -> float:
        return squares(state.grouped.records[state.kept]) + float(self.n) * state.suppressed

    def bound(self, state: State, lows: Node) -> float:
        import numpy as np

        grouped = state.grouped
        sizes = grouped.table.weights.take(grouped.rows_in(~state.verdict.doomed))
        own = float((sizes * np.maximum(sizes, self.fewest)).sum())
        more = state.verdict.more * max(self.n - float(grouped.records.max(initial=0)), 0.0)
        return own + float(self.n) * state.forced + more


class PlainDiscernibilityScorer(DiscernibilityScorer):
    """The same for DM*, where it does not matter what is suppressed."""

    needs_all = True

    def score(self, state: State) -> float:
        return squares(state.grouped.records)

    def bound(self, state: State, lows: Node) -> float:
        return squares(state.grouped.of_rows(state.grouped.table.weights))


def squares(sizes: Real) -> float:
    """The sum of squares."""
    return float((sizes * sizes).sum())
