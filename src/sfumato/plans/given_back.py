"""Given back: direct identifiers that can be computed again from what a release has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sfumato.errors import PlanError, SfumatoError
from sfumato.plans.blocks.dates_and_times import read_days
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft
from sfumato.plans.made_columns import with_made
from sfumato.plans.plan import Plan, Step
from sfumato.schema import Role
from sfumato.tables.engine import listed, quoted


@dataclass(frozen=True)
class Link:
    """What a step made, from which and from one date the other date can be computed."""

    step: Step
    made: str
    origin: str
    other: str


def refuse_given_back(draft: Draft, before: Draft, plan: Plan) -> None:
    """Refuse a release from which a direct identifier can be computed again: a birth, from the days since it.

    It is looked for in the data, record by record. What a step made must still be the true number there, whatever later
    steps were to change, and a date must have the day that it had; a date that is not released may itself be computed.
    """
    direct = {*before.with_role(Role.DIRECT), *([before.subject] if before.subject else [])}
    links = [link for link in _links(plan) if link.made in draft.names]
    if not _computed(direct, links, {*_dates(draft, before, links), *(link.made for link in links)}):
        return  # not even where all of it were as it was: the data need not be read
    for exact in _exact_in_some_record(draft, before, plan, links):
        for origin, sources in _computed(direct, links, exact).items():
            step = next(link.step for link in links if link.made == sources[0])
            line = f", line {step.line}" if step.line else ""
            raise PlanError(
                f"{plan.path}{line}: {_together(sources)}, which would "
                f"{'both' if len(sources) == 2 else 'all'} be released, give back {origin!r}, a direct identifier. Use "
                f"a coarser unit (years), generalise one of them until no record has it as it was, or leave it out."
            )


def _links(plan: Plan) -> Iterator[Link]:
    for step in plan.steps:
        for made in step.transformation.makes():
            for origin, other in step.transformation.gives_back().items():
                yield Link(step, made, origin, other)


def _dates(draft: Draft, before: Draft, links: Sequence[Link]) -> list[str]:
    """The dates of the source that something was made of, and that are released."""
    return sorted({link.other for link in links if link.other in before.names and link.other in draft.names})


def _computed(direct: Collection[str], links: Sequence[Link], exact: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The direct identifiers that follow from columns that are exact, and from which: what was made comes first."""
    known: dict[str, tuple[str, ...]] = {name: (name,) for name in exact}
    while True:
        further = [one for one in links if one.made in exact and one.other in known and one.origin not in known]
        if not further:
            return {name: known[name] for name in sorted(direct) if len(known.get(name, ())) > 1}
        for link in further:
            known.setdefault(link.origin, tuple(dict.fromkeys((link.made, *known[link.other]))))


def _exact_in_some_record(draft: Draft, before: Draft, plan: Plan, links: Sequence[Link]) -> Iterator[frozenset[str]]:
    """The sets of columns that are as they were in one and the same record: dates to the day, what was made in full."""
    true, now = before, draft
    tests: dict[str, str] = {}
    for name in _dates(draft, before, links):
        form = next((form for link in links if link.other == name and (form := _format(link.step))), None)
        true, old = read_days(true, name, form)
        now, new = read_days(now, name, form)
        tests[name] = f"(original.{quoted(old)} = record.{quoted(new)} OR {_same_text(name)})"
    for name in sorted({link.made for link in links}):
        step = next(link.step for link in links if link.made == name)
        number = f"TRY_CAST(CAST({value_of(name)} AS VARCHAR) AS DOUBLE)"
        try:
            true = with_made(true, step, plan)
        except SfumatoError:  # an earlier step made dates of what were none: any number may be the true one
            tests[name] = f"{number} IS NOT NULL"
        else:
            tests[name] = f"CAST(original.{quoted(name)} AS DOUBLE) = {number}"
    flags = listed(f"coalesce({test}, FALSE) AS {quoted(f'exact {n}')}" for n, test in enumerate(tests.values()))
    sets = draft.engine.fetch(f"""
        SELECT DISTINCT {flags} FROM {now.table} AS record
        JOIN {true.table} AS original ON original.{quoted(true.row)} = {now.number}""")
    names = tuple(tests)
    return iter(sorted((frozenset(n for n, flag in zip(names, row, strict=True) if flag) for row in sets), key=sorted))


def _together(names: Sequence[str]) -> str:
    return f"{', '.join(map(repr, names[:-1]))} and {names[-1]!r}"


def _format(step: Step) -> str | None:
    """How the dates of a step are written, where they are texts of another form than ISO 8601."""
    form = step.transformation.settings().get("format")
    return form if isinstance(form, str) else None


def _same_text(name: str) -> str:
    return f"CAST(original.{quoted(name)} AS VARCHAR) = CAST({value_of(name)} AS VARCHAR)"
