"""Top-down: from the highest levels down, a step at a time."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.levels.heuristic_interface import Heuristic, lowered


@dataclass(frozen=True)
class TopDown(Heuristic):
    """Everything generalised to the top, and then one column at a time a level down, for as long as that is better.

    References
    ----------
    Fung, Wang, Yu (2005). Top-down specialization for information and privacy preservation. ICDE, 205-216.

    Examples
    --------
    >>> TopDown().name()
    'top-down'
    """

    plainly = "from the highest levels down, the most promising column first"
    priority = 1

    def walk(self, nodes: ExaminedNodes) -> None:
        if start := nodes.visit(nodes.lattice.highest):
            lowered(nodes, start)
