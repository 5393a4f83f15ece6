"""Every class its own levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.table import CodedTable
from sfumato.progress import Tell
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.local_recoding import recode_within
from sfumato.search.local.peel_classes import PeelLimit
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.solution import Solution


@dataclass(frozen=True)
class Local(Method):
    """Local recoding: each class has the lowest levels that it needs, whatever the others have."""

    plainly = "every class its own levels; loses far less, but a column has labels of several levels"

    def solve(
        self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
    ) -> Solution:
        solution = self.solve_within(table, hierarchies, request, PeelLimit())
        assert solution is not None  # without a limit nothing is given up
        return solution

    def solve_within(
        self,
        table: CodedTable,
        hierarchies: Mapping[str, Hierarchy],
        request: SearchRequest,
        limit: PeelLimit,
        full_domain: Sequence[Mapping[str, int]] | None = None,
    ) -> Solution | None:
        """The same within a limit, None where it was given up; `full_domain` are levels that were searched already."""
        self.refuse_others(request)
        tuples = CountedTuples.of_condensed(table, hierarchies)
        for share in (request.suppression, 0.0):
            recoding = recode_within(tuples, request.policy, limit, suppression=share, full_domain=full_domain)
            if recoding is None:
                return None
            solution = Solution.recoded(recoding)
            if not solution.suppressed or solution.keeps(table, request.policy):
                return solution
        return solution
