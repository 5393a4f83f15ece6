"""The verb of the dimension stage: how many quasi-identifiers have to be de-identified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from sfumato.errors import PolicyError, SchemaError, UnknownColumn
from sfumato.hierarchies.builders.from_file import hierarchies_in, read_hierarchy
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.search.dimension.candidates import Stage, StageTable, by_descending_risk, compare_tables, risk_rates
from sfumato.search.dimension.result import Dimensions
from sfumato.search.dimension.rules import rule_named
from sfumato.search.dimension.stage_plan import StagePlan, WatchedDraft
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine, Kind, Table, listed, unused
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.paired.record_join import joined_texts, require_pairing


def dimension(
    original: Any,
    released: Sequence[Any] = (),
    *,
    quasi: Sequence[str] | str,
    sensitive: Sequence[str] | str = (),
    plan: Plan | str | Path | None = None,
    order: Sequence[str] = (),
    key: str | None = None,
    by_position: bool = False,
    subject: str | None = None,
    rule: str = "pareto",
    count_missing: bool = True,
    hierarchies: str | Path | None = None,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> Dimensions:
    """What each more de-identified quasi-identifier gains in privacy and costs in information, and how many it takes.

    `released` are tables of the same records, each with one more of the quasi-identifiers (in the order in which they
    are named) de-identified; paired by a `key` that all have, or `by_position` where all are known to be in the same
    order. With a `plan` the tables are made here, in descending order of the g-distinct risk rate unless an `order` is
    given. Tables that are not cumulative are compared as alternatives. `rule` is pareto, figure5 or last_feasible; what
    each of them chooses is told.

    >>> import pyarrow as pa
    >>> table = {"age": [31, 34, 38, 52], "sex": ["F", "F", "F", "F"], "illness": ["flu", "cold", "flu", "flu"]}
    >>> released = pa.table({**table, "age": ["30+", "30+", "30+", "30+"]})
    >>> stage = dimension(pa.table(table), [released], quasi=["age", "sex"], sensitive="illness", by_position=True)
    >>> stage.optimal(), stage.original.k, stage.candidates[0].k, stage.candidates[0].nue_percent
    (1, 1, 4, 100.0)
    """
    asked = _StageColumns(
        quasi=_names(quasi),
        sensitive=_names(sensitive),
        order=_names(order),
        key=key,
        subject=subject,
        count_missing=count_missing,
    )
    rule = rule_named(rule)
    asked.check(released, plan)
    if plan is None:
        require_pairing(key, by_position=by_position)
    tell("Reading the data")
    options = options or ReadOptions()
    extract = original if isinstance(original, Extract) else load(original, options, engine)
    files = hierarchies_in(hierarchies) if hierarchies else {}
    if plan is None:
        stage, tables, notes = _tables_given(extract, released, asked, options, tell)
    else:
        read = plan if isinstance(plan, Plan) else read_plan(plan)
        read = replace(read, hierarchies=files) if files else read
        stage, tables, notes = _tables_of_plan(extract, read, asked, Secrets.of(secrets, key_file=key_file), tell)
    stage = replace(stage, hierarchies={name: read_hierarchy(files[name]) for name in stage.quasi if name in files})
    dimensions = compare_tables(stage, tables, tell)
    notes = (*extract.notes, *notes, *dimensions.notes)
    return replace(dimensions, source=extract.name, rule=rule, subject=subject, notes=notes)


@dataclass(frozen=True)
class _StageColumns:
    """What the columns are, and how records are paired."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    order: tuple[str, ...]
    key: str | None
    subject: str | None
    count_missing: bool

    def check(self, released: Sequence[Any], plan: object) -> None:
        """Refuse what cannot be answered before anything is read."""
        if (plan is None) is (not released):
            raise PolicyError("Give the released tables (--released), or a plan that makes them (--plan).")
        if not self.quasi:
            raise PolicyError("Name the quasi-identifiers, the first to be de-identified first: --quasi.")
        if self.order and sorted(self.order) != sorted(self.quasi):
            raise PolicyError("The order must name every quasi-identifier once, and nothing else.")
        for name in self.quasi:
            if name in self.sensitive:
                raise PolicyError(f"{name!r} is named both as quasi and as sensitive. A column has one role.")


_Tables = tuple[Stage, list[StageTable], tuple[str, ...]]  # the original, the others, and what should be known of them


