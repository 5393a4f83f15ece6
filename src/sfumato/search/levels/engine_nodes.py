"""Examined nodes of a table that stays in its engine: a look is a GROUP BY there."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sfumato.privacy.coded.engine_table import ClassesInEngine, TableInEngine
from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.policy_rules import PolicyRules, Suppression
from sfumato.privacy.dataset import Dataset
from sfumato.search.levels.examined_nodes import REMEMBERED, ExaminedNodes
from sfumato.search.method_interface import SearchRequest
from sfumato.search.scoring.by_column import ColumnObjective
from sfumato.search.scoring.objective_interface import NodeState, OmittedRows


def searchable_in_engine(dataset: Dataset, request: SearchRequest) -> bool:
    """Whether sizes of classes and leaves of suppressed records are all that a search for levels asks for."""
    return (
        PolicyRules.of(request.policy, request.scenarios).fewest_records > 0
        and dataset.subject is None
        and dataset.population is None
        and isinstance(request.objective, ColumnObjective)
        and request.heuristic is None
    )


class NodesInEngine(ExaminedNodes):
    """The nodes that were looked at, of a table of which no row is here.

    Classes that are too small stay so below, so that whom a node suppresses follows from its levels alone: no look
    needs the classes of the one before, and all numbers are those of a search in memory.
    """

    in_memory: ClassVar[bool] = False

    def state(self, levels: Node, above: NodeState | None = None, limit: float | None = None) -> NodeState | None:
        classes = self._classes(levels)
        if classes.lost > (self.task.limit if limit is None else limit):
            return None
        nobody = np.zeros(0, dtype=np.bool_)
        suppression = Suppression(here=nobody, hereditary=nobody, all_hereditary=True, forced=classes.lost, further=0)
        return NodeState(classes, suppression, OmittedRows.none(self.task.table))

    def lighter(self, state: NodeState, *, always: bool = False) -> NodeState:
        return state  # there are no rows to leave out

    def _classes(self, levels: Node) -> ClassesInEngine:
        table = self.task.table
        assert isinstance(table, TableInEngine)
        if levels not in self.looks:
            if len(self.looks) >= REMEMBERED:
                self.looks.clear()
            self.looks[levels] = table.at(levels, self.task.rules.fewest_records)
        counted: ClassesInEngine = self.looks[levels]
        return counted
