"""The overview: what somebody sees first, of all projects that they have a role in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from sfumato.service.caller import Caller
from sfumato.service.entities import DataRequest, Notice, Run, ServiceProject
from sfumato.service.members import roles_of
from sfumato.service.notices import list_notices
from sfumato.service.permissions import ROWS, Act, ServiceRole
from sfumato.service.run_queue import RunState
from sfumato.service.service import Service

# Runs that hold a table against the policy; that others came to their end says nothing of it.
JUDGES = ("assess", "anonymise", "release")
# The furthest that a project has come, by the last of these verbs that was done.
STAGES = {"built": ("release",), "read": ("assess", "risk", "anonymise", "explore"), "looked_at": ("identify",)}
UNDER_WAY = ("asked", "preparing", "submitted", "reviewed", "approved")  # requests that wait for somebody
MOST = 20  # of notices and of runs: there are pages for all of them


@dataclass(frozen=True)
class SeenProject:
    """A project, what the caller is in it, and whether what was read last keeps to its policy: None if unknown."""

    name: str
    title: str
    roles: tuple[ServiceRole, ...]
    met: bool | None
    outdated: bool  # read on an older version than the present one
    reached: str = ""  # how far it has come: a key of `STAGES`, "begun" or "empty"; nothing where runs are not theirs
    asked: str = ""  # the state of the newest request that is under way


@dataclass(frozen=True)
class SeenRun:
    """A run that waits or is at work."""

    handle: str
    project: str
    verb: str
    state: str
    created: datetime


@dataclass(frozen=True)
class Overview:
    """Projects, runs under way, and unread notices with the names of their projects."""

    projects: Sequence[SeenProject]
    runs: Sequence[SeenRun]
    notices: Sequence[tuple[Notice, str | None]]


def overview(service: Service, caller: Caller) -> Overview:
    """What somebody sees first."""
    with service.act(caller, Act.PROJECT_LIST) as deed:
        held = roles_of(deed.session, caller.account)
        mine = select(ServiceProject).where(ServiceProject.handle.in_(held), ServiceProject.closed.is_(False))
        if caller.only_project is not None:
            mine = mine.where(ServiceProject.handle == caller.only_project)
        projects = deed.session.scalars(mine.order_by(ServiceProject.name)).all()
        names = {one.handle: one.name for one in projects}
        readers = set(ROWS[Act.RUN_READ].roles)
        followed = [one.handle for one in projects if readers & set(held[one.handle])]
        last: dict[str, tuple[bool | None, int]] = {}
        for handle in followed:
            judged = select(Run).where(
                Run.project == handle, Run.verb.in_(JUDGES), Run.state == RunState.DONE, Run.exit_code.is_not(None)
            )
            for run in deed.session.scalars(judged.order_by(Run.handle.desc()).limit(MOST)):
                met = (run.result or {}).get("met")
                if met is not None:
                    last[handle] = met, run.version
                    break
        under_way = select(Run).where(
            Run.project.in_(followed), Run.state.in_((RunState.QUEUED, RunState.RUNNING))
        )  # fmt: skip
        runs = [
            SeenRun(run.handle, names[run.project], run.verb, run.state, run.created)
            for run in deed.session.scalars(under_way.order_by(Run.handle.desc()).limit(MOST))
        ]
        reached, asked = _stages(deed.session, followed), _requests(deed.session, followed)
        seen = [
            SeenProject(
                one.name,
                one.title or one.name,
                tuple(held[one.handle]),
                last.get(one.handle, (None, 0))[0],
                one.handle in last and last[one.handle][1] != one.current,
                "" if one.handle not in followed else reached.get(one.handle, "begun" if one.current else "empty"),
                asked.get(one.handle, ""),
            )
            for one in projects
        ]
    return Overview(seen, runs, list_notices(service, caller, limit=MOST, unread=True)[:MOST])


def _stages(session: Session, projects: Sequence[str]) -> dict[str, str]:
    """How far each of these projects has come, where something was done in it."""
    done = select(Run.project, Run.verb).where(Run.project.in_(projects), Run.state == RunState.DONE).distinct()
    verbs: dict[str, set[str]] = {}
    for project, verb in session.execute(done):
        verbs.setdefault(project, set()).add(verb)
    return {
        project: stage
        for project, some in verbs.items()
        if (stage := next((stage for stage, of in STAGES.items() if some & set(of)), ""))
    }


def _requests(session: Session, projects: Sequence[str]) -> dict[str, str]:
    """The state of the newest request that is under way in each of these projects."""
    known = select(DataRequest.project, DataRequest.state).where(
        DataRequest.project.in_(projects), DataRequest.state.in_(UNDER_WAY)
    )  # fmt: skip
    return {row.project: row.state for row in session.execute(known.order_by(DataRequest.handle))}
