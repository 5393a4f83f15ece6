"""Ambiguity: how many combinations of values a record could have had."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.label_volume import volumes
from sfumato.search.scoring.objective_interface import Objective, Scorer, State, Task


@dataclass(frozen=True, kw_only=True)
class Ambiguity(Objective):
    r"""The combinations of original values that each record could stand for, added up.

    .. math:: AM = \sum_{\text{kept } E} |E| \prod_j |leaves_j(E)| + S \prod_j D_j

    References
    ----------
    Nergiz & Clifton (2007). Thoughts on k-anonymization. Data & Knowledge Engineering 63(3), 622-645.

    Examples
    --------
    >>> Ambiguity().name()
    'ambiguity'
    """

    plainly = "how many combinations of values the records could stand for, added up"

    def ready(self, task: Task) -> Scorer:
        return AmbiguityScorer(task)


class AmbiguityScorer(Scorer):
    """A class stands for no fewer combinations than its rows do at the finest node."""

    def __init__(self, task: Task) -> None:
        n = float(task.table.total)
        self.domain = float(prod(column.domain for column in task.table.columns))
        self.least, self.most = n, n * self.domain

    def score(self, state: State) -> float:
        grouped, kept = state.grouped, state.kept
        each = volumes(grouped.table, grouped.levels, grouped.examples[kept])
        return float((grouped.records[kept] * each).sum()) + state.suppressed * self.domain

    def bound(self, state: State, lows: Node) -> float:
        grouped = state.grouped
        rows = grouped.rows_in(~state.verdict.doomed)
        each = volumes(grouped.table, lows, rows)
        own = float((grouped.table.weights.take(rows) * each).sum())
        more = state.verdict.more * (self.domain - float(each.max())) if len(each) else 0.0
        return own + state.forced * self.domain + max(more, 0.0)
