"""Beam: several good nodes at a time, and all that are a step below them."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import PlanError
from sfumato.privacy.coded.lattice import moved
from sfumato.search.levels.examined_nodes import Looks, Sight
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
    turn = 2
    width: int = 4

    def __post_init__(self) -> None:
        if self.width < 1:
            raise PlanError("beam: the width is a whole number from 1 on.")

    def walk(self, looks: Looks) -> None:
        best = [looks.sight(looks.lattice.highest)]
        while best:
            best = self._below(looks, best)

    def _below(self, looks: Looks, above: list[Sight]) -> list[Sight]:
        """The best nodes a step below some; only of these the classes are kept in memory."""
        found: dict[tuple[int, ...], Sight] = {}
        for sight in above:
            for column in looks.lattice.above_lowest(sight.node):
                node = moved(sight.node, column, -1)
                if node not in found and self._promising(looks, below := looks.sight(node, sight.state)):
                    found[node] = below
                    found = {s.node: s for s in sorted(found.values(), key=lambda s: s.order)[: self.width]}
        return list(found.values())

    @staticmethod
    def _promising(looks: Looks, sight: Sight) -> bool:
        lowest = looks.lattice.lowest
        if sight.lost:
            return False
        return sight.state is None or not looks.hopeless(looks.scorer.bound(sight.state, lowest), lowest)
