"""Decided columns: what somebody decided to release. Nothing else leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.columns.profile import ColumnProfile
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.privacy.question import Question
from sfumato.schema import Role, role_name
from sfumato.show.documents.decided_columns import AgainstEvidenceDocument
from sfumato.show.sheet import plain
from sfumato.tables.engine import Kind, listed, quoted
from sfumato.tables.source import Column, Extract

if TYPE_CHECKING:
    from sfumato.project.file import Project

UNPROTECTED = (Role.NON_SENSITIVE, Role.SENSITIVE)  # roles under which a column leaves as it is


@dataclass(frozen=True)
class Decisions:
    """What somebody decided: the columns that have a role, that an option names, or that a step of a plan treats.

    A role that is only proposed is no decision. With `rest` all other columns are decided as well.
    """

    columns: frozenset[str] = frozenset()
    rest: bool = False

    @classmethod
    def of(cls, project: Project | None, question: Question, plan: Plan | None = None) -> Decisions:
        """What a project file, options and the steps of a plan decide."""
        confirmed = project.decided() if project else {}
        subject = question.subject or (project.subject if project else None) or (plan.subject if plan else None)
        treated = (name for step in (plan.steps if plan else ()) for name in step.transformation.treated())
        named = (*confirmed, *question.roles, *treated, *([subject] if subject else []))
        return cls(frozenset(named), question.release_rest)

    def with_columns(self, columns: Iterable[str]) -> Decisions:
        """The same, and more columns decided."""
        return replace(self, columns=self.columns | frozenset(columns))

    def undecided(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Those of the columns that nobody decided about."""
        return () if self.rest else tuple(name for name in columns if name not in self.columns)


@dataclass(frozen=True)
class DecidedDraft:
    """A draft without the columns that must not leave, and which these were."""

    draft: Draft
    undecided: tuple[str, ...]  # nobody decided about them
    identifiers: tuple[str, ...]  # direct identifiers, and the subject, that no step treats

    @classmethod
    def of(cls, draft: Draft, before: Draft, plan: Plan, decisions: Decisions) -> DecidedDraft:
        """What a plan made of a draft, and what of it somebody decided to release. What a step made is decided."""
        undecided = decisions.undecided(name for name in draft.names if name in before.names)
        left = draft.without(*undecided)
        identifiers = untreated_identifiers(left, before, plan, before.subject)
        return cls(left.without(*identifiers), undecided, identifiers)


def untreated_identifiers(draft: Draft, before: Draft, plan: Plan, subject: str | None) -> tuple[str, ...]:
    """The direct identifiers of a draft, and the subject, that would leave with values as they were.

    A step that replaces every value makes one fit to leave, one that leaves the values does not; after any other it is
    looked for whether a record still has the value that it had.
    """
    named = dict.fromkeys((*draft.with_role(Role.DIRECT), *([subject] if subject in draft.names else [])))
    return tuple(str(name) for name in named if name is not None and not _treated(name, draft, before, plan))


def _treated(name: str, draft: Draft, before: Draft, plan: Plan) -> bool:
    steps = [step.transformation for step in plan.steps if name in step.transformation.treated()]
    if name not in before.names or any(step.replaces_values for step in steps):
        return True
    if all(step.leaves_values for step in steps):
        return False
    old, new = (f"CAST({side}.{quoted(name)} AS VARCHAR)" for side in ("original", "record"))
    same = draft.engine.fetch(f"""
        SELECT count(*) FROM {draft.table} AS record
        JOIN {before.table} AS original ON original.{quoted(before.row)} = {draft.number}
        WHERE {old} = {new}""")
    return not same[0][0]


