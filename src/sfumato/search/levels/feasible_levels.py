"""Feasible levels: those of each column that a better node could have, whatever the others are."""

from __future__ import annotations

from dataclasses import replace

from sfumato.privacy.coded.lattice import Lattice
from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.scoring.objective_interface import NodeState


def feasible_levels(nodes: ExaminedNodes, top: NodeState) -> Lattice:
    """The lattice without the lowest levels of columns that no better node has; `top` is its highest node.

    The node that has one column at a level and all others at the top is above all nodes at which this column is at that
    level or below. If too many records are lost there already, or what is lost there makes all of them worse than the
    best, none of them is wanted. One look for each level, at classes of one column; a column of as many values as
    records is cut so, and with it most of the lattice.
    """
    lattice, lows = nodes.lattice, list(nodes.lattice.lowest)
    for j, high in enumerate(lattice.highest):
        while lows[j] < high and not nodes.spent:
            state = nodes.examine((*lattice.highest[:j], lows[j], *lattice.highest[j + 1 :]), top)
            if state is not None and not nodes.hopeless(nodes.scorer.bound(state, tuple(lows)), tuple(lows)):
                break
            lows[j] += 1
    return replace(lattice, lowest=tuple(lows))
