"""Entropy-based information loss: how many bits of the domain labels leave open."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.table import CodedColumn
from sfumato.search.scoring.by_column import AdditiveScorer, ColumnObjective, by_leaf
from sfumato.search.scoring.objective_interface import Scorer, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


@dataclass(frozen=True, kw_only=True)
class EntropyLoss(ColumnObjective):
    r"""The bits that records leave open as a share of all bits of the domains, added up over records.

    .. math:: \sum_{\text{kept } r} g \Bigl( 1 + \frac{\log \prod_j |leaves_j(r)| / D_j}{\log \prod_j D_j} \Bigr) + f S

    from 0, where every record stands for one combination of values, to the number of records.

    References
    ----------
    ARX 3.9.2, `createEntropyBasedInformationLossMetric`.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out: 2 of 3 bits of each.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="entropy-loss", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    2.6667
    """

    aggregate: str = "sum"
    plainly = "the share of all bits that the labels leave open, added up over records"

    def ready(self, task: Task) -> Scorer:
        columns = task.table.columns
        bits = sum(log(column.domain) for column in columns)
        g, f = self.generalisation_factor, self.suppression_factor

        def kept(column: CodedColumn, level: int) -> Real:
            costs: Real = g * np.log(column.share(level) * column.domain) / (bits or 1)
            return costs

        def suppressed(column: CodedColumn, level: int) -> float:
            return f * log(column.domain) / bits if bits else f / len(columns)

        scorer = AdditiveScorer(self, task, by_leaf(task.table, kept), by_leaf(task.table, suppressed))
        scorer.most_of_columns = [task.table.total * suppressed(column, 0) / (f or 1) for column in columns]
        scorer.most = float(task.table.total)
        return scorer
