"""Ambiguity: how many combinations of values a record could have had."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.label_volume import volumes
from sfumato.search.scoring.objective_interface import NodeState, Objective, Scorer, Task


@dataclass(frozen=True, kw_only=True)
class Ambiguity(Objective):
    r"""The combinations of original values that each record could stand for, added up.

    .. math:: AM = \sum_{\text{kept } E} |E| \prod_j |leaves_j(E)| + S \prod_j D_j

    References
    ----------
    Nergiz & Clifton (2007). Thoughts on k-anonymization. Data & Knowledge Engineering 63(3), 622-645.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out: each could have 2 ages and 2 towns.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="ambiguity", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    16.0
    """

    plainly = "how many combinations of values the records could stand for, added up"

    def ready(self, task: Task) -> Scorer:
        return AmbiguityScorer(task)


class AmbiguityScorer(Scorer):
    """Combinations of values that kept records stand for, and the whole domain for each suppressed one.

    In a box [a, b] labels of a stand for the fewest combinations: no kept record costs less than at a. A forced record
    costs the domain. Each further one does too, and was counted with at most the largest volume of an open row at a:
    the difference is added.
    """

    def __init__(self, task: Task) -> None:
        n = float(task.table.total)
        self.domain = float(prod(column.domain for column in task.table.columns))
        self.least, self.most = n, n * self.domain

    def score(self, state: NodeState) -> float:
        classes, kept = state.classes, state.kept
        each = volumes(classes.table, classes.levels, classes.examples[kept])
        return float((classes.records[kept] * each).sum()) + state.suppressed * self.domain

    def bound(self, state: NodeState, lows: Node) -> float:
        classes = state.classes
        rows = classes.rows_in(~state.suppression.hereditary)
        each = volumes(classes.table, lows, rows)
        own = float((classes.table.weights.take(rows) * each).sum())
        more = state.suppression.further * (self.domain - float(each.max())) if len(each) else 0.0
        return own + state.forced * self.domain + max(more, 0.0)
