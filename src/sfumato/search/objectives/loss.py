"""Loss: the share of the domain that labels leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.table import CodedColumn
from sfumato.search.scoring.by_column import EXACT, AdditiveScorer, ColumnObjective, WholeCosts, by_leaf
from sfumato.search.scoring.objective_interface import NodeState, Scorer, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


@dataclass(frozen=True, kw_only=True)
class Loss(ColumnObjective):
    r"""The average share of a column's domain that the labels leave open, from 0 to 1.

    .. math:: x_j = \frac{\sum_r s_j(r) - g N / D_j}{N - g N / D_j}, \quad
        s_j(r) = g \cdot \frac{|leaves_j(r)|}{D_j} \text{ or, suppressed, } 1

    over the N records, where D is the size of the domain and g the factor of generalisation. Where suppression counts
    by f < 1 only, a suppressed record costs its share and f times the rest.

    References
    ----------
    Iyengar (2002). Transforming data to satisfy privacy constraints. KDD 2002, 279-288 (section 3).

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out, 1/3 and all of what
    the columns could leave open.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, method="optimal", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    0.6667
    """

    plainly = "how much of what a column could hold its labels leave open, on average"

    def ready(self, task: Task) -> Scorer:
        g, f, n = self.generalisation_factor, self.suppression_factor, task.table.total

        def kept(column: CodedColumn, level: int) -> Real | float:
            return _normalised(g * column.share(level), column, g, n)

        def suppressed(column: CodedColumn, level: int) -> Real | float:
            share = column.share(level)
            return _normalised(share + f * (1 - share), column, g, n)

        def extra(column: CodedColumn, level: int) -> Real | float:
            return (column.domain - column.leaves[level][column.labels[level]]).astype(float)

        units = None
        largest = max(column.domain for column in task.table.columns)
        if g == f == 1 and n * largest < EXACT:
            rooms = np.array([n * (column.domain - 1.0) for column in task.table.columns])
            units = WholeCosts(
                by_leaf(task.table, extra), np.divide(1, rooms, out=np.zeros(len(rooms)), where=rooms > 0)
            )
        scorer = LossScorer(self, task, by_leaf(task.table, kept), by_leaf(task.table, suppressed), units)
        scorer.lose_at_most([1.0] * len(task.table.columns))
        return scorer


class LossScorer(AdditiveScorer):
    """The loss of each column, also where its classes have labels of their own.

    With the balance at 0.5 a suppressed record loses all, as everywhere; other balances know levels only.
    """

    def __init__(self, objective: Loss, task: Task, kept: Real, suppressed: Real, units: WholeCosts | None) -> None:
        super().__init__(objective, task, kept, suppressed, units)
        self.balanced = objective.balance == 0.5

    def of_own_labels(self, state: NodeState, losses: Sequence[float]) -> float | None:
        return self.aggregated(losses) if self.balanced else None


def _normalised(share: Real, column: CodedColumn, factor: float, records: int) -> Real | float:
    room = records * (1 - factor / column.domain)
    return (share - factor / column.domain) / room if room > 0 else 0.0
