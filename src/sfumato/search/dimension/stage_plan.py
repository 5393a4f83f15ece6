"""The steps of a plan, one quasi-identifier after the other: the cumulative tables of the dimension stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from sfumato.errors import PlanError, UnknownColumn
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan, Step
from sfumato.plans.steps.keep import Keep
from sfumato.progress import Tell, quiet
from sfumato.secrets import Secrets
from sfumato.tables.engine import Table, listed, quoted, unused


@dataclass(frozen=True)
class WatchedDraft(Draft):
    """A draft that remembers what was done to it: columns that were changed or left out, and records left out."""

    touched: frozenset[str] = frozenset()
    fewer: bool = False

    def changed(self, columns: Mapping[str, str], *, join: str = "", relabelled: bool = True) -> Draft:
        return self._and(super().changed(columns, join=join, relabelled=relabelled), columns)

    def without(self, *names: str) -> Draft:
        return self._and(super().without(*names), names)

    def where(self, condition: str, *, join: str = "") -> Draft:
        return replace(self._and(super().where(condition, join=join), ()), fewer=True)

    def _and(self, draft: Draft, names: Iterable[str]) -> WatchedDraft:
        return replace(cast("WatchedDraft", draft), touched=self.touched.union(names))


@dataclass(frozen=True)
class StepTrace:
    """What a step does where it stands: the columns that it changes and makes, and whether it leaves records out."""

    number: int
    step: Step
    changed: frozenset[str]
    made: frozenset[str]
    fewer: bool

    @property
    def idle(self) -> bool:
        """Whether it does nothing at all to these data."""
        return not (self.changed or self.made or self.fewer)


@dataclass(frozen=True)
class CumulativeTables:
    """The tables of the stage, each with the columns of the stage and one by which records are paired."""

    original: Table
    tables: tuple[Table, ...]  # one quasi-identifier more in each
    order: tuple[str, ...]  # the quasi-identifiers that the plan changes, in the order of the tables
    key: str
    subject: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StagePlan:
    """A plan taken apart: what is done to the table before the stage, and what to each quasi-identifier."""

    plan: Plan
    start: WatchedDraft
    final: Draft  # what the plan makes in its own order
    before: tuple[StepTrace, ...]
    by_column: Mapping[str, tuple[StepTrace, ...]]  # the quasi-identifiers
    secrets: Secrets
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        plan: Plan,
        draft: WatchedDraft,
        secrets: Secrets,
        *,
        quasi: Sequence[str],
        sensitive: Sequence[str],
        tell: Tell,
    ) -> StagePlan:
        """Every step where it belongs; `PlanError` for one that belongs to several quasi-identifiers."""
        plan, notes = _without_vaults(plan, (*quasi, *sensitive))
        final, settled = plan.settle(draft, secrets, tell)
        traces = [trace for trace in _traces(settled, draft, secrets) if not trace.idle]
        known = {*draft.names, *(name for trace in traces for name in trace.made)}
        for name in (*quasi, *sensitive):
            if name not in known:
                raise UnknownColumn(name, known)
        by_column: dict[str, tuple[StepTrace, ...]] = {}
        for trace in traces:
            _check(plan, trace, quasi, sensitive, late=bool(by_column))
            for name in trace.changed.intersection(quasi):
                by_column[name] = (*by_column.get(name, ()), trace)
        if not by_column:
            raise PlanError(f"{plan.path}: no step changes a quasi-identifier, so there is nothing to compare.")
        before = tuple(trace for trace in traces if not trace.changed.intersection(quasi))
        notes += tuple(f"The plan leaves {name} as it is." for name in quasi if name not in by_column)
        return cls(
            plan=settled, start=draft, final=final, before=before, by_column=by_column, secrets=secrets, notes=notes
        )

    def prepared(self) -> Draft:
        """The original of the stage: everything but the quasi-identifiers is done."""
        done = self._done(self.before, self.start)
        return replace(done, table=done.engine.query(f"SELECT * FROM {done.table}"))

    def cumulated(
        self, prepared: Draft, order: Sequence[str], columns: Sequence[str], tell: Tell = quiet
    ) -> CumulativeTables:
        """The quasi-identifiers de-identified one after the other, in an order."""
        drafts = [prepared]
        for name in order:
            drafts.append(self._done(self.by_column[name], drafts[-1]))
        self._check_end(drafts[-1], columns)
        person = unused("person", {*columns, prepared.row}.__contains__) if self.start.subject else None
        tables = []
        for number, draft in enumerate(drafts):
            tell(f"De-identifying {number} of {len(order)} quasi-identifiers", number, len(order))
            tables.append(self._held(draft, columns, person))
        left = self.start.count() - prepared.count()
        notes = (f"Steps before the stage leave {left} of {self.start.count()} records out.",) if left else ()
        return CumulativeTables(
            original=tables[0],
            tables=tuple(tables[1:]),
            order=tuple(order),
            key=prepared.row,
            subject=person,
            notes=(*notes, *self.notes),
        )

    def _done(self, traces: Iterable[StepTrace], draft: Draft) -> Draft:
        return replace(self.plan, steps=tuple(trace.step for trace in traces)).apply(draft, self.secrets)

    def _held(self, draft: Draft, columns: Sequence[str], person: str | None) -> Table:
        items = [draft.number, *(f"record.{quoted(name)}" for name in columns if name in draft.names)]
        source = f"{draft.table} AS record"
        if person is not None and self.start.subject is not None:  # a step may have dropped it meanwhile
            items.append(f"source.{quoted(self.start.subject)} AS {quoted(person)}")
            source += f" JOIN {self.start.table} AS source ON source.{quoted(draft.row)} = {draft.number}"
        return draft.engine.query(f"SELECT {listed(items)} FROM {source}")

    def _check_end(self, last: Draft, columns: Sequence[str]) -> None:
        """In another order the steps must still make what the plan makes."""
        shared = [name for name in columns if name in last.names and name in self.final.names]
        differing = {name for name in columns if (name in last.names) is not (name in self.final.names)}
        row = quoted(last.row)
        unlike = (
            f"sum(CASE WHEN CAST(own.{quoted(name)} AS VARCHAR) IS DISTINCT FROM "
            f"CAST(record.{quoted(name)} AS VARCHAR) THEN 1 ELSE 0 END)"
            for name in shared
        )
        counts = last.engine.fetch(f"""
            SELECT {listed(["count(*)", *unlike])} FROM {self.final.table} AS own
            JOIN {last.table} AS record ON record.{row} = own.{row}""")[0]
        differing |= {name for name, n in zip(shared, counts[1:], strict=True) if n}
        if differing or counts[0] != self.final.count() or counts[0] != last.count():
            named = f" ({', '.join(sorted(differing))})" if differing else ""
            raise PlanError(
                f"{self.plan.path}: in the order of the risk rates the steps do not make what the plan makes{named}, "
                f"since some depend on others. Make the tables yourself and give them with --released."
            )


def _traces(plan: Plan, draft: WatchedDraft, secrets: Secrets) -> list[StepTrace]:
    """What each step does, in the order of the plan."""
    traces = []
    for number, step in enumerate(plan.steps, 1):
        fresh = replace(draft, touched=frozenset(), fewer=False)
        after = cast("WatchedDraft", replace(plan, steps=(step,)).apply(fresh, secrets))
        changed = after.touched.intersection(draft.names)
        made = frozenset(after.names).difference(draft.names)
        traces.append(StepTrace(number=number, step=step, changed=changed, made=made, fewer=after.fewer))
        draft = after
    return traces


def _check(plan: Plan, trace: StepTrace, quasi: Sequence[str], sensitive: Sequence[str], *, late: bool) -> None:
    """Refuse a step that cannot be told apart from others, or that changes which records and columns there are."""
    line = f", line {trace.step.line}" if trace.step.line else ""
    place = f"{plan.path}{line}, step {trace.number}: {trace.step.name}"
    own = [name for name in quasi if name in trace.changed]
    if trace.fewer and (late or own):
        raise PlanError(
            f"{place} leaves records out after a quasi-identifier was changed, but the dimensions are compared on the "
            f"same records. Leave the step out here, or let it come first."
        )
    if len(own) > 1:
        raise PlanError(f"{place} changes {_and(own)} together. Write one step for each quasi-identifier.")
    if own and (others := [name for name in sensitive if name in trace.changed]):
        raise PlanError(f"{place} changes {own[0]} together with the sensitive {_and(others)}. Write a step for each.")
    if own and trace.made:
        raise PlanError(
            f"{place} makes {_and(sorted(trace.made))} of {own[0]}, which the original lacks, so the two cannot be "
            f"compared. Apply this step to the data first, and name what it makes as a quasi-identifier."
        )


def _without_vaults(plan: Plan, columns: Sequence[str]) -> tuple[Plan, tuple[str, ...]]:
    """The plan with its steps that write to a vault made idle: measuring leaves no trace."""
    steps, notes = list(plan.steps), []
    for place, step in enumerate(plan.steps):
        if not hasattr(step.transformation, "vault"):
            continue
        column = str(getattr(step.transformation, "column", ""))
        if column in columns:
            raise PlanError(f"{plan.path}, step {place + 1}: {step.name} writes to a vault, which is not done here.")
        steps[place] = replace(step, transformation=Keep(column))
        notes.append(f"Step {place + 1} of the plan ({step.name}) is left out here: it would write to a vault.")
    return replace(plan, steps=tuple(steps)), tuple(notes)


def _and(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]
