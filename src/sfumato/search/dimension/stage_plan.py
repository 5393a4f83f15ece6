"""The steps of a plan, one quasi-identifier after the other: the cumulative tables of the dimension stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from sfumato.errors import PlanError, UnknownColumn
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan, Secret, Step
from sfumato.plans.steps.keep import Keep
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Table, listed, quoted, unused


@dataclass(frozen=True)
class Watched(Draft):
    """A draft that remembers what was done to it: columns that were changed or left out, and records left out."""

    touched: frozenset[str] = frozenset()
    fewer: bool = False

    def changed(self, columns: Mapping[str, str], *, join: str = "", relabelled: bool = True) -> Draft:
        return self._and(super().changed(columns, join=join, relabelled=relabelled), columns)

    def without(self, *names: str) -> Draft:
        return self._and(super().without(*names), names)

    def where(self, condition: str, *, join: str = "") -> Draft:
        return replace(self._and(super().where(condition, join=join), ()), fewer=True)

    def _and(self, found: Draft, names: Iterable[str]) -> Watched:
        return replace(cast("Watched", found), touched=self.touched.union(names))


@dataclass(frozen=True)
class Deed:
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
class Cumulated:
    """The tables of the stage, each with the columns of the stage and one by which records are paired."""

    original: Table
    tables: tuple[Table, ...]  # one quasi-identifier more in each
    order: tuple[str, ...]  # the quasi-identifiers that the plan changes, in the order of the tables
    key: str
    subject: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Steps:
    """A plan taken apart: what is done to the table before the stage, and what to each quasi-identifier."""

    plan: Plan
    start: Watched
    final: Draft  # what the plan makes in its own order
    before: tuple[Deed, ...]
    of: Mapping[str, tuple[Deed, ...]]  # by quasi-identifier
    secret: Secret
    notes: tuple[str, ...] = ()

    @classmethod
    def taken_apart(
        cls, plan: Plan, draft: Watched, secret: Secret, *, quasi: Sequence[str], sensitive: Sequence[str], tell: Tell
    ) -> Steps:
        """Every step where it belongs; `PlanError` for one that belongs to several quasi-identifiers."""
        plan, notes = _without_vaults(plan, (*quasi, *sensitive))
        final, settled = plan.settle(draft, secret, tell)
        deeds = [deed for deed in _deeds(settled, draft, secret) if not deed.idle]
        known = {*draft.names, *(name for deed in deeds for name in deed.made)}
        for name in (*quasi, *sensitive):
            if name not in known:
                raise UnknownColumn(name, known)
        of: dict[str, tuple[Deed, ...]] = {}
        for deed in deeds:
            _check(plan, deed, quasi, sensitive, late=bool(of))
            for name in deed.changed.intersection(quasi):
                of[name] = (*of.get(name, ()), deed)
        if not of:
            raise PlanError(f"{plan.path}: no step changes a quasi-identifier, so there is nothing to compare.")
        before = tuple(deed for deed in deeds if not deed.changed.intersection(quasi))
        notes += tuple(f"The plan leaves {name} as it is." for name in quasi if name not in of)
        return cls(settled, draft, final, before, of, secret, notes)

    def prepared(self) -> Draft:
        """The original of the stage: everything but the quasi-identifiers is done."""
        done = self._done(self.before, self.start)
        return replace(done, table=done.engine.query(f"SELECT * FROM {done.table}"))

    def cumulated(self, prepared: Draft, order: Sequence[str], columns: Sequence[str], tell: Tell = quiet) -> Cumulated:
        """The quasi-identifiers de-identified one after the other, in an order."""
        drafts = [prepared]
        for name in order:
            drafts.append(self._done(self.of[name], drafts[-1]))
        self._check_end(drafts[-1], columns)
        person = unused("person", {*columns, prepared.row}.__contains__) if self.start.subject else None
        tables = []
        for number, draft in enumerate(drafts):
            tell(f"De-identifying {number} of {len(order)} quasi-identifiers", number, len(order))
            tables.append(self._held(draft, columns, person))
        left = self.start.count() - prepared.count()
        notes = (f"Steps before the stage leave {left} of {self.start.count()} records out.",) if left else ()
        return Cumulated(tables[0], tuple(tables[1:]), tuple(order), prepared.row, person, (*notes, *self.notes))

    def _done(self, deeds: Iterable[Deed], draft: Draft) -> Draft:
        return replace(self.plan, steps=tuple(deed.step for deed in deeds)).apply(draft, self.secret)

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


def _deeds(plan: Plan, draft: Watched, secret: Secret) -> list[Deed]:
    """What each step does, in the order of the plan."""
    found = []
    for number, step in enumerate(plan.steps, 1):
        fresh = replace(draft, touched=frozenset(), fewer=False)
        after = cast("Watched", replace(plan, steps=(step,)).apply(fresh, secret))
        changed = after.touched.intersection(draft.names)
        made = frozenset(after.names).difference(draft.names)
        found.append(Deed(number, step, changed, made, after.fewer))
        draft = after
    return found


def _check(plan: Plan, deed: Deed, quasi: Sequence[str], sensitive: Sequence[str], *, late: bool) -> None:
    """Refuse a step that cannot be told apart from others, or that changes which records and columns there are."""
    line = f", line {deed.step.line}" if deed.step.line else ""
    place = f"{plan.path}{line}, step {deed.number}: {deed.step.name}"
    own = [name for name in quasi if name in deed.changed]
    if deed.fewer and (late or own):
        raise PlanError(
            f"{place} leaves records out after a quasi-identifier was changed, but the dimensions are compared on the "
            f"same records. Leave the step out here, or let it come first."
        )
    if len(own) > 1:
        raise PlanError(f"{place} changes {_and(own)} together. Write one step for each quasi-identifier.")
    if own and (others := [name for name in sensitive if name in deed.changed]):
        raise PlanError(f"{place} changes {own[0]} together with the sensitive {_and(others)}. Write a step for each.")
    if own and deed.made:
        raise PlanError(
            f"{place} makes {_and(sorted(deed.made))} of {own[0]}, which the original lacks, so the two cannot be "
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