def _tables_given(
    extract: Extract, released: Sequence[Any], asked: _StageColumns, options: ReadOptions, tell: Tell
) -> _Tables:
    """The tables as they were given, all in one engine."""
    _require(extract.table, *asked.quasi, *asked.sensitive, asked.subject)
    quasi = asked.order or asked.quasi
    stage = Stage(
        table=extract.table,
        quasi=quasi,
        sensitive=asked.sensitive,
        key=asked.key,
        subject=asked.subject,
        count_missing=asked.count_missing,
    )
    tables: list[StageTable] = []
    notes: list[str] = []
    for number, source in enumerate(released, 1):
        tell(f"Reading table {number} of {len(released)}", number - 1, len(released))
        own = _read(source, options, quasi, extract)
        file = Path(source).name if isinstance(source, str | Path) else None
        name = unused(file or f"table {number}", [table.name for table in tables].__contains__)
        try:
            _require(own.table, *asked.sensitive, asked.subject)
            notes += _unlike(stage, own.table, name)
        except SchemaError as error:
            raise SchemaError(f"{name}: {error}") from None
        tables.append(StageTable(name, own.table, source=file))
    return stage, tables, tuple(notes)


def _read(source: Any, options: ReadOptions, quasi: Sequence[str], original: Extract) -> Extract:
    """A released table. A quasi-identifier that was a number may be text now, so only text can be decided for it."""
    if isinstance(source, Extract):
        return source
    kinds = {name: kind for name, kind in options.kinds.items() if name not in quasi or kind is Kind.TEXT}
    return load(source, replace(options, kinds=kinds), original.table.engine)


def _unlike(stage: Stage, table: Table, name: str) -> list[str]:
    """What to know where sensitive values differ from the original's; `SchemaError` if the records are in disorder."""
    if not stage.sensitive:
        return []
    paired = joined_texts(stage.table, table, stage.sensitive, target=None, key=stage.key)
    unlike = " OR ".join(f"o{i} IS DISTINCT FROM r{i}" for i in range(1, len(stage.sensitive) + 1))
    differing = int(paired.engine.fetch(f"SELECT count(*) FROM {paired} WHERE present AND ({unlike})")[0][0])
    if not differing:
        return []
    if stage.key is None and _same_values(paired, len(stage.sensitive)):
        raise SchemaError(
            f"the sensitive columns hold the values of the original, but {differing} records have those of another "
            f"one. Put the records in the same order, or name a column that says which is which: --key."
        )
    return [f"{name}: {differing} records have other sensitive values than in the original, which changes l and t too."]


def _same_values(paired: Table, columns: int) -> bool:
    """Whether the same combinations of values occur on both sides, as often."""
    before, after = (
        f"SELECT {listed(f'{side}{i} AS v{i}' for i in range(1, columns + 1))}, count(*) AS n FROM {paired} "
        f"GROUP BY {listed(f'{side}{i}' for i in range(1, columns + 1))}"
        for side in "or"
    )
    return not paired.engine.fetch(f"SELECT count(*) FROM ({before} EXCEPT {after}) AS other")[0][0]


def _tables_of_plan(extract: Extract, plan: Plan, asked: _StageColumns, secrets: Secrets, tell: Tell) -> _Tables:
    """The tables that the steps of a plan make, one quasi-identifier after the other."""
    for name in plan.secrets():
        secrets(name)  # a secret that lacks is said at once
    roles = {**dict.fromkeys(asked.quasi, Role.QUASI), **dict.fromkeys(asked.sensitive, Role.SENSITIVE)}
    draft = cast("WatchedDraft", WatchedDraft.of(extract, subject=asked.subject, roles=roles))
    steps = StagePlan.of(plan, draft, secrets, quasi=asked.quasi, sensitive=asked.sensitive, tell=tell)
    prepared = steps.prepared().require(*asked.quasi, *asked.sensitive)
    order = asked.order or by_descending_risk(risk_rates(prepared.table, asked.quasi))
    changing = [name for name in order if name in steps.by_column]
    tables = steps.cumulated(prepared, changing, (*asked.quasi, *asked.sensitive), tell)
    named = [StageTable(f"dimension {d}", table, tables.order[:d]) for d, table in enumerate(tables.tables, 1)]
    stage = Stage(
        table=tables.original,
        quasi=order,
        sensitive=asked.sensitive,
        key=tables.key,
        subject=tables.subject,
        count_missing=asked.count_missing,
    )
    return stage, named, tables.notes


def _require(table: Table, *names: str | None) -> None:
    for name in names:
        if name is not None and name not in table.kinds:
            raise UnknownColumn(name, table.kinds)


def _names(names: Sequence[str] | str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([names] if isinstance(names, str) else names))
