"""The evaluator: a door for questions about a table that is searched, each answered in a millisecond or two.

The records are grouped once. After that any combination of levels, any bound of the policy and any share that may be
left out is a question to arrays: nothing is read again, and no release is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InfeasiblePolicy, PlanError, UnknownColumn
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.lattice import Lattice, Node
from sfumato.privacy.coded.person_counts import members_by_class
from sfumato.privacy.coded.policy_rules import PolicyRules, reading_rules
from sfumato.privacy.coded.rule_interface import ClassRule
from sfumato.privacy.coded.suppress_until_met import by_themselves
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.measure_interface import SensitiveMeasure
from sfumato.privacy.policy import Policy
from sfumato.progress import Tell, quiet
from sfumato.search.evaluation import Evaluation, NodeReading, NodeSizes
from sfumato.search.feasibility import Advice, advice
from sfumato.search.frontier import Point
from sfumato.search.levels.levels_so_far import LevelsSoFar, SearchWatch
from sfumato.search.levels.node_states import NodeStates
from sfumato.search.method_interface import Method, SearchRequest
from sfumato.search.methods.optimal import Optimal, search
from sfumato.search.node_counts import ColumnCounts, SizeBand, column_counts, commonest_line, size_bands
from sfumato.search.prepare import PreparedTable
from sfumato.search.project_lines import AsWritten, ProjectLines, project_lines
from sfumato.search.request import Levels, ends_of
from sfumato.search.scoring.objective_interface import NodeState, Scorer
from sfumato.search.solve import SolvedTable, solve
from sfumato.search.suppression_bias import SuppressionBias, bias_of, value_names

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
    written: AsWritten = field(default_factory=AsWritten, repr=False)
    _names: dict[Value, tuple[str, ...]] = field(default_factory=dict, repr=False)  # of sensitive values, read once

    @classmethod
    def of(
        cls, ready: PreparedTable, request: SearchRequest, tell: Tell = quiet, *, written: AsWritten | None = None
    ) -> Evaluator:
        """Group the records of a table that is ready, by all that its policy reads.

        `written` is the project file that asks for this, so that `lines` can say what to write into it.
        """
        tell("Grouping the records")
        PolicyRules.of(request.policy)  # refuses a bound that no search can keep to, before anything is grouped
        measures = [rule.requirement.measure for rule in reading_rules(request.policy)]
        values = dict.fromkeys(m.value for m in measures if isinstance(m, SensitiveMeasure))
        population = any(m.reads_population for m in measures)
        table = condense(ready.dataset, tuple(values), population=population)
        scorer = request.objective.ready(search(request).task(table))
        return cls(ready, request, table, scorer, written or AsWritten())

    def wanting(self, bounds: Mapping[str, float] | None = None, suppress: float | None = None) -> Evaluator:
        """The same table with other bounds, by name, or another share that may be left out; nothing is grouped anew.

        A name is that of a requirement (`t_closeness(illness)`), of its measure, its short form (`k`, `l`, `t`), or
        this of a column (`t(illness)`).
        """
        policy = self.request.policy.with_bounds(bounds) if bounds else self.request.policy
        return self.with_policy(policy, self.request.suppression if suppress is None else suppress)

    def with_policy(self, policy: Policy, share: float) -> Evaluator:
        """The same table under a policy that reads the same of it, with a share of records that may be left out."""
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

    def best(
        self,
        *,
        bounds: Mapping[str, float] | None = None,
        suppress: float | None = None,
        levels: Levels | None = None,
        follow: Callable[[LevelsSoFar], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Evaluation:
        """The levels that lose least: the search itself, in the records that are grouped already.

        `levels` are those that it may choose from, instead of those of the request: one, or lowest and highest.
        `follow` is told the best so far and the bound a few times a second. Once `cancelled` says so, the best so far
        is the answer, and its `levels_found` says how much better another could be; `InfeasiblePolicy` where there is
        none.
        """
        own = self.wanting(bounds, suppress)
        limits = own.request.limits if levels is None else ends_of(levels)
        optimal = search(replace(own.request, limits=limits))
        levels_found = optimal.among(self.table, watch=SearchWatch(follow, cancelled))
        return replace(own.at(levels_found.levels), levels_found=levels_found)

    def curve(
        self,
        bounds: Mapping[str, Sequence[float]] | None = None,
        suppress: Sequence[float] = (),
        *,
        cancelled: Callable[[], bool] | None = None,
        tell: Tell = quiet,
    ) -> Iterator[Point]:
        """The curve of risk and loss, point by point as it is searched: every combination that can be met.

        `bounds` are those to be tried, by name; `suppress` the shares. `Frontier` says of the points so far which of
        them count.
        """
        names, shares = tuple(bounds or {}), tuple(suppress) or (self.request.suppression,)
        every = list(product(*(bounds or {}).values(), shares))
        for number, (*tried, share) in enumerate(every):
            own = self.wanting(dict(zip(names, tried, strict=True)), share)
            tell(f"Searching: {', '.join(own.request.policy.texts)}", number, len(every))
            try:
                best = own.best(cancelled=cancelled)
            except InfeasiblePolicy:  # a combination that cannot be met is no point of the curve
                best = None
            if cancelled is not None and cancelled():
                return  # what was searched last may not be the best
            if best is not None:
                yield point_of(best)

    def advice(self, *, bounds: Mapping[str, float] | None = None, suppress: float | None = None) -> Advice:
        """What keeps a policy from being met, and the smallest changes that would let it, each by itself."""
        return advice(search(self.wanting(bounds, suppress).request), self.table)

    def counts(
        self,
        column: str,
        levels: Mapping[str, int] | None = None,
        *,
        bounds: Mapping[str, float] | None = None,
        suppress: float | None = None,
    ) -> ColumnCounts:
        """A column before and after, by value and by label."""
        place, state = self._place(column), self._state(levels, bounds, suppress)
        hierarchy = self.ready.hierarchies[column].hierarchy
        return column_counts(self.table, place, state.classes.levels[place], state.suppressed_rows, hierarchy)

    def sizes(
        self,
        levels: Mapping[str, int] | None = None,
        *,
        bounds: Mapping[str, float] | None = None,
        suppress: float | None = None,
    ) -> tuple[SizeBand, ...]:
        """Records by how many look alike: in the table as it is, and of those who stay."""
        state = self._state(levels, bounds, suppress)
        return size_bands(self.table, state.classes, state.kept)

    def bias(
        self,
        levels: Mapping[str, int] | None = None,
        *,
        bounds: Mapping[str, float] | None = None,
        suppress: float | None = None,
    ) -> SuppressionBias:
        """Whom leaving out hits: the share that is left out of each group of people, column by column.

        Groups of fewer than 11 records are joined.
        """
        state = self._state(levels, bounds, suppress)
        placed = {name: column.hierarchy for name, column in self.ready.hierarchies.items()}
        for value in self.table.values:
            if value not in self._names:
                self._names[value] = value_names(self.ready.dataset, value)
        by_name = dict(zip(placed, state.classes.levels, strict=True))
        return bias_of(self.table, state.suppressed_rows, placed, self._names, by_name)

    def examples(self, column: str) -> tuple[str | None, ...]:
        """What the commonest value of a column becomes at each level: words beside a slider."""
        return commonest_line(self.table, self._place(column), self.ready.hierarchies[column].hierarchy)

    def lines(
        self,
        levels: Mapping[str, int] | None = None,
        *,
        bounds: Mapping[str, float] | None = None,
        suppress: float | None = None,
    ) -> ProjectLines:
        """What the project file says for these levels, as one writes it, and the command that does the same."""
        own, node = self.wanting(bounds, suppress), self.node(levels or {})
        by_name = {column.name: level for column, level in zip(self.table.columns, node, strict=True)}
        return project_lines(self.written, own.request.policy, own.request.suppression, by_name)

    def _state(
        self, levels: Mapping[str, int] | None, bounds: Mapping[str, float] | None, suppress: float | None
    ) -> NodeState:
        return self.wanting(bounds, suppress).states.at(self.node(levels or {}))

    def _place(self, column: str) -> int:
        names = [each.name for each in self.table.columns]
        if column not in names:
            raise UnknownColumn(column, names)
        return names.index(column)

    def solve(self, method: Method, tell: Tell = quiet) -> SolvedTable:
        """What any method finds in the records that are grouped already, also one that knows no levels."""
        return solve(self.table, self.ready.hierarchies, method, self.request, tell)

    def _repr_html_(self) -> str:
        return self.at()._repr_html_()

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
        left = self._persons(~state.suppressed_rows)
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


def point_of(evaluation: Evaluation) -> Point:
    """An evaluation as a point of the curve of risk and loss."""
    smallest = evaluation.after.smallest
    return Point(
        method=Optimal.name(),
        requirements=evaluation.evaluator.request.policy.texts,
        suppression=evaluation.suppress,
        levels=evaluation.levels,
        score=evaluation.loss,
        risk=1 / smallest if smallest else 0.0,
        suppressed=evaluation.left_out,
        classes=evaluation.after.classes,
        bounds=evaluation.bounds,
        readings=evaluation.readings,
    )


def _sizes(members: Real) -> NodeSizes:
    return NodeSizes(
        classes=len(members),
        smallest=int(members.min()) if len(members) else 0,
        largest=int(members.max(initial=0)),
        alone=int((members == 1).sum()),
    )
