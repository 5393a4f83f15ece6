"""Heuristics: ways to good levels where there are too many combinations to rule out all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import ClassVar

from sfumato.members import Named
from sfumato.privacy.coded.lattice import moved
from sfumato.search.levels.examined_nodes import ExaminedNodes, VisitedNode


@dataclass(frozen=True)
class Heuristic(Named, ABC):
    """A way through the lattice that proves nothing; one file each in `search/heuristics/`.

    It visits nodes until it knows no more that could be good, or until a visit says that no more may be looked at. What
    was best is kept by the nodes themselves.
    """

    joint: ClassVar[str] = "-"
    plainly: ClassVar[str]
    priority: ClassVar[int]  # when several are tried, the lowest comes first

    @abstractmethod
    def walk(self, nodes: ExaminedNodes) -> None:
        """Visit nodes that could be good ones."""

    def walk_within(self, nodes: ExaminedNodes, most: float, seconds: float = inf) -> None:
        """The same, at so many nodes and for so long at the most."""
        before = nodes.most, nodes.until
        nodes.most, nodes.until = min(nodes.count + most, nodes.most), min(monotonic() + seconds, nodes.until)
        try:
            self.walk(nodes)
        finally:
            nodes.most, nodes.until = before


def lowered(nodes: ExaminedNodes, start: VisitedNode) -> None:
    """Go down from a node, a level of one column at a time, for as long as that is no worse.

    The column is tried first that promises most. One that is better left waits until all others were tried; one that
    cannot come down stays, since no node below would do either.
    """
    here, fixed, further = start, set[int](), True
    while further:
        further, waiting = False, set[int]()
        while (column := _promising(nodes, here, fixed | waiting)) is not None:
            below = nodes.visit(moved(here.node, column, -1), here.state)
            if below is None:
                return
            if below.order[:2] <= here.order[:2]:
                here, further = below, True
            else:
                (fixed if below.infeasible_below else waiting).add(column)


def _promising(nodes: ExaminedNodes, here: VisitedNode, without: set[int]) -> int | None:
    columns = [j for j in nodes.lattice.above_lowest(here.node) if j not in without]
    state = here.state or nodes.state(here.node, None, inf)
    assert state is not None  # there is no limit
    return max(columns, key=lambda j: nodes.scorer.gain(state, j), default=None)
