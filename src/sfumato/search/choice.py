"""The choice among the ways to a release: each tried on the same different records, the one that loses least taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from sfumato.errors import InfeasiblePolicy, OutOfTime, SfumatoError
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.lattice import Lattice
from sfumato.privacy.coded.table import CodedTable
from sfumato.progress import Tell
from sfumato.search.deadline import in_time, until
from sfumato.search.levels.optimal import WORTH_PROVING
from sfumato.search.local.cell_suppression import fewest_cells
from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.peel_classes import PeelLimit
from sfumato.search.method_interface import SearchRequest
from sfumato.search.methods.cells import Cells
from sfumato.search.methods.local import Local
from sfumato.search.methods.mondrian import Mondrian
from sfumato.search.methods.optimal import Optimal
from sfumato.search.objectives.loss import Loss
from sfumato.search.scoring.own_labels import scored_by_objective
from sfumato.search.solution import Solution

# Combinations of levels times tuples that local recoding may look at here: about two seconds. The census needs 80
# million with the hierarchies of the literature, and 500 million with those that are inferred, where cutting numbers
# (Mondrian) loses less anyway; `--method local` looks at all.
LOOKS = 200_000_000
# Different records from which on a way that cannot win is stopped: of fewer, all together take less than a second, and
# the table of alternatives is worth it.
LARGE = 5_000
# Combinations of levels that are looked at where there are too many for a proof; chosen, not measured: the heuristics
# before the proof need fewer, and `--method optimal` goes on.
NODES = 5_000
# Of the seconds that may be searched, the share after which the search of levels ends where some records may be left
# out, and then where nobody may; the rest is for the other ways and the explanation. Chosen, not measured.
UNTIL_SHARE, UNTIL_NOBODY = 0.6, 0.75
UNTIL_OTHERS = 0.95  # of the same, when the other ways are given up, which have no best so far


@dataclass(frozen=True, eq=False)
class TriedWay:
    """One way to a release: what it came to, or why it came to nothing."""

    method: str
    request: SearchRequest
    solution: Solution | None = None
    score: float | None = None  # by the objective that was asked for
    normalised: float | None = None  # the same, from 0 to 1
    why_not: str = ""

    @property
    def settings(self) -> dict[str, str | float]:
        """The settings that give the same release again."""
        nodes = {"nodes": self.request.nodes} if self.request.nodes < inf else {}
        return {"method": self.method, "suppress": self.request.suppression, **nodes}

    @property
    def rank(self) -> tuple[float, int, int, float]:
        """What loses least comes first; of those that lose the same, what leaves, and may leave, fewest out."""
        assert self.solution is not None
        assert self.score is not None
        lost = 0 if self.solution.bare is None else int(self.solution.bare.sum())
        return round(self.score, 12), self.solution.suppressed, lost, self.request.suppression


def choose(
    table: CodedTable, hierarchies: Mapping[str, Hierarchy], request: SearchRequest, tell: Tell
) -> tuple[TriedWay, ...]:
    """Every way that was tried, in the order of what it loses; `InfeasiblePolicy` where none leads to a release.

    One level for each column is searched with the share of records that may be left out and, to show what that saves,
    with none. Mondrian and cell suppression leave nobody out, and local recoding only whom it pays to. Those that take
    longest come last, and in a large table none is followed to its end that cannot win.
    """
    if Lattice.of(table, request.limits).size > WORTH_PROVING and min(request.nodes, request.seconds) == inf:
        request = replace(request, nodes=NODES)
    attempt = _Attempt(table, hierarchies, request, tell)
    trials = [*attempt.levels(), attempt.mondrian()]
    best = min((trial.score for trial in trials if trial.score is not None), default=inf)
    trials.append(attempt.cells(best))
    best = min((trial.score for trial in trials if trial.score is not None), default=inf)
    trials.append(attempt.local(best, [t.solution.levels for t in trials if t.solution and t.solution.levels]))
    if all(trial.score is None for trial in trials):
        raise InfeasiblePolicy("No way leads to a release that keeps to the policy.")
    return (*ranked(trials), *(trial for trial in trials if trial.score is None))


def ranked(trials: Iterable[TriedWay]) -> tuple[TriedWay, ...]:
    """The ways that lead to a release, the one that loses least first."""
    return tuple(sorted((trial for trial in trials if trial.score is not None), key=lambda trial: trial.rank))


@dataclass(frozen=True, eq=False)
class _Attempt:
    table: CodedTable
    hierarchies: Mapping[str, Hierarchy]
    request: SearchRequest
    tell: Tell

    @property
    def stops(self) -> bool:
        """Whether a way is left that cannot win: the table is large, and what is to be small is what bounds are of."""
        return self.table.rows > LARGE and self.request.objective == Loss()

    def levels(self) -> Iterator[TriedWay]:
        """One level for each column: with the share that may be left out, and with nobody left out."""
        for share, ends in {self.request.suppression: UNTIL_SHARE, 0.0: UNTIL_NOBODY}.items():
            request = replace(self.request, suppression=share, for_levels=ends)
            yield self._trial(
                Optimal.name(), request, lambda own: Optimal().solve(self.table, self.hierarchies, own, self.tell)
            )

    def mondrian(self) -> TriedWay:
        """Classes by repeated cuts."""
        return self._own_labels(
            Mondrian.name(), lambda own: Mondrian().solve(self.table, self.hierarchies, own, self.tell)
        )

    def cells(self, best: float) -> TriedWay:
        """Cell suppression, unless the fewest cells that have to go lose more already."""

        def solve(request: SearchRequest) -> Solution | None:
            if self.stops and self._least_of_cells(request) > best:
                return None
            return Cells().solve(self.table, self.hierarchies, request, self.tell)

        return self._own_labels(Cells.name(), solve)

    def _least_of_cells(self, request: SearchRequest) -> float:
        """What cell suppression loses at the least, by the fewest cells that have to go."""
        tuples = CountedTuples.of_condensed(self.table, self.hierarchies)
        sets = [scenario.quasi_identifiers for scenario in request.scenarios]
        least = fewest_cells(tuples, request.policy, sets) * min(column.open for column in tuples.columns)
        return least / (tuples.records * len(tuples.columns))

    def local(self, best: float, levels: list[Mapping[str, int]]) -> TriedWay:
        """Local recoding, as far as it can still win and does not take too long."""
        limit = PeelLimit(LOOKS, best if self.stops else inf)
        return self._own_labels(
            Local.name(),
            lambda own: Local().solve_within(self.table, self.hierarchies, own, limit, levels or None),
            share=self.request.suppression,
        )

    def _own_labels(
        self, method: str, solve: Callable[[SearchRequest], Solution | None], *, share: float = 0.0
    ) -> TriedWay:
        """A way that makes the loss small, whatever the objective is; it knows no levels of whole columns."""
        request = replace(self.request, suppression=share, nodes=inf, seconds=inf)
        with until(self.request.ends(UNTIL_OTHERS)):
            return self._trial(method, request, lambda own: solve(replace(own, objective=Loss())))

    def _trial(
        self, method: str, request: SearchRequest, solve: Callable[[SearchRequest], Solution | None]
    ) -> TriedWay:
        self.tell(f"Searching: {method} among {self.table.rows} different records")
        try:
            in_time()
            solution = solve(request)
        except InfeasiblePolicy:
            return TriedWay(method, request, why_not="no release keeps to the policy this way")
        except OutOfTime:
            return TriedWay(method, request, why_not="not finished within the limit of seconds")
        except SfumatoError:
            if method == Optimal.name():
                raise  # it takes every policy, level and table, so that something is wrong with the request
            return TriedWay(method, request, why_not="cannot do what is asked for")
        if solution is None:
            return TriedWay(method, request, why_not="stopped: it cannot lose less, or takes too long")
        scored = scored_by_objective(solution, self.table, request)
        if scored is None:
            return TriedWay(
                method, request, why_not=f"the objective {request.objective.name()} reads whole columns only"
            )
        score, normalised = scored
        if request.objective != Loss():
            solution = replace(solution, score=score, normalised=normalised)
        return TriedWay(method, request, solution, score, normalised)
