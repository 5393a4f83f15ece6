"""The best node of a lattice by looking at all of them, beside which a search is set."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.table import CodedTable
from sfumato.search.levels.node_states import NodeStates
from sfumato.search.levels.optimal import OptimalSearch


def best_of_all(search: OptimalSearch, table: CodedTable, nodes: Iterable[Node]) -> tuple[Node, float]:
    """The node that loses least among those that suppress no more than is allowed, and what it scores."""
    states = NodeStates(search, table)
    each = {node: states.at(node) for node in nodes}
    scores = {node: states.scorer.score(s) for node, s in each.items() if s.suppressed <= states.task.limit}
    best = min(scores, key=lambda node: (scores[node], Lattice.rank(node)))
    return best, scores[best]
