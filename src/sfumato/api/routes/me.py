"""One's own account: roles, password, second factor, sessions and tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

from sfumato.api.calls import TheHandle, of, paths
from sfumato.api.routes.sign_in import CodeQuestion, Secret, SignedInDocument, signed_in_answer
from sfumato.service.caller import Way
from sfumato.service.entities import Token
from sfumato.service.me import myself
from sfumato.service.names import PROJECT_NAME
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.second_factor import begin_set_up, confirm_set_up, remove_second_factor
from sfumato.service.sessions import list_sessions, revoke_other_sessions, revoke_session
from sfumato.service.sign_in import NextStep, change_password
from sfumato.service.tokens import create_token, list_tokens, revoke_token
from sfumato.web.who_asks import TheCaller, TheService

router = paths("me", "/me")


class RolesDocument(BaseModel):
    """What somebody is in a project."""

    project: str
    title: str
    roles: list[ServiceRole]


class SecondFactorDocument(BaseModel):
    """Whether somebody has a second factor and needs one, and what they have to do now."""

    set_up: bool
    needed: bool
    next: NextStep


class MyselfDocument(BaseModel):
    """Who is signed in, and how."""

    name: str
    shown_name: str
    mail: str | None
    way: Way
    administrator: bool
    auditor: bool
    projects: list[RolesDocument]
    second_factor: SecondFactorDocument


class PasswordChange(BaseModel):
    """The present password, and another."""

    model_config = ConfigDict(extra="forbid")
    current: Secret
    new: Secret


class SetUpDocument(BaseModel):
    """What an application for codes needs; it is shown once."""

    uri: str
    secret: str


class SessionDocument(BaseModel):
    """A browser in which somebody is signed in."""

    handle: str
    created: datetime
    last_used: datetime
    expires: datetime
    address: str
    current: bool


class EndedDocument(BaseModel):
    """How many were ended."""

    ended: int


class NewToken(BaseModel):
    """A token that somebody wants: for what, in which project, and how long."""

    model_config = ConfigDict(extra="forbid")
    label: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]{1,200}$")]
    scopes: Annotated[list[Act], Field(min_length=1, max_length=100)]
    project: Annotated[str | None, Field(pattern=f"^{PROJECT_NAME}$")] = None
    days: Annotated[int, Field(ge=1, le=3650)] = 30


class TokenDocument(BaseModel):
    """A token, without its secret."""

    handle: str
    label: str
    scopes: list[str]
    project: str | None
    created: datetime
    expires: datetime
    last_used: datetime | None


class TokenWithSecret(TokenDocument):
    """A new token; its secret is shown once."""

    secret: str


@router.get("", **of(Act.SELF_READ))
def me(service: TheService, caller: TheCaller) -> MyselfDocument:
    """Who is signed in, their roles, and what the second factor asks of them."""
    known = myself(service, caller)
    account = known.account
    return MyselfDocument(
        name=account.name,
        shown_name=account.shown_name,
        mail=account.mail,
        way=known.way,
        administrator=account.administrator,
        auditor=account.auditor,
        projects=[RolesDocument(project=one.name, title=one.title, roles=[*one.roles]) for one in known.projects],
        second_factor=SecondFactorDocument(
            set_up=account.second_factor_confirmed, needed=known.second_factor_needed, next=known.next
        ),
    )


@router.post("/password", status_code=204, **of(Act.SELF_CHANGE, 409, in_person=True))
def password(asked: PasswordChange, service: TheService, caller: TheCaller) -> Response:
    """Change one's own password; other sessions are ended."""
    change_password(service, caller, asked.current, asked.new)
    return Response(status_code=204)


@router.post("/second-factor", status_code=201, **of(Act.SELF_CHANGE, 409, in_person=True))
def set_up(service: TheService, caller: TheCaller) -> SetUpDocument:
    """Begin to set up a second factor: what an application needs is shown once."""
    begun = begin_set_up(service, caller)
    return SetUpDocument(uri=begun.uri, secret=begun.secret)


@router.post("/second-factor/confirm", **of(Act.SELF_CHANGE, 409, in_person=True))
def confirm(asked: CodeQuestion, service: TheService, caller: TheCaller, response: Response) -> SignedInDocument:
    """Show a first code: the second factor counts, the session gets a new cookie, and all others are ended."""
    return signed_in_answer(response, service, confirm_set_up(service, caller, asked.code))


@router.post("/second-factor/remove", status_code=204, **of(Act.SELF_CHANGE, 409, in_person=True))
def remove(asked: CodeQuestion, service: TheService, caller: TheCaller) -> Response:
    """Take one's own second factor away, with a code of it."""
    remove_second_factor(service, caller, asked.code)
    return Response(status_code=204)


@router.get("/sessions", **of(Act.SELF_READ))
def sessions(service: TheService, caller: TheCaller) -> list[SessionDocument]:
    """Where one is signed in."""
    return [
        SessionDocument(
            handle=one.handle, created=one.created, last_used=one.last_used, expires=one.expires, address=one.address,
            current=one.handle == caller.door,
        )
        for one in list_sessions(service, caller)
    ]  # fmt: skip


@router.delete("/sessions", **of(Act.SELF_CHANGE, in_person=True))
def end_others(service: TheService, caller: TheCaller) -> EndedDocument:
    """End all sessions but this one."""
    return EndedDocument(ended=revoke_other_sessions(service, caller))


@router.delete("/sessions/{session}", status_code=204, **of(Act.SELF_CHANGE, in_person=True))
def end_one(session: TheHandle, service: TheService, caller: TheCaller) -> Response:
    """End a session."""
    revoke_session(service, caller, session)
    return Response(status_code=204)


@router.get("/tokens", **of(Act.SELF_READ))
def tokens(service: TheService, caller: TheCaller) -> list[TokenDocument]:
    """One's own tokens, never their secrets."""
    return [TokenDocument(**_token(token, project)) for token, project in list_tokens(service, caller)]


@router.post("/tokens", status_code=201, **of(Act.SELF_CHANGE, in_person=True))
def new_token(asked: NewToken, service: TheService, caller: TheCaller) -> TokenWithSecret:
    """Create a token; its secret is in this answer and nowhere else, so that a lost answer is a lost token."""
    token, secret = create_token(
        service, caller, label=asked.label, scopes=asked.scopes, days=asked.days, project=asked.project
    )
    return TokenWithSecret(**_token(token, asked.project), secret=secret)


@router.delete("/tokens/{token}", status_code=204, **of(Act.SELF_CHANGE, in_person=True))
def end_token(token: TheHandle, service: TheService, caller: TheCaller) -> Response:
    """Revoke a token; a token may revoke itself."""
    revoke_token(service, caller, token)
    return Response(status_code=204)


def _token(token: Token, project: str | None) -> dict[str, Any]:
    return {
        "handle": token.handle, "label": token.label, "scopes": token.scopes, "project": project,
        "created": token.created, "expires": token.expires, "last_used": token.last_used,
    }  # fmt: skip
