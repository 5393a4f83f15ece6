"""The verb of exposure: the risk of a table as attackers see it, before and after a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.attackers.exposure import Exposure
from sfumato.attackers.population.model_interface import Population
from sfumato.attackers.read_exposure import Assumptions, PairedRelease, read_exposure
from sfumato.attackers.scenario import Mode, Subset
from sfumato.errors import PolicyError
from sfumato.plans.condition import Condition
from sfumato.plans.draft import Draft
from sfumato.plans.made_columns import loaded_with_made
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.meaning_of_columns import meant, project_and_source, unconfirmed
from sfumato.privacy.policy import Scenario
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.project.file import Project
from sfumato.schema import Role
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.paired.index_pairs import paired_extracts
from sfumato.utility.paired.pairing import MARKS

Sets = Mapping[str, Sequence[str]] | Sequence[Scenario]


def risk(
    data: Any,
    released: Any = None,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    subject: str | None = None,
    scenarios: Sets = (),
    subsets: Sequence[Subset | Mapping[str, Any]] = (),
    population: Any = None,
    fraction: float | None = None,
    population_size: int | None = None,
    region: str | None = None,
    uniques: int = 3,
    sets: int = 0,
    patterns: bool = False,
    attacks: bool = True,
    attempts: int = 2000,
    seed: int = 0,
    key: str | None = None,
    by_position: bool = False,
    marks: Sequence[str] = MARKS,
    plan: Plan | str | Path | None = None,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    question: Question | None = None,
    project: str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Exposure:
    """The risk of a table as attackers see it; with a release, before and after.

    `data` and `released` are frames, files, or an `Extract`; records of the release are paired by a `key`, by the index
    of two pandas frames, or `by_position` where somebody knows that both tables are in the same order. With a `plan`
    the release is what the plan makes of the data. `scenarios` maps names to the columns that an attacker
    knows; `subsets` are scenarios in which a condition is known as well: `{"name": ..., "columns": [...],
    "where": {...}, "mode": "subset" or "as_qi"}`. The population is a table with the same quasi-identifiers, or a
    sampling `fraction`, a `population_size` or a `region`. `uniques` is how many columns a special unique may have,
    `sets` up to which size all sets of columns are looked at, `patterns` whether several records of a person are known
    together. `attacks` tries linkage and the questions of WP216.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [30, 30, 41, 52], "sex": ["f", "f", "m", "m"]})
    >>> exposure = risk(table, quasi=["age", "sex"], scenarios={"neighbour": ["sex"], "colleague": ["sex", "age"]})
    >>> [(each.before.name, each.before.singled_out, each.before.k) for each in exposure.scenarios]
    [('neighbour', 0, 2), ('colleague', 2, 1)]
    """
    asked = question or Question.written(quasi=quasi, sensitive=sensitive, subject=subject)
    known, source = project_and_source(data, project, "look at")
    attackers = _scenarios(scenarios or (known.known_to if known else {}))
    certain = tuple(
        each if isinstance(each, Subset) else _subset(each) for each in subsets or (known.subsets if known else ())
    )
    if released is None and plan is None and known is not None and known.has_plan and not known.anonymise:
        plan = known.path  # by which alone it is released
    tell("Reading the data")
    reading = (options or ReadOptions()).completed_by(known.read_options()) if known else options
    plan = read_plan(plan) if plan is not None and not isinstance(plan, Plan) else plan
    spoken = [*asked.named_columns, *(name for each in attackers for name in each.quasi_identifiers)]
    spoken += [name for each in certain for name in each.quasi_identifiers]
    extract = loaded_with_made(source, known, options, engine, named=spoken, plan=plan)
    dataset = _with_population(meant(extract, known, asked), population, known)
    assumed = Assumptions(
        scenarios=attackers,
        subsets=certain,
        population=_population_of(fraction, population_size, region, known),
        uniques=uniques,
        sets=sets,
        patterns=patterns,
        attacks=attacks,
        attempts=attempts,
        seed=seed,
    )
    if plan is not None:
        dataset, released, key = _planned(plan, extract, dataset, released, Secrets.of(secrets, key_file=key_file))
    elif released is not None:
        released = released if isinstance(released, Extract) else load(released, reading, dataset.table.engine)
        paired, released, key = paired_extracts(extract, released, key, by_position=by_position)
        dataset = replace(dataset, table=paired.table)
    release, name = _release(released, dataset, reading, key, marks)
    exposure = read_exposure(dataset, assumed, release, source=extract.name, tell=tell)
    notes = (*extract.notes, *exposure.notes, *(unconfirmed(known.with_given(asked.roles)) if known else ()))
    return replace(exposure, notes=notes, released=name)


def _with_population(dataset: Dataset, population: Any, known: Project | None) -> Dataset:
    """The dataset as a sample of a population, where there is a table of it."""
    table = population if population is not None else known.population.get("table") if known else None
    return dataset if table is None else dataset.with_population(load(table, None, dataset.table.engine).table)


def _planned(
    plan: Plan, extract: Extract, dataset: Dataset, released: Any, secrets: Secrets
) -> tuple[Dataset, Extract, str]:
    """The data with their row numbers, what a plan makes of them, and the column that pairs both."""
    if released is not None:
        raise PolicyError("Give a release or a plan that makes one, not both.")
    roles = {a.name: a.role for a in dataset.schema}
    before = Draft.of(extract, subject=dataset.subject, roles=roles)
    after = plan.apply(before, secrets)
    names = listed(quoted(name) for name in (after.row, *after.names))
    table = after.engine.view(f"SELECT {names} FROM {after.table}")
    return replace(dataset, table=before.table), Extract(Path(plan.path).name, table, ()), before.row


def _release(
    released: Any, dataset: Dataset, options: ReadOptions | None, key: str | None, marks: Sequence[str]
) -> tuple[PairedRelease | None, str | None]:
    """The release, with the roles of the columns that it still has, and its name."""
    if released is None:
        return None, None
    extract = released if isinstance(released, Extract) else load(released, options, dataset.table.engine)
    there = extract.table.columns
    roles = {name: Role.QUASI.value for name in dataset.quasi_identifiers if name in there}
    roles |= {name: Role.SENSITIVE.value for name in dataset.sensitive if name in there}
    subject = dataset.subject if dataset.subject in there else None
    return PairedRelease(Dataset.of(extract.table, roles, subject=subject), key, tuple(marks)), extract.name


def _scenarios(sets: Sets) -> tuple[Scenario, ...]:
    if isinstance(sets, Mapping):
        return tuple(Scenario(name, columns) for name, columns in sets.items())
    return tuple(sets)


def _subset(data: Mapping[str, Any]) -> Subset:
    """A subset as data: name, columns, where and mode."""
    lacking = [key for key in ("name", "columns", "where") if key not in data]
    strange = [key for key in data if key not in ("name", "columns", "where", "mode")]
    if lacking or strange:
        problem = f"lacks {', '.join(lacking)}" if lacking else f"has {', '.join(map(repr, strange))}"
        raise PolicyError(
            f"A subset {problem}. Expected {{name: ..., columns: [...], where: {{column: ..., equals: ...}}}}."
        )
    columns = data["columns"]
    if not isinstance(columns, list | tuple):
        raise PolicyError(f"Subset {data['name']!r} needs a list of columns.")
    return Subset(str(data["name"]), Condition.of(data["where"]), columns, data.get("mode") or Mode.SUBSET)


def _population_of(
    fraction: float | None, size: int | None, region: str | None, known: Project | None
) -> Population | None:
    ways = {"fraction": fraction, "size": size, "region": region}
    if all(value is None for value in ways.values()):
        ways = {name: known.population.get(name) for name in ways} if known else {}
    chosen = {name: value for name, value in ways.items() if value is not None}
    return Population(**chosen) if chosen else None  # type: ignore[arg-type]
