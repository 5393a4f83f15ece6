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
    Four people, whose ages end as two decades and whose towns are left out, with 5 of 10 looks.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, heuristic="top-down", compare=False)
    >>> round(release.document()["score"]["value"], 4), release.document()["examined"]
    (0.6667, 5)
    """

    plainly = "from the highest levels down, the most promising column first"
    priority = 1

    def walk(self, nodes: ExaminedNodes) -> None:
        if start := nodes.visit(nodes.lattice.highest):
            lowered(nodes, start)
