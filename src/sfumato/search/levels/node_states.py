"""Node states: any node of a lattice as a search would release it, looked at by itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.scoring.objective_interface import NodeState, OmittedRows, Scorer, Task


@dataclass(frozen=True, eq=False)
class NodeStates:
    """What a search would make of each node of a table: who is left out there, and what is lost.

    A search looks at nodes from above, gives up where too many are lost, and omits rows that are gone in any case. Here
    each node is looked at whole, whatever its records break.
    """

    optimal: OptimalSearch
    table: CodedTable

    @cached_property
    def task(self) -> Task:
        """The table, the rules, and how many records may be left out."""
        return self.optimal.task(self.table)

    @cached_property
    def scorer(self) -> Scorer:
        """The objective, ready for this task."""
        return self.optimal.objective.ready(self.task)

    @cached_property
    def lattice(self) -> Lattice:
        """The levels that the search may choose."""
        return Lattice.of(self.table, self.optimal.limits)

    def at(self, node: Node, above: CodedClasses | None = None) -> NodeState:
        """A node, with every class left out that breaks the policy, or would among those that stay.

        `above` are the classes of a node that is above it or itself, which are split instead of all rows.
        """
        return self.task.candidate(self._state(node, self.task.rules, above))

    def free(self, node: Node) -> NodeState:
        """A node as if nothing were required of it, and nobody left out."""
        return self._state(node, PolicyRules(()))

    def _state(self, node: Node, rules: PolicyRules, above: CodedClasses | None = None) -> NodeState:
        classes = (CodedClasses.at(self.table, node) if above is None else above.refined(node)).packed
        suppression = rules.suppression(classes, inf)
        assert suppression is not None  # there is no limit
        return NodeState(classes, suppression, OmittedRows.none(self.table))
