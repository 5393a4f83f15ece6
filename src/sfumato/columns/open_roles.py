"""Open roles: the columns of a project file that nobody has decided about, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from sfumato.columns.evidence_interface import Finding
from sfumato.columns.identification import IdentifiedColumn
from sfumato.columns.proposal import CLEAR, FLOW, propose
from sfumato.errors import OutputError, PolicyError, UnknownColumn, did_you_mean
from sfumato.outputs import write_text
from sfumato.project.file import GradeSelection, Project, RoleDecision, with_decisions, wrong_day
from sfumato.schema import Role, role_name
from sfumato.show.documents.identification import FindingDocument, IdentifiedColumnDocument
from sfumato.show.sheets.identification import SURE, column_reasons, sure_word

BELOW = "you: quasi protects it all the same, non-sensitive hands it on as it is"
LEVELS = {word: bound for bound, word in SURE if bound > 0}  # high, middle, low: from which number on


@dataclass(frozen=True)
class OpenRole:
    """A column whose role is to be decided: what is proposed, how sure that is, and the evidence."""

    name: str
    proposed: Role | None  # by the project file, or else by the evidence
    sure: float  # 0 where the evidence does not say what the project file proposes
    evidence: str  # in words, without a cell
    says: Role | None = None  # what the evidence says
    says_sure: float = 0.0
    would_decide: str | None = None  # where nothing is proposed
    set_aside: bool = False  # a person wrote `undecided`, or a grade does not select it: not decided with others
    below: str | None = None  # in words, that a grade does not select it, though it identifies by its meaning

    @property
    def level(self) -> str:
        """How sure the proposal is, in a word."""
        return sure_word(self.sure)

    def against(self, role: Role) -> bool:
        """Whether the evidence clearly says that the column is more delicate than a role."""
        return self.says is not None and self.says_sure >= CLEAR and FLOW.index(self.says) < FLOW.index(role)


def open_columns(columns: Iterable[IdentifiedColumn], project: Project) -> tuple[OpenRole, ...]:
    """Columns beside what a project file says of them."""

    def told(column: IdentifiedColumn, role: Role | None) -> IdentifiedColumnDocument:
        return replace(column, role=role, decided=False).content()

    return _opened(((column.name, column.findings, partial(told, column)) for column in columns), project)


def told_columns(columns: Iterable[Mapping[str, Any]], project: Project) -> tuple[OpenRole, ...]:
    """The same of columns as an identification was written down, by `identify --json`."""

    def told(column: Mapping[str, Any], role: Role | None) -> IdentifiedColumnDocument:
        known: dict[str, Any] = {field.name: column.get(field.name) for field in fields(IdentifiedColumnDocument)}
        known |= {"role": role_name(role), "decided": False}
        known["evidence"] = [FindingDocument(**one) for one in column["evidence"]]
        known["would_decide"] = column.get("would_decide") or "you" if role is None else None
        return IdentifiedColumnDocument(**known)

    listed = ((one["name"], [_finding(each) for each in one["evidence"]], partial(told, one)) for one in columns)
    return _opened(listed, project)


def _finding(told: Mapping[str, Any]) -> Finding:
    """A finding as it was written down."""
    role = Role(told["verdict"]) if told["verdict"] in list(Role) else None
    return Finding(
        told["method"], role, told["number"], told["sentence"], told["weight"], told["hipaa"],
        drop=told["verdict"] == "drop",
    )  # fmt: skip


def _opened(
    columns: Iterable[tuple[str, Sequence[Finding], Callable[[Role | None], IdentifiedColumnDocument]]],
    project: Project,
) -> tuple[OpenRole, ...]:
    """Columns by name, with their findings and how each is told in a role, beside a project file."""
    written = {a.name: a.role for a in project.attributes if a.name not in project.undecided}
    entries = (project.file.value or {}).get("columns") or {}
    aside = {name for name in project.undecided if not entries[name].get("proposed")}
    opened = (_open_role(name, findings, told, written, aside) for name, findings, told in columns)
    selection = project.selection
    if selection is None:
        return tuple(opened)
    return tuple(_graded(role, selection, is_open=role.name not in written) for role in opened)


def _graded(role: OpenRole, selection: GradeSelection, *, is_open: bool) -> OpenRole:
    """An open role with what the grade of the recipient says of it.

    A column below the threshold has no proposal: quasi is what it is by its meaning, and to leave it as it is for this
    recipient is for a person to say.
    """
    said = selection.said_of(role.name)
    if said is None:
        return role
    role = replace(role, evidence=f"{said} {role.evidence}")
    if role.name in selection.final or not is_open:
        return role
    return replace(role, proposed=None, sure=0.0, would_decide=BELOW, set_aside=True, below=said)


def _open_role(
    name: str, findings: Sequence[Finding], tell: Callable[[Role | None], IdentifiedColumnDocument],
    written: Mapping[str, Role], aside: Collection[str],
) -> OpenRole:  # fmt: skip
    says, sure, _ = propose(findings)
    proposed = written.get(name, says)
    told = replace(tell(proposed), sure=sure if proposed is says else 0.0)
    return OpenRole(
        name=name, proposed=proposed, sure=told.sure, evidence=" ".join(column_reasons(told)), says=says,
        says_sure=sure, would_decide=told.would_decide, set_aside=name in aside,
    )  # fmt: skip


@dataclass(frozen=True)
class Decider:
    """Who decides, when, and why where no other reason is given."""

    by: str
    on: str
    reason: str | None = None

    def __post_init__(self) -> None:
        problem = wrong_day(self.on)
        if problem:
            raise PolicyError(f"The day of a decision: {problem}")

    def on_column(self, column: OpenRole, role: Role, reason: str | None = None) -> RoleDecision:
        """The decision on a column. One against the evidence says so, where no reason is given."""
        why = reason or self.reason
        if why is None and column.below and role is not Role.QUASI:
            why = f"not selected for this recipient, though the evidence says {role_name(column.says)}: {column.below}"
        elif why is None and column.against(role):
            why = f"against the evidence, which says {role_name(column.says)}; no reason was given"
        return RoleDecision(role, self.by, self.on, why)


@dataclass(frozen=True)
class OpenRoles:
    """A project file, the columns that are open in it, and those that are decided."""

    path: Path
    text: str  # of the file, as it was read
    columns: tuple[OpenRole, ...]  # every column of the table
    decided: Mapping[str, RoleDecision]  # before

    @property
    def open(self) -> tuple[OpenRole, ...]:
        """The columns that nobody has decided about."""
        return tuple(column for column in self.columns if column.name not in self.decided)

    def __getitem__(self, name: str) -> OpenRole:
        for column in self.columns:
            if column.name == name:
                return column
        raise UnknownColumn(name, [column.name for column in self.columns])

    def proposals(self, sure: str | None = None) -> tuple[OpenRole, ...]:
        """The open columns that have a proposal, or one that is at least so sure: high, middle or low."""
        if sure is not None and sure not in LEVELS:
            raise PolicyError(f"A proposal is not sure to the degree {sure!r}.{did_you_mean(sure, LEVELS)}")
        least = 0.0 if sure is None else LEVELS[sure]
        return tuple(c for c in self.open if c.proposed and c.sure >= least and not c.set_aside)

    def with_written(self, decisions: Mapping[str, RoleDecision], last: str, *, again: bool = False) -> str:
        """Write decisions into the file, whole or not at all; the text that is in it then.

        `last` is what was in the file: one that somebody else has changed meanwhile is left as it is.
        """
        if not self.path.is_file() or self.path.read_bytes() != last.encode():
            raise OutputError(
                f"{self.path} was changed by something else meanwhile, so nothing more was written to it. "
                "Run `sfumato confirm` again."
            )
        text = with_decisions(self.text, decisions, self.path, again=again) if decisions else self.text
        if text != last:
            write_text(self.path, text)
        return text


def together(columns: Iterable[OpenRole], decider: Decider) -> dict[str, RoleDecision]:
    """Decisions for proposals that are kept together. Where no reason is given, each says so: it may not have been
    looked at.
    """
    return {
        column.name: decider.on_column(column, column.proposed, decider.reason or kept_together(column))
        for column in columns
        if column.proposed is not None
    }


def kept_together(column: OpenRole) -> str | None:
    """The reason of a proposal that was kept with others; none where it is against the evidence, which is said."""
    against = column.proposed is not None and column.against(column.proposed)
    return None if against else f"kept as proposed ({column.level}), together with others"


def today() -> str:
    """The day, as a decision is dated."""
    return datetime.now().astimezone().date().isoformat()
