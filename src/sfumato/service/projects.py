"""Projects: the place that people, sources and requests belong to, with its settings; versions say what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, bindparam, select
from sqlalchemy.exc import IntegrityError

from sfumato.canonical import canonical
from sfumato.errors import Conflict, ServiceRefusal
from sfumato.service.caller import Caller
from sfumato.service.entities import ServiceProject
from sfumato.service.members import add_member, roles_of
from sfumato.service.names import PROJECT_NAME, SHOWN_NAME
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.service import Service

# The settings of a project, each with the least and the most that it may be; None where there is a choice of two.
SETTINGS: dict[str, tuple[int, int] | None] = {
    "reviewers": (1, 20),
    "rows_for_reviewers": None,
    "days_of_download": (1, 3650),
    "keep_sources_days": (1, 36500),
    "keep_results_days": (1, 36500),
    "releases_per_source": (1, 100_000),
}
UNLIMITED = ("keep_sources_days", "keep_results_days", "releases_per_source")  # that may be without a limit


@dataclass(frozen=True)
class OwnProject:
    """A project as one of its people sees it in a list."""

    handle: str
    name: str
    title: str
    closed: bool
    roles: tuple[ServiceRole, ...]


def create_project(
    service: Service, caller: Caller, name: str, title: str, people: Sequence[tuple[str, ServiceRole]] = ()
) -> ServiceProject:
    """A new project without anything in it, and its first people: names of accounts with a role each."""
    if not re.fullmatch(PROJECT_NAME, name):
        raise ServiceRefusal("The name of a project has small letters, digits and hyphens, 64 at the most.")
    if not re.fullmatch(SHOWN_NAME, title or name):
        raise ServiceRefusal("The title of a project has 1 to 200 letters on one line.")
    with service.act(caller, Act.PROJECT_CREATE, created=name) as deed:
        if deed.session.scalar(select(ServiceProject.handle).where(ServiceProject.name == name)) is not None:
            raise Conflict("There is a project with this name.")
        project = ServiceProject(name=name, title=title or name, created=deed.now)
        deed.session.add(project)
        try:
            deed.session.flush()
        except IntegrityError:  # another was first, in the same moment
            raise Conflict("There is a project with this name.") from None
        for account, role in people:
            add_member(deed, project.handle, account, role)
        deed.note(people=[f"{account}: {role.value}" for account, role in people])
        return project


def list_projects(service: Service, caller: Caller, *, after: str | None, limit: int) -> Sequence[OwnProject]:
    """The projects in which the caller has a role; all of them for an administrator, who names their people."""
    with service.act(caller, Act.PROJECT_LIST) as deed:
        held = roles_of(deed.session, caller.account)
        wanted = _listed(every=ServiceRole.ADMINISTRATOR in caller.roles, one=caller.only_project is not None)
        given = {"limit": limit, "after": after or "", "held": list(held), "one": caller.only_project}
        rows = deed.session.execute(wanted, given)
        return [OwnProject(one.handle, one.name, one.title, one.closed, held.get(one.handle, ())) for one in rows]


@cache
def _listed(*, every: bool, one: bool) -> Select[str, str, str, bool]:
    """What is shown of the projects after a handle: of all or of those that are `held`, or of that `one` only."""
    known = ServiceProject
    wanted = select(known.handle, known.name, known.title, known.closed).where(known.handle > bindparam("after"))
    if not every:
        wanted = wanted.where(known.handle.in_(bindparam("held", expanding=True)))
    if one:
        wanted = wanted.where(known.handle == bindparam("one"))
    return wanted.order_by(known.handle).limit(bindparam("limit"))


def project_settings(service: Service, caller: Caller, project: str) -> ServiceProject:
    """A project with its settings."""
    with service.act(caller, Act.PROJECT_READ, project=project) as deed:
        return deed.project


def project_with_roles(service: Service, caller: Caller, project: str) -> tuple[ServiceProject, frozenset[ServiceRole]]:
    """A project, and what the caller is in it."""
    with service.act(caller, Act.PROJECT_READ, project=project) as deed:
        return deed.project, deed.roles


def change_project_settings(
    service: Service, caller: Caller, project: str, changes: Mapping[str, Any], check: Callable[[str], None]
) -> ServiceProject:
    """Change some settings of a project; `check` gets the ETag of those that are there."""
    with service.act(caller, Act.PROJECT_CHANGE, project=project, settings=sorted(changes)) as deed:
        # Locked, so that of two who change it at once the second is told.
        deed.session.refresh(deed.project, with_for_update=True)
        check(settings_tag(deed.project))
        for name, value in changes.items():
            setattr(deed.project, name, _setting(name, value))
        deed.note(**{name: getattr(deed.project, name) for name in sorted(changes) if name != "title"})
        return deed.project


def settings_tag(project: ServiceProject) -> str:
    """The ETag of the settings of a project."""
    values = [getattr(project, name) for name in ("title", *SETTINGS)]
    return sha256(canonical([project.handle, *values])).hexdigest()


def _setting(name: str, value: Any) -> Any:
    """A value that a setting may have."""
    if name == "title" and isinstance(value, str) and re.fullmatch(SHOWN_NAME, value):
        return value
    bounds = SETTINGS.get(name)
    allowed = name in SETTINGS and (
        isinstance(value, bool) if bounds is None
        else (value is None and name in UNLIMITED)
        or (isinstance(value, int) and not isinstance(value, bool) and bounds[0] <= value <= bounds[1])
    )  # fmt: skip
    if not allowed:
        raise ServiceRefusal(f"The setting {name} is not right. A release needs one reviewer at the least.")
    return value
