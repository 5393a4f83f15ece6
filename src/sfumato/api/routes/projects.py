"""Projects: which there are, their settings, and their people."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Response
from pydantic import BaseModel, ConfigDict, Field

from sfumato.api.calls import IfMatch, Page, ThePaging, TheQuestion, etag, of, paths, require_match
from sfumato.api.routes.accounts import AccountName
from sfumato.service.entities import ServiceProject
from sfumato.service.members import give_role, list_members, take_role
from sfumato.service.names import ACCOUNT_NAME, PROJECT_NAME
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.projects import (
    change_project_settings,
    create_project,
    list_projects,
    project_settings,
    settings_tag,
)
from sfumato.web.who_asks import TheCaller, TheService

router = paths("projects", "/projects")
ProjectName = Annotated[str, Path(max_length=64, pattern=f"^{PROJECT_NAME}$")]
Title = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$", max_length=200)]
Days = Annotated[int, Field(ge=1, le=36500)]


class ProjectListed(BaseModel):
    """A project, and what one is in it."""

    handle: str
    name: str
    title: str
    closed: bool
    roles: list[ServiceRole]


class PersonInProject(BaseModel):
    """An account by its name, and a role."""

    model_config = ConfigDict(extra="forbid")
    account: Annotated[str, Field(pattern=f"^{ACCOUNT_NAME}$")]
    role: ServiceRole


class NewProject(BaseModel):
    """A project that is to be, and its first people."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(pattern=f"^{PROJECT_NAME}$")]
    title: Title = ""
    people: Annotated[list[PersonInProject], Field(max_length=200)] = []


class ProjectSettingsDocument(BaseModel):
    """The settings of a project."""

    name: str
    title: str
    reviewers: int
    rows_for_reviewers: bool
    days_of_download: int
    keep_sources_days: int | None
    keep_results_days: int | None
    releases_per_source: int | None


class ProjectSettingsChange(BaseModel):
    """The settings that are to be others; those that are left out stay."""

    model_config = ConfigDict(extra="forbid")
    title: Annotated[str | None, Field(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=200)] = None
    reviewers: Annotated[int | None, Field(ge=1, le=20)] = None
    rows_for_reviewers: bool | None = None
    days_of_download: Annotated[int | None, Field(ge=1, le=3650)] = None
    keep_sources_days: Days | None = None
    keep_results_days: Days | None = None
    releases_per_source: Annotated[int | None, Field(ge=1, le=100_000)] = None


class MemberDocument(BaseModel):
    """Somebody in a project."""

    account: str
    shown_name: str
    closed: bool
    roles: list[ServiceRole]


@router.get("", response_model=Page[ProjectListed], **of(Act.PROJECT_LIST))
def projects(service: TheService, caller: TheCaller, paging: ThePaging) -> Response:
    """The projects in which one has a role; for an administrator, all."""
    listed = list_projects(service, caller, after=paging.after, limit=paging.limit + 1)
    shown = [
        ProjectListed(handle=one.handle, name=one.name, title=one.title, closed=one.closed, roles=[*one.roles])
        for one in listed
    ]
    return paging.page(shown, lambda one: one.handle)


@router.post("", status_code=201, response_model=ProjectSettingsDocument, **of(Act.PROJECT_CREATE, 409))
def new_project(asked: NewProject, service: TheService, caller: TheCaller, question: TheQuestion) -> Response:
    """Create a project, with its first people."""
    people = [(one.account, one.role) for one in asked.people]
    return question.once(asked, lambda: _shown(create_project(service, caller, asked.name, asked.title, people)))


@router.get("/{project}/settings", **of(Act.PROJECT_READ))
def settings(
    project: ProjectName, service: TheService, caller: TheCaller, response: Response
) -> ProjectSettingsDocument:
    """The settings of a project."""
    return _tagged(response, project_settings(service, caller, project))


@router.patch("/{project}/settings", **of(Act.PROJECT_CHANGE, 409, 412, 428))
def changed_settings(
    project: ProjectName,
    asked: ProjectSettingsChange,
    *,
    service: TheService,
    caller: TheCaller,
    response: Response,
    if_match: IfMatch = None,
) -> ProjectSettingsDocument:
    """Change settings of a project."""
    changes = asked.model_dump(exclude_unset=True)
    changed = change_project_settings(service, caller, project, changes, lambda tag: require_match(if_match, tag))
    return _tagged(response, changed)


@router.get("/{project}/members", **of(Act.MEMBER_READ))
def members(project: ProjectName, service: TheService, caller: TheCaller) -> list[MemberDocument]:
    """Who has which role in a project."""
    return [
        MemberDocument(account=one.name, shown_name=one.shown_name, closed=one.closed, roles=[*one.roles])
        for one in list_members(service, caller, project)
    ]


@router.put("/{project}/members/{account}/{role}", status_code=204, **of(Act.MEMBER_CHANGE))
def role_given(
    project: ProjectName, account: AccountName, role: ServiceRole, service: TheService, caller: TheCaller
) -> Response:
    """Give somebody a role in a project; never oneself."""
    give_role(service, caller, project, account, role)
    return Response(status_code=204)


@router.delete("/{project}/members/{account}/{role}", status_code=204, **of(Act.MEMBER_CHANGE))
def role_taken(
    project: ProjectName, account: AccountName, role: ServiceRole, service: TheService, caller: TheCaller
) -> Response:
    """Take a role in a project from somebody."""
    take_role(service, caller, project, account, role)
    return Response(status_code=204)


def _shown(project: ServiceProject) -> ProjectSettingsDocument:
    return ProjectSettingsDocument.model_validate(project, from_attributes=True)


def _tagged(response: Response, project: ServiceProject) -> ProjectSettingsDocument:
    etag(response, settings_tag(project))
    return _shown(project)
