"""One level for each column, the best there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.errors import PolicyError, did_you_mean
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.engine_table import TableInEngine
from sfumato.privacy.coded.table import CodedTable
from sfumato.progress import Tell
from sfumato.search.levels.examined_nodes import Budget
from sfumato.search.levels.heuristic_interface import Heuristic
from sfumato.search.levels.optimal import OptimalSearch, heuristics
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.solution import Solution
from sfumato.search.suppression_bias import suppressed_rows


@dataclass(frozen=True)
class Optimal(Method):
    """Full-domain generalisation: every value of a column goes to the same level, and unsafe classes are left out."""

    plainly = "one level for each column, proved to be the best; classes that are still unsafe are left out"

    def solve(
        self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
    ) -> Solution:
        searched = search(request, request.for_levels)
        best = searched.among(table, tell)
        in_engine = isinstance(table, TableInEngine)  # which suppresses by the sizes of classes, and names no rows
        return Solution.of(best, None if in_engine else suppressed_rows(searched, table, best))


def search(request: SearchRequest, share: float = 1.0) -> OptimalSearch:
    """The search that a request asks for, which ends when a share of its seconds is over."""
    budget = Budget(request.nodes, request.seconds_left(share))
    return OptimalSearch(
        request.policy,
        request.objective,
        request.suppression,
        request.limits,
        budget,
        scenarios=request.scenarios,
        settled=not request.original,
        heuristic=_heuristic(request.heuristic)() if request.heuristic else None,
    )


def _heuristic(name: str) -> type[Heuristic]:
    known = heuristics()
    if name not in known:
        raise PolicyError(f"There is no heuristic {name!r}.{did_you_mean(name, known)}")
    return known[name]
