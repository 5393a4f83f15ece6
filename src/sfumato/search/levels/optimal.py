"""The optimal search: the combination of levels that loses least, and a proof that none is better.

Where there are more nodes than can be ruled out, heuristics come first, then what groups of columns cost at the least,
and then boxes of the lowest bound in turn with the newest: so there is a good score early, and the gap closes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, inf
from time import monotonic

from sfumato.errors import InfeasiblePolicy, PlanError
from sfumato.families import members_in
from sfumato.privacy.coded.group_records import condense
from sfumato.privacy.coded.judge import Judges
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.table import Condensed
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.policy import Policy, Scenario
from sfumato.progress import Tell, quiet
from sfumato.search import heuristics as family
from sfumato.search.levels.examined_nodes import Budget, Looks
from sfumato.search.levels.heuristic_interface import Heuristic
from sfumato.search.levels.levels_found import Found
from sfumato.search.levels.lower_bounds import find_floors
from sfumato.search.levels.optimality_proof import Proof
from sfumato.search.scoring.objective_interface import Objective, Task

WORTH_PROVING = 200_000  # nodes of a lattice up to which the proof is begun at once
LOOKS_PER_COLUMN = 50  # of each heuristic that comes before the proof
SHARE = 0.15  # of what the search may take, for each heuristic, and for the floors
TELLING = 0.3  # seconds between two messages


@dataclass(frozen=True)
class Optimal:
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

    def __post_init__(self) -> None:
        if not 0 <= self.suppression <= 1:
            raise PlanError("The share of records that may be suppressed lies between 0 and 1.")

    def of(self, dataset: Dataset, tell: Tell = quiet) -> Found:
        """Search the levels of a dataset."""
        tell("Grouping")
        judges = Judges.of(self.policy, self.scenarios)
        return self.among(condense(dataset, judges.values, population=judges.reads_population), tell)

    def among(self, table: Condensed, tell: Tell = quiet) -> Found:
        """Search the levels of a condensed table, which has the sensitive values that the policy reads."""
        limit = floor(self.suppression * table.total + 1e-9)
        task = Task(table, Judges.of(self.policy, self.scenarios), limit, self.settled)
        lattice = Lattice.of(table, self.limits)
        looks = Looks(task, lattice, self.objective.ready(task), self.budget)
        return _Search(looks, tell).found(self.heuristic)


def heuristics() -> dict[str, type[Heuristic]]:
    """Every heuristic by its name, in the order in which they are tried before a proof."""
    known = members_in(family, Heuristic)  # type: ignore[type-abstract]
    return {cls.name(): cls for cls in sorted(known, key=lambda cls: cls.turn)}


class _Search:
    """One search under way."""

    def __init__(self, looks: Looks, tell: Tell) -> None:
        self.looks, self.lattice, self.budget, self.tell = looks, looks.lattice, looks.budget, tell
        self.provable = self.lattice.size <= min(WORTH_PROVING, self.budget.nodes) and self.budget.seconds == inf
        self.proof = Proof(looks, in_turn=not self.provable)
        self.told = monotonic()
        looks.watch = self._watch

    def found(self, heuristic: Heuristic | None) -> Found:
        """Search, and say what was found."""
        try:
            if self.proof.begin():
                self._search(heuristic)
        except KeyboardInterrupt:
            return self._result(stopped=True)
        return self._result()

    def _search(self, heuristic: Heuristic | None) -> None:
        if heuristic:
            self.looks.take(heuristic, inf)
            return
        if not self.provable and not self.looks.spent:
            nodes, seconds = self.budget.nodes * SHARE, self.budget.seconds * SHARE
            for member in heuristics().values():
                self.looks.take(member(), min(LOOKS_PER_COLUMN * len(self.lattice.columns), nodes), seconds)
            find_floors(self.looks, nodes, seconds)
            self.proof.look_again()
        self.proof.go_on()

    def _watch(self) -> None:
        if self.tell is quiet or monotonic() - self.told < TELLING:
            return
        self.told = monotonic()
        best = f"best {self.looks.score:.4g}" if self.looks.best else "nothing that keeps to the policy yet"
        words = f"Searching: {best}, bound {self.proof.bound:.4g}"
        if self.budget.nodes < inf:
            self.tell(words, self.looks.examined, int(self.budget.nodes))
        elif self.provable:
            self.tell(words, self.lattice.size - self.proof.left, self.lattice.size)
        else:
            self.tell(words)

    def _result(self, *, stopped: bool = False) -> Found:
        best, score, scorer = self.looks.best, self.looks.score, self.looks.scorer
        if best is None:
            raise InfeasiblePolicy(_nothing_found(stopped=stopped, unfinished=not self.proof.complete))
        sizes, room = best.grouped.records[best.kept], scorer.most - scorer.least
        return Found(
            dict(zip(self.lattice.columns, best.grouped.levels, strict=True)), self.looks.task.table.total,
            best.suppressed, len(sizes), (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0),
            score, min(max((score - scorer.least) / room, 0.0), 1.0) if room > 0 else 0.0, self.proof.bound,
            self.looks.examined, max(self.lattice.size - self.looks.examined - self.proof.left, 0), self.looks.tied,
            self.lattice.size,
        )  # fmt: skip


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
