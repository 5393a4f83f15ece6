"""The evaluator: a door for questions about a table that is searched, each answered in a millisecond or two.

The records are grouped once. After that any combination of levels, any bound of the policy and any share that may be
left out is a question to arrays: nothing is read again, and no release is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import PlanError
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.person_counts import members_by_class
from sfumato.privacy.coded.policy_rules import PolicyRules, reading_rules
from sfumato.privacy.coded.rule_interface import ClassRule
from sfumato.privacy.coded.suppress_until_met import by_themselves
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.progress import Tell, quiet
from sfumato.search.evaluation import ClassSizes, Evaluation, NodeReading
from sfumato.search.levels.node_states import NodeStates
from sfumato.search.method_interface import SearchRequest
from sfumato.search.methods.optimal import search
from sfumato.search.prepare import PreparedTable
from sfumato.search.scoring.objective_interface import NodeState, Scorer

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real


@dataclass(frozen=True, eq=False)
class Evaluator:
    """A table whose records were grouped, and what is wanted of it: asked for any levels, bounds and shares.

    What is asked for is a release with one level for each column; other ways to a release have no levels that could be
    asked for.
    """

    ready: PreparedTable = field(repr=False)
    request: SearchRequest  # what is wanted where a question says nothing else
    table: CodedTable = field(repr=False)
    # What is lost depends on the table and on who is left out, and not on why: so one serves for all bounds.
    scorer: Scorer = field(repr=False)

    @classmethod
    def of(cls, ready: PreparedTable, request: SearchRequest, tell: Tell = quiet) -> Evaluator:
        """Group the records of a table that is ready, by all that its policy reads."""
        tell("Grouping the records")
        PolicyRules.of(request.policy)  # refuses a bound that no search can keep to, before anything is grouped
        measures = [rule.requirement.measure for rule in reading_rules(request.policy)]
        values = dict.fromkeys(m.value for m in measures if isinstance(m, SensitiveMeasure))
        population = any(m.reads_population for m in measures)
        table = condense(ready.dataset, tuple(values), population=population)
        return cls(ready, request, table, request.objective.ready(search(request).task(table)))

    def wanting(self, bounds: Mapping[str, float] | None = None, suppress: float | None = None) -> Evaluator:
        """The same table with other bounds, by name, or another share that may be left out; nothing is grouped anew.

        A name is that of a requirement (`t_closeness(illness)`), of its measure, its short form (`k`, `l`, `t`), or
        this of a column (`t(illness)`).
        """
        policy = self.request.policy.with_bounds(bounds) if bounds else self.request.policy
        share = self.request.suppression if suppress is None else suppress
        if policy == self.request.policy and share == self.request.suppression:
            return self
        return replace(self, request=replace(self.request, policy=policy, suppression=share))

    def at(
        self,
        levels: Mapping[str, int] | None = None,
        *,
        bounds: Mapping[str, float] | None = None,
        suppress: float | None = None,
    ) -> Evaluation:
        """What these levels come to; a column that is not named stays as it is, at level 0."""
        own = self.wanting(bounds, suppress)
        return own.evaluation(own.states.at(self.node(levels or {})))

    @cached_property
    def states(self) -> NodeStates:
        """Every node as the search would release it."""
        return NodeStates(search(self.request), self.table)

    def node(self, levels: Mapping[str, int]) -> Node:
        """Levels by column as a node; refused where there is no such column or level."""
        if not all(isinstance(level, int) and not isinstance(level, bool) for level in levels.values()):
            raise PlanError("The level of a column is a whole number.")
        Lattice.of(self.table, {name: (level, level) for name, level in levels.items()})
        return tuple(levels.get(column.name, 0) for column in self.table.columns)

    def evaluation(self, state: NodeState) -> Evaluation:
        """What is read off a node."""
        scorer, classes, table = self.scorer, state.classes, self.table
        score, each = scorer.score(state), scorer.of_each_column(state)
        names = [column.name for column in table.columns]
        left = self._persons(~state.suppression.here.take(classes.ids))
        return Evaluation(
            evaluator=self,
            levels=dict(zip(names, classes.levels, strict=True)),
            bounds=self.request.policy.bounds,
            suppress=self.request.suppression,
            records=table.total,
            left_out=state.suppressed,
            limit=self.states.task.limit,
            persons=self._everybody,
            persons_left_out=None if left is None or self._everybody is None else self._everybody - left,
            before=_sizes(classes.members[classes.records > 0]),
            after=_sizes(classes.members[state.kept]),
            score=score,
            loss=scorer.normalised(score),
            losses=None if each is None else dict(zip(names, each, strict=True)),
            readings=self._readings(state),
        )

    @cached_property
    def _everybody(self) -> int | None:
        return self._persons(np.ones(self.table.rows, dtype=np.bool_))

    def _persons(self, rows: Any) -> int | None:
        """How many persons have one of some rows; None where the subject is not known."""
        table = self.table
        if table.one_record_each:
            return None
        places = np.flatnonzero(rows)
        whose = None if table.persons is None else table.persons.take(places)
        one = np.zeros(len(places), dtype=np.int64)
        return int(members_by_class(one, table.member_weights.take(places), whose, 1)[0])

    @cached_property
    def _rules(self) -> tuple[ClassRule, ...]:
        return reading_rules(self.request.policy)

    def _readings(self, state: NodeState) -> tuple[NodeReading, ...]:
        """Every requirement, read off those who stay as if there were nobody else: as `assess` reads a release."""
        rules = self.states.task.rules
        if not state.kept.any():
            scenarios = [scenario.name for scenario in rules.scenarios] or [""]
            return tuple(NodeReading(rule.requirement, None, name) for name in scenarios for rule in self._rules)
        classes = state.classes
        if state.suppression.here.any():
            classes, _ = by_themselves(classes.without(state.suppression.here))
        return tuple(
            NodeReading(rule.requirement, rule.overall(seen), scenario)
            for scenario, seen in rules.views(classes).items()
            for rule in self._rules
        )


def _sizes(members: Real) -> ClassSizes:
    return ClassSizes(
        classes=len(members),
        smallest=int(members.min()) if len(members) else 0,
        largest=int(members.max(initial=0)),
        alone=int((members == 1).sum()),
    )
