"""The verb of anonymisation: find the release that keeps to a policy and loses least."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from sfumato.anonymised import Anonymised
from sfumato.anonymising import Solved, condensed, solve, steps_of, write_files
from sfumato.assessing import assess_dataset
from sfumato.assessment import Assessment
from sfumato.catalogue import method as method_named
from sfumato.catalogue import objective as objective_named
from sfumato.compare_flow import Hierarchies
from sfumato.comparing import cautions, chosen_models, read_all
from sfumato.comparison import Compared
from sfumato.dataset import Dataset
from sfumato.draft import Draft
from sfumato.engine import Engine, Kind, Table
from sfumato.errors import InfeasiblePolicy, PolicyError, UnknownColumn, UnusableInput
from sfumato.explaining import explained
from sfumato.explanation import Explanation
from sfumato.feasibility import advice
from sfumato.knowledge import Scenario
from sfumato.losses import Losses
from sfumato.method import Wanted
from sfumato.methods.optimal import search
from sfumato.pairing import Pairing
from sfumato.plan import Plan
from sfumato.plan_flow import Done, sources_of
from sfumato.policy import Requirement
from sfumato.preparing import Prepared, Source, drafted, prepared, released
from sfumato.progress import Tell, quiet
from sfumato.project import Project, told_apart
from sfumato.question import Question
from sfumato.schema import Role
from sfumato.solution import Solution
from sfumato.source import Column, Extract, ReadOptions
from sfumato.suppression_bias import SuppressionBias, bias_of, value_names
from sfumato.transform.drop import Drop
from sfumato.transform.generalise import Generalise

RELEASE, ORIGINAL = "release", "original"  # whom a class is compared with
Levels = Mapping[str, int | tuple[int, int]]


def anonymise(
    data: Any,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    direct: Sequence[str] | str = (),
    subject: str | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    requirements: Iterable[Requirement | str] = (),
    scenarios: Mapping[str, Sequence[str]] | None = None,
    population: Any = None,
    hierarchies: Hierarchies | None = None,
    suppress: float = 0.0,
    objective: str = "loss",
    aggregate: str | None = None,
    method: str = "optimal",
    levels: Levels | None = None,
    weights: Mapping[str, float] | None = None,
    balance: float = 0.5,
    nodes: float = inf,
    seconds: float = inf,
    heuristic: str | None = None,
    against: str = "release",
    compare: bool = True,
    explain: bool = True,
    plan: Plan | str | Path | None = None,
    secrets: Mapping[str, str | Path] | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Anonymised:
    """Find the release that keeps to a policy and loses least, and make it.

    `data` is a frame, a file, or an `Extract`. The policy is k, l, t and further `requirements` on the
    quasi-identifiers; at most a share `suppress` of the records may be left out. With `scenarios`, which map names to
    columns, the policy holds for each of them instead of for all quasi-identifiers together; `population` is a table of
    everybody, for k-map and presence; `against` says whom measures such as t compare a class with: everybody in the
    release, or in the original.

    `hierarchies` is a folder with one file per column or a mapping; for columns without one it is inferred. `objective`
    is what is made small, `aggregate` how columns count together, `weights` how much each matters, `levels` the level
    of a column, or its lowest and highest. `nodes` and `seconds` limit the search, and a `heuristic` takes the place of
    the proof. A `plan` is followed before it. Direct identifiers and the subject are not released. `compare` measures
    what was lost, `explain` says why these levels, and whom suppression hits.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [21, 24, 25, 33, 36, 38, 64], "sex": ["f", "f", "f", "m", "m", "m", "f"]})
    >>> found = anonymise(table, quasi=["age", "sex"], k=3, suppress=0.2)
    >>> found.levels, found.solution.suppressed, found.met
    ({'age': 2, 'sex': 0}, 1, True)
    """
    question = Question.written(
        quasi=_names(quasi), sensitive=_names(sensitive), direct=_names(direct), subject=subject, k=k, l=l, t=t,
        requirements=requirements,
    )  # fmt: skip
    source = Source(data, None, hierarchies, plan, secrets or {}, options, engine, population)
    ready = prepared(source, question, tell)
    wanted = wanted_of(
        ready, objective, aggregate=aggregate, balance=balance, weights=weights, suppress=suppress, levels=levels,
        scenarios=scenarios, nodes=nodes, seconds=seconds, heuristic=heuristic, against=against,
    )  # fmt: skip
    return anonymise_prepared(ready, method, wanted, compare=compare, explain=explain, tell=tell)


def anonymise_source(
    data: Any,
    project: str | Path | None,
    question: Question,
    settings: Mapping[str, Any],
    *,
    compare: bool = True,
    secrets: Mapping[str, str | Path] | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> tuple[Anonymised, list[Path]]:
    """Anonymise a source, or what a project file describes, and the files that were read.

    What the question and the settings say goes before the file.
    """
    given, file = told_apart(None if data is None else str(data), project)
    known = Project.read(file) if file is not None else None
    place = given or (known.source if known else None)
    if place is None:
        raise UnusableInput("There is nothing to anonymise: name a file, or a project file with --project.")
    asked = {**(known.anonymise if known else {}), **settings}
    if asked.pop("for_scenarios", False) and known and "scenarios" not in asked:
        asked["scenarios"] = {found["name"]: found["columns"] for found in known.scenarios}
    source = Source(
        place, known, asked.pop("hierarchies", None), asked.pop("plan", None), secrets or {}, options, engine
    )
    method = str(asked.pop("method", "optimal"))
    ready = prepared(source, question, tell)
    found = anonymise_prepared(ready, method, wanted_of(ready, **asked), compare=compare, tell=tell)
    return found, [*sources_of(place, found.plan), *([Path(file).resolve()] if file is not None else [])]


def wanted_of(
    ready: Prepared,
    objective: str = "loss",
    *,
    aggregate: str | None = None,
    balance: float = 0.5,
    weights: Mapping[str, float] | None = None,
    suppress: float = 0.0,
    levels: Levels | None = None,
    scenarios: Mapping[str, Sequence[str]] | None = None,
    nodes: float = inf,
    seconds: float = inf,
    heuristic: str | None = None,
    against: str = RELEASE,
) -> Wanted:
    """What is wanted of a search, from plain values."""
    given = {"aggregate": aggregate, "weights": weights or None, "balance": None if balance == 0.5 else balance}
    chosen = objective_named(objective, {name: value for name, value in given.items() if value is not None})
    ends = {name: (at, at) if isinstance(at, int) else (at[0], at[1]) for name, at in (levels or {}).items()}
    kinds = ready.dataset.table.kinds
    ordered = tuple(
        name
        for name, found in ready.hierarchies.items()
        if found.settings and (kinds[name].numeric or kinds[name] is Kind.DATE)
    )
    attackers = tuple(Scenario(name, columns) for name, columns in (scenarios or {}).items())
    for name in (name for attacker in attackers for name in attacker.quasi_identifiers):
        if name not in ready.hierarchies:
            raise UnknownColumn(name, ready.hierarchies)
    if against not in (RELEASE, ORIGINAL):
        raise PolicyError(f"Classes are compared with everybody in the {RELEASE} or in the {ORIGINAL}.")
    return Wanted(
        ready.policy, chosen, suppress, ends, attackers, nodes, seconds, ordered, heuristic, against == ORIGINAL
    )


def anonymise_prepared(
    ready: Prepared, method: str, wanted: Wanted, *, compare: bool = True, explain: bool = True, tell: Tell = quiet
) -> Anonymised:
    """Search a table that is ready, and make the release."""
    way, table = method_named(method), condensed(ready.dataset, wanted.policy, tell=tell)
    try:
        solved = solve(table, ready.hierarchies, way, wanted, tell)
    except InfeasiblePolicy:
        tell("Looking for what would help")
        raise advice(search(wanted), table).error from None
    return made(ready, method, wanted, solved, compare=compare, explain=explain, tell=tell)


def made(
    ready: Prepared,
    method: str,
    wanted: Wanted,
    solved: Solved,
    *,
    compare: bool = True,
    explain: bool = True,
    tell: Tell = quiet,
) -> Anonymised:
    """The release of a solution, read anew and compared with the original."""
    done, files = _followed(ready, wanted, solved, tell)
    tell("Reading the release anew")
    assessments = assessed(_after(ready, wanted, solved, done.after), wanted, tell)
    losses = _losses(ready, solved.solution, done.after, tell) if compare else None
    explanation, bias = _explained(ready, wanted, solved, tell) if explain else (None, None)
    return Anonymised(
        done, method, wanted, solved.solution, ready.hierarchies, assessments, solved.table.rows, losses, explanation,
        bias, files, (*ready.notes, *done.after.notes),
    )  # fmt: skip


def _explained(
    ready: Prepared, wanted: Wanted, solved: Solved, tell: Tell
) -> tuple[Explanation | None, SuppressionBias | None]:
    """Why these levels, and whom suppression hits."""
    tell("Explaining the solution")
    table, solution = solved.table, solved.solution
    why = explained(search(wanted), table, solution.found) if solution.found else None
    if not solution.suppressed or solution.gone is None:
        return why, None
    placed = {name: found.hierarchy for name, found in ready.hierarchies.items()}
    names = {value: value_names(ready.dataset, value) for value in table.values}
    return why, bias_of(table, solution.gone, placed, names)


def _followed(ready: Prepared, wanted: Wanted, solved: Solved, tell: Tell) -> tuple[Done, dict[str, bytes]]:
    """The plan of a solution, followed to its end, and the files that it names."""
    plan = planned(ready, wanted, solved)
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        write_files(Path(folder), solved, ready.hierarchies)
        rest = replace(plan, steps=plan.steps[len(ready.first.steps) :], folder=Path(folder))
        after, settled = rest.settle(ready.draft, ready.secret, tell)
        files = {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}
    settled = replace(plan, steps=(*ready.first.steps, *settled.steps))
    return Done(plan, settled, ready.extract.name, ready.before, after), files


def planned(ready: Prepared, wanted: Wanted, solved: Solved) -> Plan:
    """The plan of a solution: what comes before, the recoding, who is left out, and what is not released."""
    orders = {a.name: a.order for a in ready.dataset.schema if a.order and a.role is Role.SENSITIVE}
    return ready.first.then(*steps_of(solved, ready.hierarchies, wanted, orders), *_unreleased(ready))


def _unreleased(ready: Prepared) -> tuple[Drop, ...]:
    """The step that takes out direct identifiers and the subject, unless a step before says what becomes of them."""
    treated = {name for step in ready.first.steps for name in _touched(step.transformation.settings())}
    subject = [ready.draft.subject] if ready.draft.subject in ready.draft.names else []
    named = dict.fromkeys([*ready.draft.with_role(Role.DIRECT), *subject])
    columns = tuple(str(name) for name in named if name not in treated and name not in ready.hierarchies)
    return (Drop(columns),) if columns else ()


def _touched(settings: Mapping[str, Any]) -> set[str]:
    """The columns that a step names."""
    found: set[str] = set()
    for key in ("column", "columns"):
        given = settings.get(key, ())
        found |= {given} if isinstance(given, str) else set(given)
    return found


def assessed(dataset: Dataset, wanted: Wanted, tell: Tell = quiet) -> dict[str, Assessment]:
    """A release, read anew: for the columns of each scenario, or for all quasi-identifiers together."""
    if not wanted.scenarios:
        return {"": assess_dataset(dataset, wanted.policy, source="the release", tell=tell)}
    found = {}
    for scenario in wanted.scenarios:
        others = {name: "non-sensitive" for name in dataset.quasi_identifiers if name not in scenario.quasi_identifiers}
        seen = dataset.with_roles(others)
        found[scenario.name] = assess_dataset(seen, wanted.policy, source=f"the release, {scenario.name}", tell=tell)
    return found


def _after(ready: Prepared, wanted: Wanted, solved: Solved, after: Draft) -> Dataset:
    """The release as a dataset. The subject is still known here, so that persons are counted, though it is dropped."""
    kept = replace(after, columns=tuple(c for c in ready.draft.columns if c.name in after.table.columns))
    dataset = replace(drafted(kept, ready.dataset), hierarchies={})
    if ready.dataset.population is None:
        return dataset
    return dataset.with_population(_generalised_population(ready, wanted, solved))


def _generalised_population(ready: Prepared, wanted: Wanted, solved: Solved) -> Table:
    """The population at the levels of the release."""
    table = ready.dataset.population
    assert table is not None
    draft = Draft.of(
        Extract("the population", table, tuple(Column(name, kind, "") for name, kind in table.kinds.items()))
    )
    steps = [s for s in steps_of(solved, ready.hierarchies, wanted, {}) if isinstance(s, Generalise)]
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        write_files(Path(folder), solved, ready.hierarchies)
        return released(replace(Plan(), folder=Path(folder)).then(*steps).apply(draft, ready.secret))


def _losses(ready: Prepared, solution: Solution, after: Draft, tell: Tell) -> Losses:
    """What was lost on the quasi-identifiers, records paired by their number in the source."""
    tell("Comparing with the original")
    names = [name for name in ready.hierarchies if name in ready.before.names and name in after.names]
    placed = [] if ready.first.steps else [name for name in names if name not in solution.intervals]
    known = {name: ready.hierarchies[name].hierarchy for name in placed}
    tables = released(ready.before, numbered=True), released(after, numbered=True)
    compared = Compared.of(Pairing.of(*tables, names=names, hierarchies=known, key=ready.before.row))
    read = read_all(compared, chosen_models(), tell)
    return Losses(compared, read, "the number of the record", ready.extract.name, "the release", cautions(compared))


def _names(names: Sequence[str] | str) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
