"""Beam: several good nodes at a time, and all that are a step below them."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import PlanError
from sfumato.privacy.coded.lattice import Node, moved
from sfumato.search.levels.examined_nodes import ExaminedNodes, VisitedNode
from sfumato.search.levels.heuristic_interface import Heuristic


@dataclass(frozen=True)
class Beam(Heuristic):
    """From the highest levels down: of all nodes a step below the best ones, again the best go on.

    References
    ----------
    Lowerre (1976). The HARPY speech recognition system. Thesis, Carnegie Mellon University (beam search).

    Examples
    --------
    >>> Beam(width=8).name()
    'beam'
    """

    plainly = "from the highest levels down, with several good combinations at a time"
    priority = 2
    width: int = 4

    def __post_init__(self) -> None:
        if self.width < 1:
            raise PlanError("beam: the width is a whole number from 1 on.")

    def walk(self, nodes: ExaminedNodes) -> None:
        start = nodes.visit(nodes.lattice.highest)
        beam = [start] if start else []
        while beam:
            beam = self._below(nodes, beam)

    def _below(self, nodes: ExaminedNodes, above: list[VisitedNode]) -> list[VisitedNode]:
        """The best nodes a step below some, of which alone the classes are kept in memory; none where the way ends."""
        best: dict[Node, VisitedNode] = {}
        for visited in above:
            for column in nodes.lattice.above_lowest(visited.node):
                node = moved(visited.node, column, -1)
                if node in best:
                    continue
                below = nodes.visit(node, visited.state)
                if below is None:
                    return []
                if self._promising(nodes, below):
                    best[node] = below
                    best = {v.node: v for v in sorted(best.values(), key=lambda v: v.order)[: self.width]}
        return list(best.values())

    @staticmethod
    def _promising(nodes: ExaminedNodes, visited: VisitedNode) -> bool:
        lowest = nodes.lattice.lowest
        if visited.infeasible_below:
            return False
        return visited.state is None or not nodes.hopeless(nodes.scorer.bound(visited.state, lowest), lowest)
