"""Heuristics: ways to good levels where there are too many combinations to rule out all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from sfumato.members import Named
from sfumato.privacy.coded.lattice import moved
from sfumato.search.levels.examined_nodes import Looks, Sight


@dataclass(frozen=True)
class Heuristic(Named, ABC):
    """A way through the lattice that proves nothing; one file each in `search/`.

    It looks at nodes until it knows no more that could be good, or until no more may be looked at: then a look raises
    `Spent`, which it lets pass. What was best is kept by the looks themselves.
    """

    joint: ClassVar[str] = "-"
    plainly: ClassVar[str]
    turn: ClassVar[int]  # when several are tried, the lower comes first

    @abstractmethod
    def walk(self, looks: Looks) -> None:
        """Look at nodes that could be good ones."""


def lowered(looks: Looks, start: Sight) -> Sight:
    """Go down from a node, a level of one column at a time, for as long as that is no worse.

    The column is tried first that promises most. One that is better left waits until all others were tried; one that
    cannot come down stays, since no node below would do either.
    """
    here, fixed, further = start, set[int](), True
    while further:
        further, waiting = False, set[int]()
        while (column := _promising(looks, here, fixed | waiting)) is not None:
            below = looks.sight(moved(here.node, column, -1), here.state)
            if below.order[:2] <= here.order[:2]:
                here, further = below, True
            else:
                (fixed if below.lost else waiting).add(column)
    return here


def _promising(looks: Looks, here: Sight, without: set[int]) -> int | None:
    columns = [j for j in looks.lattice.above_lowest(here.node) if j not in without]
    state = here.state or looks.state(here.node, None, inf)
    assert state is not None
    return max(columns, key=lambda j: looks.scorer.gain(state, j), default=None)
