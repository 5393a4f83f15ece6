"""Columns: what each column says about a person, proposed from evidence and decided by whoever may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from sfumato.project.file import RoleDecision
from sfumato.schema import Role
from sfumato.service.caller import Caller
from sfumato.service.column_decisions import (
    ColumnEvidence,
    ColumnStanding,
    column_evidence,
    column_standings,
    decide_roles,
    decided_in,
)
from sfumato.service.newest_runs import newest_runs
from sfumato.service.project_text import ProjectText, project_text
from sfumato.service.service import Service
from sfumato.service.table_overview import VERB
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import by_htmx, gone_on, shown
from sfumato.workbench.list_pages import page_of
from sfumato.workbench.places import ScreenPlace, place_in
from sfumato.workbench.typed_commands import by_column, typed

router = APIRouter(prefix="/projects/{project}/columns")
HIGH = "high"  # how sure proposals are that are confirmed together
TOGETHER = 10  # combinations on the page
ROLES = tuple(role.value for role in Role)
Names = Annotated[list[str], Form()]


@dataclass(frozen=True)
class ColumnRow:
    """A column as the screen shows it."""

    standing: ColumnStanding
    key: str  # of the elements of the page that belong to it

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.standing.role.name

    @property
    def role(self) -> str:
        """The role that was decided, or else is proposed; nothing where neither is."""
        decision, proposed = self.standing.decision, self.standing.role.proposed
        return decision.role.value if decision else proposed.value if proposed else ""

    @property
    def group(self) -> str:
        """Where it stands: what can be confirmed together, what needs a look, what is decided."""
        if self.standing.decision:
            return "decided"
        role = self.standing.role
        return "sure" if role.level == HIGH and role.proposed and not role.set_aside else "unsure"

    @property
    def findings(self) -> Sequence[Mapping[str, Any]]:
        """What each kind of evidence says, the weightiest first."""
        return sorted(self.standing.told.get("evidence", ()), key=lambda one: -one["weight"])

    @property
    def strongest(self) -> str:
        """The sentence that says most; nothing where nothing is known."""
        return next((one["sentence"] for one in self.findings if one["weight"] > 0), "")


@router.get("")
def columns(  # noqa: PLR0917
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    find: Annotated[str, Query(max_length=200)] = "",
    show: Annotated[str, Query(max_length=20)] = "",
    page: int = 1,
    version: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> Response:
    """The columns of the table: the undecided ones first, and of these the sure ones."""
    place = place_in(service, caller, project, "columns")
    part = request.headers.get("hx-target") == "columns"
    made = decided_in(service, caller, project, version) if version else {}
    return _screen(
        request, service, caller, place, "_columns.html" if part else "columns.html", find=find, show=show,
        number=page, made=made,
    )  # fmt: skip


@router.post("")
def decide(  # noqa: PLR0917
    request: Request,
    service: TheService,
    caller: TheCaller,
    project: str,
    since: Annotated[str, Form(max_length=64)],
    column: Names = [],  # noqa: B006  never changed: FastAPI makes a new list of what was sent
    role: Names = [],  # noqa: B006
    chosen: Names = [],  # noqa: B006
    only: Annotated[str | None, Form(max_length=2_000)] = None,
    sure: Annotated[str | None, Form(max_length=10)] = None,
    reason: Annotated[str, Form(max_length=500)] = "",
) -> Response:
    """Decide on one column, on several, or keep every proposal that is sure; as a new version of the project."""
    place = place_in(service, caller, project, "columns")
    wanted = set(chosen) if only is None else {only}
    given = (
        {name: said for name, said in zip(column, role, strict=False) if name in wanted and said} if not sure else {}
    )
    version, made = decide_roles(
        service, caller, project, given, sure=HIGH if sure else None, reason=reason.strip() or None, since=since
    )
    if by_htmx(request) and only is not None:
        return _screen(request, service, caller, place, "_column_decided.html", made=made, only=only)
    return gone_on(request, f"/projects/{project}/columns?version={version.number}")


def _screen(
    request: Request,
    service: Service,
    caller: Caller,
    place: ScreenPlace,
    template: str,
    *,
    made: Mapping[str, RoleDecision],
    find: str = "",
    show: str = "",
    number: int = 1,
    only: str | None = None,
) -> Response:
    written = project_text(service, caller, place.project)
    evidence = column_evidence(service, caller, place.project) if place.may("result.read") else None
    rows = [ColumnRow(one, f"c{i}") for i, one in enumerate(column_standings(written, evidence))]
    return shown(
        request, template, caller=caller, place=place, written=written, evidence=evidence,
        runs=newest_runs(service, caller, place.project, VERB), counts=_counts(rows), roles=ROLES,
        page=page_of(_wanted(rows, find, show), number), find=find, show=show, made=made,
        combinations=_together(evidence), row=next((row for row in rows if row.name == only), None),
        lines=_lines(written, made), command=_command(caller, made),
    )  # fmt: skip


def _wanted(rows: Sequence[ColumnRow], find: str, show: str) -> Sequence[ColumnRow]:
    """The rows that are asked for: what can be confirmed together first, then the rarest values, then what is done."""
    letters = find.casefold()
    listed = [row for row in rows if letters in row.name.casefold() and show in ("", row.role or "none", row.group)]
    order = ("sure", "unsure", "decided")
    return sorted(listed, key=lambda row: (order.index(row.group), -(row.standing.told.get("risk_rate") or 0)))


def _counts(rows: Sequence[ColumnRow]) -> dict[str, int]:
    return {group: sum(row.group == group for row in rows) for group in ("sure", "unsure", "decided")}


def _together(evidence: ColumnEvidence | None) -> Sequence[Mapping[str, Any]]:
    """What identifies together, the strongest first: several columns, of which each adds something."""
    listed = (evidence.combinations or {}).get("found", ()) if evidence else ()
    return [one for one in listed if len(one["columns"]) > 1][:TOGETHER]


def _lines(written: ProjectText, made: Mapping[str, RoleDecision]) -> str:
    """The lines of the project file that decisions wrote."""
    known = written.project
    if known is None or not made:
        return ""
    lines = written.text.splitlines()
    begins = sorted(known.line_of("columns", name) for name in made)
    return "columns:\n" + "\n".join(lines[line - 1] for line in begins)


def _command(caller: Caller, made: Mapping[str, RoleDecision]) -> str:
    """The command that decides the same: on these columns, or else keeps what is sure."""
    said = {name: decision.role.value for name, decision in made.items()}
    words = [*by_column("role", said), "--again"] if said else [f"--sure={HIGH}"]
    reasons = {decision.reason for decision in made.values()}  # one and the same, or none that a command could say
    words += [f"--reason={reason}" for reason in reasons if reason and len(reasons) == 1]
    return typed("confirm", "--project=sfumato.yaml", *words, f"--by={caller.name}")
