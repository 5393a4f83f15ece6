"""As few cells as possible taken out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.distinct_rows import row_numbers
from sfumato.privacy.coded.table import CodedTable, added_up
from sfumato.progress import Tell
from sfumato.search.local.cell_suppression import suppress_cells
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.solution import Solution


@dataclass(frozen=True)
class Cells(Method):
    """Cell suppression: values are taken out, and all others stay as they are."""

    plainly = "as few cells as possible are taken out, and every other value stays as it is"
    leaves_out = False

    def solve(
        self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
    ) -> Solution:
        import numpy as np

        self.refuse_others(request)
        tuples = CountedTuples.of_condensed(table, hierarchies)
        sets = [scenario.quasi_identifiers for scenario in request.scenarios]
        suppression = suppress_cells(tuples, request.policy, sets)
        released = np.where(suppression.gone, 0, tuples.codes.astype(np.int64) + 1)
        groups = row_numbers(list(released.T))
        sizes = added_up(groups, tuples.counts, 1)
        ends, every = (int(sizes.min()), int(sizes.max())), tuples.records * len(tuples.columns)
        return Solution(
            records=tuples.records,
            suppressed=0,
            classes=len(sizes),
            sizes=ends,
            score=float(suppression.cells),
            normalised=suppression.cells / every,
            lines=suppression.lines(),
            optimal=suppression.cells == suppression.bound,
            bound=float(suppression.bound),
            groups=groups[tuples.owner],
            losses=suppression.losses,
            bare=suppression.gone.sum(axis=1)[tuples.owner],
        )
