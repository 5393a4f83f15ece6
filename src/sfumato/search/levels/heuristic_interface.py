"""Heuristics: ways to good levels where there are too many combinations to rule out all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sfumato.members import Named
from sfumato.privacy.coded.lattice import moved
from sfumato.search.levels.examined_nodes import ExaminedNodes, VisitedNode
from sfumato.search.scoring.objective_interface import NodeState


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


def lowered(nodes: ExaminedNodes, start: VisitedNode) -> None:
    """Go down from a node, a level of one column at a time, for as long as that is no worse.

    The column is tried first that promises most. One that is better left waits until all others were tried; one that
    cannot come down stays, since no node below would do either.
    """
    here, state, fixed, further = start, nodes.full_state(start), set[int](), True
    while further:
        further, waiting = False, set[int]()
        while (column := _promising(nodes, state, fixed | waiting)) is not None:
            below = nodes.visit(moved(here.node, column, -1), state)
            if below is None:
                return
            if below.order[:2] <= here.order[:2]:
                here, state, further = below, nodes.full_state(below), True
            else:
                (fixed if below.infeasible_below else waiting).add(column)


def _promising(nodes: ExaminedNodes, state: NodeState, without: set[int]) -> int | None:
    columns = [j for j in nodes.lattice.above_lowest(state.classes.levels) if j not in without]
    return max(columns, key=lambda j: nodes.scorer.gain(state, j), default=None)
