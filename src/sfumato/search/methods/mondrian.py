"""Classes by repeated cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.progress import Tell
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.mondrian import mondrian
from sfumato.search.local.value_cells import UNSIZED
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.solution import Solution


@dataclass(frozen=True)
class Mondrian(Method):
    """Multidimensional partitioning: the records are cut in two again and again, as long as both parts are safe."""

    plainly = "classes by repeated cuts, numbers and dates as intervals between round ends; nothing is left out"
    leaves_out = False

    def solve(
        self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
    ) -> Solution:
        self.refuse_others(request)
        least = PolicyRules.of(request.policy).least
        least = least if least > 1 else UNSIZED
        tuples = CountedTuples.of_condensed(table, hierarchies, ordered=request.ordered, least=least)
        return Solution.recoded(mondrian(tuples, request.policy))
