"""One level for each column, the best there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.errors import PolicyError, did_you_mean
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.table import CodedTable
from sfumato.progress import Tell
from sfumato.search.levels.examined_nodes import Budget
from sfumato.search.levels.optimal import Optimal as Search
from sfumato.search.levels.optimal import heuristics
from sfumato.search.method_interface import Method, Wanted
from sfumato.search.solution import Solution
from sfumato.search.suppression_bias import gone_rows


@dataclass(frozen=True)
class Optimal(Method):
    """Full-domain generalisation: every value of a column goes to the same level, and unsafe classes are left out."""

    plainly = "one level for each column, proved to be the best; classes that are still unsafe are left out"

    def solve(self, table: CodedTable, hierarchies: Mapping[str, Hierarchy], wanted: Wanted, tell: Tell) -> Solution:
        searched = search(wanted)
        found = searched.among(table, tell)
        return Solution.of(found, gone_rows(searched, table, found))


def search(wanted: Wanted) -> Search:
    """The search for what is wanted."""
    budget = Budget(wanted.nodes, wanted.seconds)
    known = heuristics()
    if wanted.heuristic and wanted.heuristic not in known:
        raise PolicyError(f"There is no heuristic {wanted.heuristic!r}.{did_you_mean(wanted.heuristic, known)}")
    return Search(
        wanted.policy,
        wanted.objective,
        wanted.suppression,
        wanted.limits,
        budget,
        scenarios=wanted.scenarios,
        settled=not wanted.original,
        heuristic=known[wanted.heuristic]() if wanted.heuristic else None,
    )
