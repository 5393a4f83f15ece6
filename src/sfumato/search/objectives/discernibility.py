"""Discernibility: how many records each record cannot be told from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.objective_interface import NodeState, Objective, Scorer, Task, level_between

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
    Four people, whose ages end as two decades and whose towns are left out: two classes of two.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="discernibility", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    8.0
    """

    plainly = "how many records each record cannot be told from, added up"
    ignore_suppression: bool = False

    def ready(self, task: Task) -> Scorer:
        return PlainDiscernibilityScorer(task) if self.ignore_suppression else DiscernibilityScorer(task)


class DiscernibilityScorer(Scorer):
    """The squares of the kept classes, and the whole table for each suppressed record.

    A kept record looks like as many as its row has, and as a class needs to be kept: it costs no less than the larger
    of the two. A forced record costs N. Each further one does too, and was counted with at most the size of the largest
    class here: the difference is added.

    Above a node, a kept record looks like those of its class at the node at the least, and like as many as a class
    needs; a suppressed one looks like everybody.
    """

    reads_lows = False
    bounds_above = True
    halved = True

    def __init__(self, task: Task) -> None:
        self.n, self.fewest = task.table.total, task.rules.least
        self.bits = task.table.label_bits
        self.least, self.most = float(self.n), float(self.n) ** 2
        # Whether a class is hereditary where it is too small, and never else: so are its rows then.
        self.by_size = task.rules.fewest_records > 0 and task.table.one_record_each and task.table.population is None
        self._alike: tuple[Real | None, float] = (None, 0.0)  # of the rows that were asked for last

    def score(self, state: NodeState) -> float:
        return squares(state.classes.records[state.kept]) + float(self.n) * state.suppressed

    def of_own_labels(self, state: NodeState, losses: Sequence[float]) -> float | None:
        return self.score(state)

    def cut(self, column: int, low: int, high: int) -> int:
        return level_between(self.bits[column], low, high)

    def bound(self, state: NodeState, lows: Node) -> float:
        classes, forced, further = state.classes, state.suppression.forced, state.suppression.further
        if forced and not self.by_size:
            own = self._of_rows(classes.row_weights[~state.forced_rows])
        else:
            if self._alike[0] is not classes.row_weights:  # most nodes have the same rows
                self._alike = classes.row_weights, self._of_rows(classes.row_weights)
            own = self._alike[1] - float(self.fewest) * forced
        more = further * max(self.n - float(classes.records.max(initial=0)), 0.0) if further else 0.0
        return own + float(self.n) * state.forced + more

    def _of_rows(self, sizes: Real) -> float:
        """The records of rows times as many as their classes have at the least, added up."""
        return float((sizes * np.maximum(sizes, self.fewest)).sum())

    def bound_above(self, classes: CodedClasses, omitted: int) -> float:
        needed = min(self.fewest, self.n)
        return float((classes.records * np.maximum(classes.records, needed)).sum()) + float(needed) * omitted


class PlainDiscernibilityScorer(DiscernibilityScorer):
    """The same for DM*, where it does not matter what is suppressed: no class is smaller than one of its rows."""

    needs_all = True

    def score(self, state: NodeState) -> float:
        return squares(state.classes.records)

    def bound(self, state: NodeState, lows: Node) -> float:
        return squares(state.classes.of_rows(state.classes.table.weights))

    def bound_above(self, classes: CodedClasses, omitted: int) -> float:
        return squares(classes.records)


def squares(sizes: Real) -> float:
    """The sum of squares."""
    return float((sizes * sizes).sum())
