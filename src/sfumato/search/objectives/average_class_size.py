"""Class size: how many records look alike, on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Node
from sfumato.search.scoring.objective_interface import NodeState, Objective, Scorer, Task, level_between

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


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
    Four people, whose ages end as two decades and whose towns are left out.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="class-size", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    2.0
    """

    plainly = "how many records look alike, on average"

    def ready(self, task: Task) -> Scorer:
        return ClassSizeScorer(self, task)


class ClassSizeScorer(Scorer):
    """Records over classes: bounded by how many classes could be kept at the most.

    The score falls with the number of kept classes. Below a node, a part of a class that is kept has a row with as many
    members as the policy needs, or it has small rows only, which have so many together. So a class that is not
    hereditary has at most as many kept parts as it has large rows, and as its small rows have members over the fewest
    that are needed, rounded down. Where something is suppressed, that is one more class, so this is always assumed.

    Above a node, a kept class has a class of the node in it with as many members as the policy needs, or only smaller
    ones, which have so many together: so there are no more than the large classes of the node, and the members of all
    others over the fewest that are needed, rounded down.
    """

    reads_lows = False
    bounds_above = True
    halved = True

    def __init__(self, objective: Objective, task: Task) -> None:
        self.f, self.g = objective.suppression_factor, objective.generalisation_factor
        self.n, self.fewest = task.table.total, task.rules.least
        self.bits = task.table.label_bits
        self.least, self.most = 1.0, float(self.n)
        self._largest: tuple[Real | None, float] = (None, 0.0)  # row, of those that were asked for last

    def score(self, state: NodeState) -> float:
        return self._score(int(state.kept.sum()), suppressed=state.suppressed > 0)

    def of_own_labels(self, state: NodeState, losses: Sequence[float]) -> float | None:
        return self.score(state)

    def cut(self, column: int, low: int, high: int) -> int:
        return level_between(self.bits[column], low, high)

    def bound(self, state: NodeState, lows: Node) -> float:
        classes = state.classes
        if self._largest[0] is not classes.row_weights:  # most nodes have the same rows
            self._largest = classes.row_weights, float(classes.row_weights.max(initial=0))
        if classes.table.one_record_each and self._largest[1] < self.fewest:
            # No row is large: the records of a class are those of its small rows.
            most = np.floor(classes.records / self.fewest)[~state.suppression.hereditary].sum()
            return self._score(int(most), suppressed=True)
        sizes = classes.of_rows(classes.table.member_weights)
        large = sizes >= self.fewest
        rows = np.bincount(classes.ids, weights=large, minlength=classes.space)
        small = np.bincount(classes.ids, weights=np.where(large, 0, sizes), minlength=classes.space)
        most = (rows + np.floor(small / self.fewest))[~state.suppression.hereditary].sum()
        return self._score(int(most), suppressed=True)

    def bound_above(self, classes: CodedClasses, omitted: int) -> float:
        if classes.table.one_record_each:
            few = classes.smaller_than(self.fewest)
            large, rest = few.others, few.records + omitted
        else:
            small = classes.members < self.fewest
            large, rest = int(np.count_nonzero(~small)), int((classes.members * small).sum()) + omitted
        return self._score(large + rest // self.fewest, suppressed=True)

    def _score(self, classes: int, *, suppressed: bool) -> float:
        parts = self.f * classes + self.g * suppressed
        return self.n / parts if parts else inf
