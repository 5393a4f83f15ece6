"""Bottom-up: from the lowest levels up, until the policy holds."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.privacy.coded.lattice import Node, moved
from sfumato.search.levels.examined_nodes import ExaminedNodes
from sfumato.search.levels.heuristic_interface import Heuristic, lowered


@dataclass(frozen=True)
class BottomUp(Heuristic):
    """The column with the most labels goes up a level, again and again, until the policy holds.

    Where it holds first on this way is found by halving, and not step by step. Then columns come down again that need
    not have gone up.

    References
    ----------
    Sweeney (1998). Datafly: a system for providing anonymity in medical data. Database Security XI, 356-381.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out, with 6 of 10 looks.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, heuristic="bottom-up", compare=False)
    >>> round(release.document()["score"]["value"], 4), release.document()["examined"]
    (0.6667, 6)
    """

    plainly = "from the lowest levels up, the column with the most labels first"
    priority = 0

    def walk(self, nodes: ExaminedNodes) -> None:
        way = chain(nodes)
        low, high = 0, len(way) - 1
        while low < high:
            middle = (low + high) // 2
            visited = nodes.visit(way[middle])
            if visited is None:
                return
            if visited.excess:
                low = middle + 1
            else:
                high = middle
        if start := nodes.visit(way[high]):
            lowered(nodes, start)


def chain(nodes: ExaminedNodes) -> list[Node]:
    """The nodes from the lowest to the highest, where each step takes up the column with the most labels."""
    columns, node = nodes.task.table.columns, nodes.lattice.lowest
    way = [node]
    while rising := nodes.lattice.below_highest(node):
        node = moved(node, max(rising, key=lambda j, at=node: columns[j].count(at[j])), 1)  # type: ignore[misc]
        way.append(node)
    return way
