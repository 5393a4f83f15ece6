"""Precision: how far up their hierarchies values are taken."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.privacy.coded.table import CodedColumn
from sfumato.search.scoring.by_column import AdditiveScorer, ColumnObjective, by_leaf
from sfumato.search.scoring.objective_interface import Scorer, Task


@dataclass(frozen=True, kw_only=True)
class Precision(ColumnObjective):
    r"""The average level of the values as a share of the height, from 0 to 1; a suppressed record is at the top.

    .. math:: x_j = \frac{(N - S) \cdot g \cdot l_j / L_j + S \cdot f}{N}

    for S suppressed of N records, the factors g of generalisation and f of suppression. One minus this is the
    precision that `compare` reads. With `ignore_suppression` only levels count.

    References
    ----------
    Sweeney (2002). Achieving k-anonymity privacy protection using generalization and suppression.
    Int. J. Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 571-588 (section 4).

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out: 2 of 4 levels and 1 of 1.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="precision", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    0.75
    """

    plainly = "how high in their hierarchies the values end, on average"
    ignore_suppression: bool = False

    def ready(self, task: Task) -> Scorer:
        g, f, n = self.generalisation_factor, self.suppression_factor, task.table.total

        def kept(column: CodedColumn, level: int) -> float:
            return g * level / max(column.height, 1) / n

        def suppressed(column: CodedColumn, level: int) -> float:
            return kept(column, level) if self.ignore_suppression else f / n

        scorer = AdditiveScorer(self, task, by_leaf(task.table, kept), by_leaf(task.table, suppressed))
        scorer.lose_at_most([max(g, f)] * len(task.table.columns))
        return scorer
