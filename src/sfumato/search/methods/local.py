"""Every class its own levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.table import CodedTable
from sfumato.progress import Tell
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.local_recoding import recode_locally
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.solution import Solution


@dataclass(frozen=True)
class Local(Method):
    """Local recoding: each class has the lowest levels that it needs, whatever the others have."""

    plainly = "every class its own levels; loses far less, but a column has labels of several levels"

    def solve(
        self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
    ) -> Solution:
        self.refuse_others(request)
        tuples = CountedTuples.of_condensed(table, hierarchies)
        solution = Solution.recoded(recode_locally(tuples, request.policy, suppression=request.suppression))
        if not solution.suppressed or solution.keeps(table, request.policy):
            return solution
        return Solution.recoded(recode_locally(tuples, request.policy))
