"""Height: how many levels all columns were taken up together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.search.scoring.by_column import ColumnObjective, ColumnScorer
from sfumato.search.scoring.objective_interface import NodeState, Scorer, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


@dataclass(frozen=True, kw_only=True)
class Height(ColumnObjective):
    r"""The levels of all columns, added up; what is suppressed does not count.

    .. math:: \sum_j l_j

    References
    ----------
    Samarati (2001). Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 1010-1027.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out: 2 levels and 1.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="height", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    3.0
    """

    aggregate: str = "sum"
    plainly = "how many levels the columns were taken up, added up"

    def ready(self, task: Task) -> Scorer:
        return HeightScorer(self, task)


class HeightScorer(ColumnScorer):
    """Levels as they are: no column of a node is below its lowest level."""

    reads_leaves = False

    def __init__(self, objective: ColumnObjective, task: Task) -> None:
        super().__init__(objective, task)
        self.levels = np.tile(np.arange(max(self.heights) + 1, dtype=float), (self.columns, 1))
        self.lose_at_most([float(height) for height in self.heights])

    def of_columns(self, state: NodeState) -> Real:
        return self.levels

    def at_least(self, state: NodeState) -> Real:
        return self.levels
