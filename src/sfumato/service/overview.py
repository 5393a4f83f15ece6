"""The overview: what somebody sees first, of all projects that they have a role in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from sfumato.service.caller import Caller
from sfumato.service.entities import Notice, Run, ServiceProject
from sfumato.service.members import roles_of
from sfumato.service.notices import list_notices
from sfumato.service.permissions import ROWS, Act, ServiceRole
from sfumato.service.run_queue import RunState
from sfumato.service.service import Service

# Runs that hold a table against the policy; that others came to their end says nothing of it.
JUDGES = ("assess", "anonymise", "release")
MOST = 20  # of notices and of runs: there are pages for all of them


@dataclass(frozen=True)
class SeenProject:
    """A project, what the caller is in it, and whether what was read last keeps to its policy: None if unknown."""

    name: str
    title: str
    roles: tuple[ServiceRole, ...]
    met: bool | None
    outdated: bool  # read on an older version than the present one


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
        seen = [
            SeenProject(
                one.name,
                one.title or one.name,
                tuple(held[one.handle]),
                last.get(one.handle, (None, 0))[0],
                one.handle in last and last[one.handle][1] != one.current,
            )
            for one in projects
        ]
    return Overview(seen, runs, list_notices(service, caller, limit=MOST, unread=True)[:MOST])
