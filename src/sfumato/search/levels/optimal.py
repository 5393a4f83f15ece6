"""The optimal search: the combination of levels that loses least, and a proof that none is better.

Where there are more nodes than can be ruled out, heuristics come first, then what groups of columns cost at the least,
and then boxes of the lowest bound in turn with the newest: so there is a good score early, and the gap closes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from math import floor, inf
from time import monotonic

from sfumato.errors import InfeasiblePolicy, PlanError
from sfumato.families import members_in
from sfumato.privacy.coded.engine_table import TableInEngine
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Policy, Scenario
from sfumato.progress import Tell, quiet
from sfumato.search import heuristics as family
from sfumato.search.heuristics.restarts import Restarts
from sfumato.search.levels.compiled_proof import CompiledProof, can_be_compiled
from sfumato.search.levels.engine_nodes import NodesInEngine
from sfumato.search.levels.examined_nodes import Budget, ExaminedNodes
from sfumato.search.levels.feasible_levels import feasible_levels
from sfumato.search.levels.heuristic_interface import Heuristic
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.levels_so_far import LevelsSoFar, SearchWatch
from sfumato.search.levels.optimality_proof import WORTH_ROLLING, OptimalityProof
from sfumato.search.scoring.objective_interface import Objective, Task

# Which values were tried, and what each gave, stands in docs/explanation/optimal-search.md.
WORTH_PROVING = 200_000  # nodes of a lattice up to which the proof is begun at once
FIRST_TURN = 50  # looks at boxes of the proof in the first turn
FOR_FLOORS = 20  # times as many looks at groups of columns
FOR_NODES = 20  # times as many at better nodes, and half as many ways
GROWTH = 1.5  # times the looks of the turn before
BETWEEN_MESSAGES = 0.3  # seconds: nobody reads faster
TELLING_SHARE = 0.02  # of the time that may go into messages: to bound many open boxes takes a while; chosen


@dataclass(frozen=True)
class OptimalSearch:
    """The search for the levels of least score such that suppressing at most a share of the records keeps to a policy.

    Every class that breaks the policy is suppressed, and never fewer. Of nodes with the same score the one with the
    fewest levels in all is chosen, and of these the one with the lowest level in the first column, then the second.
    With a heuristic, only the nodes are looked at that this leads to, and the bound is that of the whole lattice.
    """

    policy: Policy
    objective: Objective
    suppression: float = 0.0  # the largest share of records that may be suppressed
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # lowest and highest level of some columns
    budget: Budget = field(default_factory=Budget)
    heuristic: Heuristic | None = None  # instead of the proof
    settled: bool = False  # whether classes are also compared with everybody in the release, not in the original alone
    scenarios: Sequence[Scenario] = ()  # sets of columns on each of which the policy must hold; none: on all together
    seed: int = 0  # of the ways on which better nodes are looked for where there are too many for a proof

    def __post_init__(self) -> None:
        if not 0 <= self.suppression <= 1:
            raise PlanError("The share of records that may be suppressed lies between 0 and 1.")

    def of(self, dataset: Dataset, tell: Tell = quiet) -> LevelsFound:
        """Search the levels of a dataset."""
        tell("Grouping")
        rules = PolicyRules.of(self.policy, self.scenarios)
        return self.among(condense(dataset, rules.values, population=rules.reads_population), tell)

    def among(self, table: CodedTable, tell: Tell = quiet, watch: SearchWatch | None = None) -> LevelsFound:
        """Search the levels of a coded table, which has the sensitive values that the policy reads.

        Stopped by whoever watches, it gives the best so far with its bound; `InfeasiblePolicy` where there is none.
        """
        table = table.with_leaves_that_occur()
        task = self.task(table)
        lattice = Lattice.of(table, self.limits)
        examined = NodesInEngine if isinstance(table, TableInEngine) else ExaminedNodes
        nodes = examined(task, lattice, self.objective.ready(task), self.budget)
        return _Search(nodes, tell, watch or SearchWatch(), self.seed).levels(self.heuristic)

    def task(self, table: CodedTable) -> Task:
        """What is searched in a coded table."""
        limit = floor(self.suppression * table.total + 1e-9)  # 0.29 of 100 are 29, not 28.999999999999996
        rules = PolicyRules.of(self.policy, self.scenarios)
        # Where only sizes of classes are asked for, those that stay have them whoever goes.
        return Task(table, rules, limit, settled=self.settled and not rules.fewest_records)


def heuristics() -> dict[str, type[Heuristic]]:
    """Every heuristic by its name, in the order in which they are tried before a proof."""
    known = members_in(family, Heuristic)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.priority)}


class _Search:
    """One search under way."""

    def __init__(self, nodes: ExaminedNodes, tell: Tell, watch: SearchWatch, seed: int) -> None:
        self.watch, self.seed = watch, seed
        self.nodes, self.lattice, self.budget, self.tell = nodes, nodes.lattice, nodes.budget, tell
        self.provable = self.lattice.size <= WORTH_PROVING  # whatever the budget is: a limit makes nothing slower
        self.proof = OptimalityProof(nodes, in_turn=not self.provable)
        self.next_message = monotonic() + BETWEEN_MESSAGES
        nodes.watch = self._watch

    def levels(self, heuristic: Heuristic | None) -> LevelsFound:
        """Search, and say which levels were found; stopped by hand, which were found so far."""
        try:
            if self.proof.begin():
                self._search(heuristic)
        except KeyboardInterrupt:
            return self._result(stopped=True)
        return self._result(stopped=self.nodes.stopped)

    def _search(self, heuristic: Heuristic | None) -> None:
        if heuristic:
            heuristic.walk(self.nodes)
        elif self.provable:
            self._prove()
        else:
            self._search_in_turns()

    def _prove(self) -> None:
        """The proof to its end, by a compiled loop where there is one for it."""
        if can_be_compiled(self.nodes):
            CompiledProof(self.proof, rolled=self.proof.worth_rolling, worth_rolling=WORTH_ROLLING).go_on()
        else:
            self.proof.go_on()

    def _search_in_turns(self) -> None:
        """Better nodes, higher floors of columns and the proof in turn, each turn with more looks than the one before.

        What is looked at, and in which order, does not depend on the budget: with more of it, the same looks come
        first, so that what is found is never worse.
        """
        from sfumato.search.levels.lower_bounds import ColumnFloors  # most searches come to an end without it

        floors, ways = ColumnFloors(self.nodes), Restarts(seed=self.seed).ways(self.nodes)
        for turn in count():
            self._narrow()
            if not turn:
                floors.begin()
            looks = FIRST_TURN * GROWTH**turn
            with self.nodes.at_most(looks * FOR_NODES):
                self._go(ways, int(looks * FOR_NODES / 2))
            floors.go_on(looks * FOR_FLOORS)
            self.proof.bound_again()
            with self.nodes.at_most(looks):
                self.proof.go_on()
            if self.proof.complete or self.nodes.spent:
                return

    def _go(self, ways: Iterator[None], most: int) -> None:
        """Go so many ways to better nodes, most of which have been looked at; fewer where no more may be looked at."""
        for _ in islice(ways, most):
            if self.nodes.spent:
                return

    def _narrow(self) -> None:
        """Leave levels out that no better node has."""
        top = self.nodes.state(self.lattice.highest)
        assert top is not None  # the proof has begun there
        self.nodes.lattice = feasible_levels(self.nodes, self.nodes.lighter(top))
        self.proof.narrow(self.nodes.lattice)

    def _watch(self) -> None:
        if self.watch.cancelled is not None and self.watch.cancelled():
            self.nodes.stopped = True
        started = monotonic()
        if started < self.next_message:
            return
        if self.watch.follow is not None:
            self.watch.follow(self._so_far())
        best = f"best {self.nodes.score:.4g}" if self.nodes.best else "nothing that keeps to the policy yet"
        words = f"Searching: {best}, bound {self.proof.bound:.4g}"
        if self.budget.nodes < inf:
            self.tell(words, self.nodes.count, int(self.budget.nodes))
        elif self.provable:
            self.tell(words, self.lattice.size - self.proof.left, self.lattice.size)
        else:
            self.tell(words)
        self.next_message = monotonic() + max(BETWEEN_MESSAGES, (monotonic() - started) / TELLING_SHARE)

    def _so_far(self) -> LevelsSoFar:
        best, scorer = self.nodes.best, self.nodes.scorer
        return LevelsSoFar(
            levels=dict(zip(self.lattice.columns, best.classes.levels, strict=True)) if best else None,
            loss=scorer.normalised(self.nodes.score) if best else None,
            bound=scorer.normalised(self.proof.bound),
            done=self.lattice.size - self.proof.left,
            total=self.lattice.size,
        )

    def _result(self, *, stopped: bool = False) -> LevelsFound:
        best, score, scorer = self.nodes.best, self.nodes.score, self.nodes.scorer
        if best is None:
            raise InfeasiblePolicy(_nothing_found(stopped=stopped, unfinished=not self.proof.complete))
        classes, sizes = best.classes.sizes_of(best.kept)
        return LevelsFound(
            levels=dict(zip(self.lattice.columns, best.classes.levels, strict=True)),
            records=self.nodes.task.table.total,
            suppressed=best.suppressed,
            classes=classes,
            sizes=sizes,
            score=score,
            normalised=scorer.normalised(score),
            bound=self.proof.bound,
            examined=self.nodes.count,
            pruned=max(self.lattice.size - self.nodes.count - self.proof.left, 0),
            tied=self.nodes.tied,
            lattice=self.lattice.size,
        )


def _nothing_found(*, stopped: bool, unfinished: bool) -> str:
    if stopped:
        return (
            "The search was stopped before it came upon a combination of levels that keeps to the policy. "
            "Whether there is one is not known."
        )
    return (
        "No combination of levels keeps to the policy without suppressing more records than allowed"
        f"{' as far as was searched' if unfinished else ''}. Loosen a requirement, or allow more suppression."
    )
