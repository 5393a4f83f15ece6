"""Administration: projects and their people, and databases by name. An administrator sees no data of any project."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from sfumato.errors import NotKnown
from sfumato.service.caller import Caller
from sfumato.service.connections import connections, delete_connection, name_connection
from sfumato.service.members import give_role, list_members, take_role
from sfumato.service.names import PROJECT_NAME
from sfumato.service.permissions import OF_PROJECTS, ServiceRole
from sfumato.service.projects import create_project, list_projects
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.attempts import attempt
from sfumato.workbench.form_fields import TheForm, several_lines, text_of
from sfumato.workbench.places import ScreenPlace

router = APIRouter(prefix="/administration")
ProjectName = Annotated[str, Path(pattern=f"^{PROJECT_NAME}$")]
HERE = ScreenPlace("accounts")
PAGE = 100  # projects on one page
MOST = 200  # connections that are shown


@router.get("")
def listed(
    request: Request, service: TheService, caller: TheCaller, after: Annotated[str | None, Query(max_length=64)] = None
) -> Response:
    """Projects and connections, and the forms for new ones."""
    return _page(request, service, caller, after=after)


@router.post("/projects")
def new_project(request: Request, service: TheService, caller: TheCaller, given: TheForm) -> Response:
    """A new project, with its first people."""
    people = [
        (name.strip(), role)
        for role in OF_PROJECTS
        for line in several_lines(text_of(given, role.value))
        for name in line.split(",")
        if name.strip()
    ]
    name, title = text_of(given, "name").strip(), text_of(given, "title").strip()
    return attempt(
        lambda: create_project(service, caller, name, title, people), _again(request, service, caller)
    ) or gone_on(request, f"/administration/projects/{name}")


@router.get("/projects/{project}")
def people(request: Request, service: TheService, caller: TheCaller, project: ProjectName) -> Response:
    """The people of a project, and the form that gives a role."""
    return _people(request, service, caller, project)


@router.post("/projects/{project}/{change}")
def role(
    request: Request, service: TheService, caller: TheCaller, project: ProjectName, *, change: str, given: TheForm
) -> Response:
    """Give somebody a role in a project, or take it."""
    acts = {"give": give_role, "take": take_role}
    if change not in acts or text_of(given, "role") not in list(ServiceRole):
        raise NotKnown("the role")
    account, changed = text_of(given, "account").strip(), ServiceRole(text_of(given, "role"))

    def again(problem: str, status: int) -> Response:
        return _people(request, service, caller, project, problem=problem, status=status)

    done = attempt(lambda: acts[change](service, caller, project, account, changed), again)
    return done or gone_on(request, f"/administration/projects/{project}")


@router.post("/connections")
def new_connection(request: Request, service: TheService, caller: TheCaller, given: TheForm) -> Response:
    """Name a database; its address is kept under the key of the server, and never shown again."""
    projects = [name for line in several_lines(text_of(given, "projects")) for name in line.replace(",", " ").split()]
    name, url = text_of(given, "name").strip(), text_of(given, "url").strip()
    done = attempt(lambda: name_connection(service, caller, name, url, projects), _again(request, service, caller))
    return done or gone_on(request, "/administration#connections")


@router.post("/connections/{name}/delete")
def forget_connection(
    request: Request, service: TheService, caller: TheCaller, name: Annotated[str, Path(max_length=64)]
) -> Response:
    """Forget a database."""
    done = attempt(lambda: delete_connection(service, caller, name), _again(request, service, caller))
    return done or gone_on(request, "/administration#connections")


def _again(request: Request, service: Service, caller: Caller) -> Callable[[str, int], Response]:
    return lambda problem, status: _page(request, service, caller, problem=problem, status=status)


def _page(
    request: Request,
    service: Service,
    caller: Caller,
    *,
    after: str | None = None,
    problem: str = "",
    status: int = 200,
) -> Response:
    named = connections(service, caller, limit=MOST)[:MOST]  # refuses whoever is no administrator
    rows = list_projects(service, caller, after=after, limit=PAGE + 1)
    more = rows[PAGE - 1].handle if len(rows) > PAGE else None
    return shown(
        request, "administration.html", caller=caller, place=HERE, status=status, projects=rows[:PAGE], more=more,
        connections=named, roles=[one.value for one in OF_PROJECTS], problem=problem,
    )  # fmt: skip


def _people(
    request: Request, service: Service, caller: Caller, project: str, *, problem: str = "", status: int = 200
) -> Response:
    return shown(
        request, "members.html", caller=caller, place=HERE, status=status, project=project, problem=problem,
        members=list_members(service, caller, project), roles=[one.value for one in OF_PROJECTS],
    )  # fmt: skip
