"""Answers to live questions: what an evaluator says of levels, bounds and shares, as plain values for JSON.

What takes milliseconds is answered at once. A search is done beside that, in a thread of its own: whoever asks is told
how far it is, and asks again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from itertools import product
from math import isfinite
from typing import Any

from sfumato.errors import InfeasiblePolicy, SfumatoError
from sfumato.privacy.measure_interface import Safer, SensitiveMeasure
from sfumato.privacy.policy import Requirement
from sfumato.search.evaluation import Evaluation, NextNode
from sfumato.search.evaluator import Evaluator
from sfumato.search.frontier import Frontier, Point
from sfumato.search.levels.levels_so_far import LevelsSoFar
from sfumato.service.column_pictures import column_picture
from sfumato.service.live_hierarchies import DraftEffect, LiveHierarchies
from sfumato.service.live_searches import LiveSearch, LiveSearches

Plain = dict[str, Any]
Question = Mapping[str, Any]

# What the curve tries: the sizes and shares between which guidelines for health data choose, closer where they differ
# most. 36 searches, which take 2 seconds on the census table.
SIZES, SHARES = (2, 3, 5, 7, 10, 15, 20, 30, 50), (0.0, 0.01, 0.02, 0.05)
HIGHEST = {"higher": 50.0, "lower": 1.0}  # the end of a slider, where a bound does not lie beyond it


@dataclass(frozen=True, eq=False)
class LiveAnswers:
    """An evaluator that is asked by somebody elsewhere."""

    evaluator: Evaluator
    chosen: Mapping[str, int] = field(default_factory=dict)  # levels that the project file says
    searches: LiveSearches = field(default_factory=LiveSearches)

    @classmethod
    def of(cls, evaluator: Evaluator) -> LiveAnswers:
        """Answers of an evaluator whose searches choose among all levels but those that a project gives as a range.

        A single level in the project file is what somebody chose before: what else there would be is what is asked.
        """
        limits = evaluator.request.limits
        ranges = {name: ends for name, ends in limits.items() if ends[0] != ends[1]}
        chosen = {name: low for name, (low, high) in limits.items() if low == high}
        return cls(replace(evaluator, request=replace(evaluator.request, limits=ranges)), chosen)

    def answer(self, question: Question) -> Plain:
        """The answer to one question, or the problem in words."""
        asked: dict[str, Callable[[Question], Plain]] = {
            "at": lambda q: plain_evaluation(self._at(q)),
            "neighbours": self._neighbours,
            "best": self._best,
            "curve": self._curve,
            "counts": self._counts,  # every column before and after
            "hierarchy": self._hierarchies.hierarchy,
            "effect": self._effect,
            "lines": lambda q: asdict(self.evaluator.lines(self._levels(q), **self._wanted(q))),
        }
        what = question.get("what")
        if what not in asked:
            return {"problem": f"Live questions are: {', '.join(asked)}."}
        try:
            return asked[what](question)
        except SfumatoError as error:
            return {"problem": str(error)}
        except MemoryError:
            raise
        except Exception:  # a question of another form than pages ask; what a library says of it may quote a cell
            return {"problem": "This question cannot be answered: it is not of the form that it has to be of."}

    def shape(self) -> Plain:
        """What can be asked for: columns and how coarse each can be, requirements and their bounds, the share."""
        ready, request = self.evaluator.ready, self.evaluator.request
        return {
            "records": self.evaluator.table.total,
            "columns": [asdict(column) for column in self._columns],
            "requirements": [_requirement(one) for one in request.policy.requirements if one.bound is not None],
            "suppress": request.suppression,
            "levels": self._chosen_levels,
            "objective": request.objective.name(),
            "undecided": list(ready.undecided),
            "open": list(ready.open),
            "notes": list(ready.notes),
        }

    @property
    def _chosen_levels(self) -> list[int] | None:
        """The levels that the project file says, where it says one for every column."""
        names = [column.name for column in self.evaluator.table.columns]
        return [self.chosen[name] for name in names] if all(name in self.chosen for name in names) else None

    @cached_property
    def _columns(self) -> tuple[LiveColumn, ...]:
        table, hierarchies = self.evaluator.table, self.evaluator.ready.hierarchies
        columns = []
        for column in table.columns:
            hierarchy = hierarchies[column.name].hierarchy
            labels = tuple(len(hierarchy.labels(level)) for level in range(column.height + 1))
            examples = self.evaluator.examples(column.name)
            columns.append(LiveColumn(column.name, column.height, examples, labels, hierarchies[column.name].why))
        return tuple(columns)

    def _wanted(self, question: Question) -> dict[str, Any]:
        return {"bounds": question.get("bounds") or None, "suppress": question.get("suppress")}

    def _at(self, question: Question) -> Evaluation:
        return self.evaluator.at(self._levels(question), **self._wanted(question))

    def _levels(self, question: Question) -> dict[str, int]:
        """Levels by column; they may be listed in the order of the columns."""
        levels = question.get("levels") or {}
        listed = isinstance(levels, list)
        return dict(zip((c.name for c in self.evaluator.table.columns), levels, strict=False)) if listed else levels

    def _neighbours(self, question: Question) -> Plain:
        """Each column one level up or down; of a node that keeps to the policy down, of another up."""
        here = self._at(question)
        by = -1 if here.met else 1
        return {"by": by, "neighbours": [plain_neighbour(one) for one in here.neighbours(by)]}

    def _counts(self, question: Question) -> Plain:
        """Every column before and after, how many look alike, and whom leaving out hits."""
        evaluator, levels, wanted = self.evaluator, self._levels(question), self._wanted(question)
        counts = (evaluator.counts(column.name, levels, **wanted) for column in evaluator.table.columns)
        return {
            "columns": [column_picture(one) for one in counts],
            "sizes": [asdict(band) for band in evaluator.sizes(levels, **wanted)],
            "bias": asdict(evaluator.bias(levels, **wanted)),
        }

    def _best(self, question: Question) -> Plain:
        wanted = self._wanted(question)
        name = repr(("best", sorted((wanted["bounds"] or {}).items()), wanted["suppress"]))
        search = self.searches.of(name, lambda: _BestLevels(self.evaluator, wanted), urgent=True)
        return search.plain()

    @cached_property
    def _hierarchies(self) -> LiveHierarchies:
        return LiveHierarchies(self.evaluator)

    def _effect(self, question: Question) -> Plain:
        """What another hierarchy of a column would do to a release."""
        name = sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
        make = partial(DraftEffect, self._hierarchies, question, plain_evaluation)
        return self.searches.of(f"effect {name}", make, urgent=True).plain()

    def _curve(self, _question: Question) -> Plain:
        search = self.searches.of("curve", lambda: _GrowingCurve(self.evaluator), urgent=False)
        return search.plain()


@dataclass(frozen=True)
class LiveColumn:
    """A column that can be coarser: how far, what its commonest value becomes, and how many labels there are then."""

    name: str
    height: int
    examples: tuple[str | None, ...]
    labels: tuple[int, ...]
    why: str


@dataclass
class _BestLevels(LiveSearch):
    """The levels that lose least under a policy, with the best so far and the bound while they are searched."""

    evaluator: Evaluator
    wanted: Mapping[str, Any]
    so_far: LevelsSoFar | None = None
    best: Evaluation | None = None

    def step(self, urged: Callable[[], bool]) -> bool:
        try:
            self.best = self.evaluator.best(**self.wanted, follow=self._follow)
        except InfeasiblePolicy:
            raise self.evaluator.advice(**self.wanted).error from None
        return True

    def _follow(self, so_far: LevelsSoFar) -> None:
        self.so_far = so_far

    def content(self) -> Plain:
        if self.best is not None:
            return {"best": plain_evaluation(self.best)}
        if self.so_far is None:
            return {}
        known = {"loss": self.so_far.loss, "bound": self.so_far.bound, "done": self.so_far.done}
        return {**known, "total": self.so_far.total}


@dataclass
class _GrowingCurve(LiveSearch):
    """The curve of risk and loss, one search after the other; a search that somebody waits for goes before."""

    evaluator: Evaluator
    points: list[Point] = field(default_factory=list)
    done: int = 0

    @cached_property
    def grid(self) -> list[tuple[dict[str, float], float]]:
        """The bounds and shares that are tried: by size of the smallest group, where the policy asks for one."""
        request = self.evaluator.request
        sized = next((r for r in request.policy.requirements if r.bound is not None and r.measure.counts_members), None)
        shares = sorted({*SHARES, request.suppression})
        if sized is None or sized.bound is None:
            return [({}, share) for share in shares]
        return [({sized.name: size}, share) for share, size in product(shares, sorted({*SIZES, sized.bound}))]

    def step(self, urged: Callable[[], bool]) -> bool:
        bounds, share = self.grid[self.done]
        tried = {name: (bound,) for name, bound in bounds.items()}
        points = list(self.evaluator.curve(tried, (share,), cancelled=urged))
        if not urged():  # else what was searched last is searched again
            self.points = [*self.points, *points]
            self.done += 1
        return self.done == len(self.grid)

    def content(self) -> Plain:
        known = self.points
        front = Frontier(tuple(known))
        return {
            "points": [_point(point, on_front=place in front.front_places) for place, point in enumerate(known)],
            "knee": front.knee_place,
            "done": self.done,
            "total": len(self.grid),
        }


def plain_evaluation(evaluation: Evaluation) -> Plain:
    """An evaluation as plain values; what is listed by column is in the order of the columns."""
    return {
        "levels": list(evaluation.levels.values()),
        "bounds": dict(evaluation.bounds),
        "suppress": evaluation.suppress,
        "met": evaluation.met,
        "records": evaluation.records,
        "left_out": evaluation.left_out,
        "limit": evaluation.limit,
        "excess": evaluation.excess,
        "persons": evaluation.persons,
        "persons_left_out": evaluation.persons_left_out,
        "before": asdict(evaluation.before),
        "after": asdict(evaluation.after),
        "score": _finite(evaluation.score),
        "loss": _finite(evaluation.loss),
        "losses": None if evaluation.losses is None else list(evaluation.losses.values()),
        "readings": [
            {
                "name": reading.name, "measure": reading.requirement.measure.name(), "sensitive": reading.sensitive,
                "value": _finite(reading.value), "bound": reading.bound, "met": reading.met,
                "scenario": reading.scenario,
            }
            for reading in evaluation.readings
        ],
    }  # fmt: skip


def plain_neighbour(one: NextNode) -> Plain:
    """One level of one column away, as plain values."""
    return {
        "column": one.column, "by": one.by, "level": one.level, "met": one.met, "left_out": one.left_out,
        "loss": _finite(one.loss),
    }  # fmt: skip


def _point(point: Point, *, on_front: bool) -> Plain:
    assert point.levels is not None  # every search of the curve chooses levels
    return {
        "levels": list(point.levels.values()), "bounds": dict(point.bounds), "suppress": point.suppression,
        "risk": point.risk, "loss": point.score, "left_out": point.suppressed, "front": on_front,
    }  # fmt: skip


def _requirement(requirement: Requirement) -> Plain:
    """A requirement with the ends and steps of its slider."""
    measure, bound = requirement.measure, requirement.bound
    assert bound is not None
    safer = "higher" if measure.safer is Safer.HIGHER else "lower"
    whole = measure.counts_members or (safer == "higher" and float(bound).is_integer())
    small = not whole and bound <= 1
    return {
        "name": requirement.name,
        "measure": measure.name(),
        "plainly": measure.plainly,
        "sensitive": measure.sensitive if isinstance(measure, SensitiveMeasure) else None,
        "safer": safer,
        "bound": bound,
        "least": 1 if whole else 0,
        "most": 1 if small else max(HIGHEST[safer], 2 * bound),
        "step": 1 if whole else 0.01 if small else 0.1,
    }


def _finite(value: float | None) -> float | str | None:
    """A number that JSON has; what is beyond all numbers is a text."""
    return value if value is None or isfinite(value) else str(value)


def answered(answers: LiveAnswers, questions: Sequence[Question]) -> list[Plain]:
    """The answers to some questions, in their order."""
    return [answers.answer(question) for question in questions]