def released_against_evidence(
    draft: Draft, before: Draft, plan: Plan, confirmed: Mapping[str, Role] | None = None
) -> tuple[AgainstEvidenceDocument, ...]:
    """The columns that leave unprotected although their names and values say that they identify, with how sure that is.

    Looked at are columns that are neither direct nor quasi-identifiers: as they are in the source; and, where
    `confirmed` gives the roles that people gave, those that a step changed or made and that nobody gave a role. What a
    step made of a column that identifies does so itself, whatever somebody calls it.
    """
    changed, replaced = set[str](), set[str]()
    for step in (step.transformation for step in plan.steps):
        changed |= set() if step.leaves_values else step.treated()
        replaced |= step.treated() if step.replaces_values else set()
    unprotected = [c.name for c in draft.columns if c.role in UNPROTECTED and c.name not in replaced]
    known = set(before.names) - changed
    same = [name for name in unprotected if name in known]
    made = [name for name in unprotected if name not in known and confirmed is not None and name not in confirmed]
    contrary = {
        name: AgainstEvidenceDocument(column=name, role=draft[name].role.value, proposed=role.value, confidence=sure)
        for source, names in ((before, same), (draft, made))
        for name, role, sure in _identifying(source, names)
    }
    unprotected_by = {name: role for name, role in (confirmed or {}).items() if role in UNPROTECTED}
    for name in _made_of_identifiers(before, plan, {*draft.names} & {*unprotected_by} - changed):
        contrary[name] = AgainstEvidenceDocument(
            column=name, role=unprotected_by[name].value, proposed=Role.QUASI.value, confidence=1.0
        )
    return tuple(contrary[name] for name in draft.names if name in contrary)


def _made_of_identifiers(before: Draft, plan: Plan, names: Collection[str]) -> Iterator[str]:
    """Those of some columns that steps make of what identifies: by its role, or by the evidence, whatever its role.

    A column that a step drops needs no role, and what was made of it tells as much as if it had one.
    """
    steps = [step.transformation for step in plan.steps if {*names}.intersection(step.transformation.makes())]
    origins = {origin for step in steps for origin in step.made_of() if origin in before.names}
    by_role = {*before.with_role(Role.DIRECT), *before.with_role(Role.QUASI)}
    asked = [name for name in before.names if name in origins - by_role]
    identifying = by_role.union(name for name, _, _ in _identifying(before, asked))
    for step in steps:
        if identifying.intersection(step.made_of()):
            yield from step.makes()


def _identifying(draft: Draft, names: Sequence[str]) -> Iterator[tuple[str, Role, float]]:
    if not names:
        return
    from sfumato.columns.gather_evidence import column_proposals  # here: where every column is decided, none is needed

    table = draft.engine.view(f"SELECT {listed(map(quoted, names))} FROM {draft.table}")
    columns = tuple(Column(name, table.kinds.get(name, Kind.TEXT), "", label=draft[name].label) for name in names)
    for column in column_proposals(Extract("", table, columns)):
        if column.role is not None and identifies(column.role, column.sure, column.profile):
            yield column.name, column.role, round(column.sure, 4)


def identifies(role: Role | None, sure: float, profile: ColumnProfile) -> bool:
    """Whether the evidence clearly says that a column identifies; one value that all have tells nobody apart."""
    from sfumato.columns.proposal import CLEAR  # here, as above

    alike = role is Role.QUASI and profile.distinct == 1
    return role in (Role.DIRECT, Role.QUASI) and sure >= CLEAR and not alike


def said_of_columns(extract: Extract, names: Sequence[str]) -> tuple[str, ...]:
    """What `identify` says of some columns, a line for each: the role that it proposes and how sure that is."""
    from sfumato.columns.gather_evidence import column_proposals

    engine = extract.table.engine
    table = engine.view(f"SELECT {listed(map(quoted, names))} FROM {extract.table}")
    columns = tuple(column for column in extract.columns if column.name in names)
    return tuple(
        f"{plain(column.name)}: {role_name(column.role)}{f' ({column.sure:.0%} sure)' if column.sure else ''}"
        for column in column_proposals(Extract(extract.name, table, columns))
    )
