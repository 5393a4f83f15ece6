"""The verb of the curve: many possible releases of one table, risk against loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from sfumato.errors import InfeasiblePolicy
from sfumato.hierarchies.build import Hierarchies
from sfumato.plans.plan import Plan
from sfumato.privacy.assess import asked, policy_of
from sfumato.privacy.meaning_of_columns import project_and_source
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.search.catalogue import method as method_named
from sfumato.search.evaluation import NodeReading
from sfumato.search.evaluator import Evaluator
from sfumato.search.exploration import Explored, SearchTrial
from sfumato.search.frontier import Frontier, Point
from sfumato.search.prepare import PreparedTable, Source, prepare
from sfumato.search.request import search_request, with_project_settings
from sfumato.tables.engine import Engine
from sfumato.tables.source import ReadOptions

KS, SUPPRESSIONS = (2, 3, 5, 10, 15, 20), (0.0, 0.01, 0.02, 0.05)


@dataclass(frozen=True)
class SearchGrid:
    """The bounds, suppression limits and methods that are tried in every combination."""

    k: Sequence[int] = KS
    l: Sequence[float] = ()  # noqa: E741
    t: Sequence[float] = ()
    suppress: Sequence[float] = SUPPRESSIONS
    methods: Sequence[str] = ("optimal",)

    def bounds(self) -> Iterator[dict[str, Any]]:
        """Each combination of k, l and t."""
        for k, l, t in product(self.k or (None,), self.l or (None,), self.t or (None,)):  # noqa: E741
            yield {"k": k, "l": l, "t": t}


def explore(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    direct: Sequence[str] | str = (),
    non_sensitive: Sequence[str] | str = (),
    release_rest: bool = False,
    subject: str | None = None,
    k: Sequence[int] = KS,
    l: Sequence[float] = (),  # noqa: E741
    t: Sequence[float] = (),
    suppress: Sequence[float] = SUPPRESSIONS,
    methods: Sequence[str] = ("optimal",),
    requirements: Sequence[Requirement | str] = (),
    hierarchies: Hierarchies | None = None,
    objective: str = "loss",
    plan: Plan | str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Explored:
    """The curve of risk against loss, over bounds, suppression limits and methods; the records are grouped once.

    `k`, `l`, `t`, `suppress` and `methods` are tried in every combination; `requirements` hold for all of them. Risk is
    that of the person at the highest risk, one over the size of the smallest class; loss the objective from 0 to 1.

    >>> import pyarrow as pa
    >>> ages = pa.table({"age": [21, 21, 23, 23, 36, 36, 36, 38, 38, 38]})
    >>> curve = explore(ages, quasi="age", k=(2, 3), suppress=(0,))
    >>> [(round(point.risk, 2), round(point.score, 2)) for point in curve.frontier.front]
    [(0.25, 0.33), (0.5, 0.0)]
    """
    question = Question.written(
        quasi=quasi, sensitive=sensitive, direct=direct, non_sensitive=non_sensitive, release_rest=release_rest,
        subject=subject, requirements=requirements,
    )  # fmt: skip
    source = Source(data, None, hierarchies, plan, {}, options, engine)
    return explore_prepared(source, question, SearchGrid(k, l, t, suppress, methods), {"objective": objective}, tell)


def explore_source(
    data: str | None,
    project: str | Path | None,
    question: Question,
    grid: SearchGrid,
    settings: Mapping[str, Any],
    *,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Explored:
    """The curve of a source, or of what a project file describes."""
    known, place = project_and_source(data, project, "explore")
    return explore_with_settings(Source(place, known, options=options, engine=engine), question, grid, settings, tell)


def explore_with_settings(
    source: Source, question: Question, grid: SearchGrid, settings: Mapping[str, Any], tell: Tell = quiet
) -> Explored:
    """The curve of a source as its project file and settings say; bounds, shares and methods are those to be tried."""
    source, _, asked = with_project_settings(source, settings)
    asked.pop("suppress", None)
    return explore_prepared(source, question, grid, asked, tell)


def explore_prepared(
    source: Source, question: Question, grid: SearchGrid, settings: Mapping[str, Any], tell: Tell = quiet
) -> Explored:
    """Read the table, group its records once, and search for every combination."""
    first = next(grid.bounds())
    ready = prepare(source, _bounded(question, first), tell, proposals=True)
    policies = [_policy(ready, source, _bounded(question, bounds)) for bounds in grid.bounds()]
    evaluator = Evaluator.of(ready, search_request(ready, **settings), tell)
    trials: list[SearchTrial] = []
    every = list(product(grid.methods, policies, grid.suppress))
    for number, (method, policy, share) in enumerate(every):
        tell(f"Searching: {method}, {', '.join(policy.texts)}", number, len(every))
        own = evaluator.with_policy(policy, share)
        try:
            trials.append(SearchTrial(method, own.request, own.solve(method_named(method))))
        except InfeasiblePolicy:  # a combination that cannot be met is no point of the curve, and is counted below
            continue
    if not trials:
        raise InfeasiblePolicy("None of the combinations can be met. Try lower bounds, or allow more suppression.")
    impossible = len(every) - len(trials)
    notes = (f"{impossible} of {len(every)} combinations cannot be met.",) if impossible else ()
    loss = f"{trials[0].request.objective.name()}, from 0 to 1"
    points = tuple(_point(evaluator, trial) for trial in trials)
    curve = Frontier(points, "highest risk of a person, 1 / smallest class", loss)
    return Explored(ready, curve, tuple(trials), (*ready.notes, *notes))


def _point(evaluator: Evaluator, trial: SearchTrial) -> Point:
    policy, solution = trial.request.policy, trial.solved.solution
    smallest = solution.smallest(trial.solved.table)
    readings: tuple[NodeReading, ...] = ()
    if solution.levels is not None:
        readings = evaluator.with_policy(policy, trial.request.suppression).at(solution.levels).readings
    return Point(
        method=trial.method,
        requirements=policy.texts,
        suppression=trial.request.suppression,
        levels=solution.levels,
        score=solution.normalised,
        risk=1 / smallest if smallest else 0.0,
        suppressed=solution.suppressed,
        classes=solution.classes,
        bounds=policy.bounds,
        readings=readings,
    )


def _bounded(question: Question, bounds: Mapping[str, Any]) -> Question:
    return replace(question, shorthand=replace(question.shorthand, **bounds))


def _policy(ready: PreparedTable, source: Source, question: Question) -> Policy:
    base = policy_of(source.project) if source.project else Policy(())
    return Policy(asked(ready.dataset, question, base))
