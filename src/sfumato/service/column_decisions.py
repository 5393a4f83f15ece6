"""Decisions on columns: the evidence of the last identification beside what the project file says, and what is decided.

The same as `sfumato confirm`: who decides, when and why is written into the project file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.columns.confirm import decide
from sfumato.columns.open_roles import Decider, OpenRole, OpenRoles, today, told_columns
from sfumato.errors import Conflict
from sfumato.project.file import Project, RoleDecision, with_decisions
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion, Run
from sfumato.service.newest_runs import newest_runs
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.project_text import ProjectText, edit_project_text, project_text
from sfumato.service.runs import document
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.service.table_overview import VERB
from sfumato.service.versions import file_of


@dataclass(frozen=True)
class ColumnEvidence:
    """What the last identification says of the columns of a table, and of what identifies together."""

    run: Run
    columns: Mapping[str, Mapping[str, Any]]  # as `identify --json` writes them, by name in the order of the table
    combinations: Mapping[str, Any] | None
    records: int


@dataclass(frozen=True)
class ColumnStanding:
    """A column where it stands now: what is proposed for it, what was decided, and the evidence, where it is known."""

    role: OpenRole
    decision: RoleDecision | None
    told: Mapping[str, Any]


def column_evidence(service: Service, caller: Caller, project: str) -> ColumnEvidence | None:
    """The evidence of the last identification; None where there is none of one table."""
    run = newest_runs(service, caller, project, VERB).done
    if run is None:
        return None
    told = document(service, caller, project, run.handle)
    if "columns" not in told:
        return None
    return ColumnEvidence(run, {one["name"]: one for one in told["columns"]}, told["combinations"], told["records"])


def column_standings(written: ProjectText, evidence: ColumnEvidence | None) -> Sequence[ColumnStanding]:
    """Every column of the table, or of the project file where no evidence is known."""
    known = written.project
    roles = _roles(known, evidence)
    decisions = known.decisions if known else {}
    told = evidence.columns if evidence else {}
    return [ColumnStanding(role, decisions.get(role.name), told.get(role.name, {})) for role in roles]


def _roles(project: Project | None, evidence: ColumnEvidence | None) -> tuple[OpenRole, ...]:
    told = list(evidence.columns.values()) if evidence else []
    roles = told_columns(told, project) if project else ()
    named = {role.name for role in roles}
    # Columns that the file speaks of and the evidence does not: the run is older, or there was none.
    beside = [a for a in (project.attributes if project else ()) if a.name not in named]
    undecided = project.undecided if project else frozenset()
    return (*roles, *(OpenRole(a.name, None if a.name in undecided else a.role, 0.0, "") for a in beside))


def decide_roles(
    service: Service, caller: Caller, project: str, given: Mapping[str, str], *, sure: str | None = None,
    reason: str | None = None, since: str,
) -> tuple[ProjectVersion, Mapping[str, RoleDecision]]:  # fmt: skip
    """Decide on roles: those that are given, and with `sure` every proposal that is so sure; as a new version."""
    written = project_text(service, caller, project)
    unchanged(since)(written.hash)
    known = written.project
    if known is None:
        raise Conflict("There is no table yet, and so no column to decide about.")
    roles = _roles(known, column_evidence(service, caller, project))
    asked = OpenRoles(Path(PROJECT_FILE), written.text, roles, known.decisions)
    anew = {name: role for name, role in given.items() if known.decided().get(name) != role}
    decisions = decide(asked, Decider(caller.name, today(), reason), anew, sure=sure, again=True)
    if not decisions:
        raise Conflict("Nothing was decided: no column was chosen that has another role now than it had.")
    several = ", ".join(decisions) if len(decisions) <= 3 else f"{len(decisions)} columns"
    made = edit_project_text(
        service, caller, project, lambda text: with_decisions(text, decisions, PROJECT_FILE, again=True),
        since=since, message=f"Roles decided: {several}",
    )  # fmt: skip
    return made, decisions


def decided_in(service: Service, caller: Caller, project: str, number: int) -> Mapping[str, RoleDecision]:
    """The decisions on roles that a version made: those that the one before it did not have."""
    before = _decisions(service, caller, project, number - 1) if number > 1 else {}
    after = _decisions(service, caller, project, number)
    return {name: decision for name, decision in after.items() if before.get(name) != decision}


def _decisions(service: Service, caller: Caller, project: str, number: int) -> Mapping[str, RoleDecision]:
    text = file_of(service, caller, project, number, PROJECT_FILE).decode("utf-8")
    return Project.parse(text, PROJECT_FILE).decisions
