"""Sign in with a name and a password, show the second factor, use a link, sign out."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from sfumato.api.calls import of, paths
from sfumato.service.accounts import NewAccount
from sfumato.service.first_start import create_first_administrator
from sfumato.service.one_time_links import set_password
from sfumato.service.passwords import LONGEST
from sfumato.service.permissions import Act
from sfumato.service.second_factor import pass_second_factor
from sfumato.service.service import Service
from sfumato.service.sessions import sign_out
from sfumato.service.sign_in import NextStep, SignedIn, sign_in
from sfumato.web.who_asks import TheCaller, TheService, give_cookie, require_same_origin, take_cookie


def same_origin(request: Request) -> None:
    """Somebody who is not signed in yet must not be signed in by another site as somebody else either."""
    require_same_origin(request)


router = paths("sign-in", dependencies=[Depends(same_origin)])
Secret = Annotated[str, Field(min_length=1, max_length=LONGEST, repr=False)]
Code = Annotated[str, Field(pattern=r"^[0-9]{3} ?[0-9]{3}$", repr=False)]


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SignInQuestion(_Question):
    """Who somebody says they are, and how they show it."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    password: Secret


class CodeQuestion(_Question):
    """A code of the second factor."""

    code: Code


class PasswordByLink(_Question):
    """The secret of a link, and the password that is chosen."""

    secret: Secret
    password: Secret


class FirstAdministrator(PasswordByLink):
    """The secret of the link of the first start, and who uses it."""

    name: Annotated[str, Field(min_length=1, max_length=64)]
    shown_name: Annotated[str, Field(max_length=200)] = ""
    mail: Annotated[str | None, Field(max_length=200)] = None


class SignedInDocument(BaseModel):
    """Who is signed in, and what comes next: nothing, the code of a second factor, or to set one up."""

    name: str
    next: NextStep


class NameDocument(BaseModel):
    """The name to sign in with."""

    name: str


def signed_in_answer(response: Response, service: Service, done: SignedIn) -> SignedInDocument:
    """The cookie of a new session, and what comes next."""
    give_cookie(response, service, done.cookie)
    return SignedInDocument(name=done.name, next=done.next)


@router.post("/sign-in", **of(Act.SIGN_IN))
def by_password(asked: SignInQuestion, service: TheService, caller: TheCaller, response: Response) -> SignedInDocument:
    """Sign in with a name and a password; the session is in a cookie."""
    return signed_in_answer(response, service, sign_in(service, caller, asked.name, asked.password))


@router.post("/sign-in/code", **of(Act.SIGN_IN, 409))
def by_code(asked: CodeQuestion, service: TheService, caller: TheCaller, response: Response) -> SignedInDocument:
    """Show the second factor; the session gets a new cookie."""
    return signed_in_answer(response, service, pass_second_factor(service, caller, asked.code))


@router.post("/sign-in/link", **of(Act.SIGN_IN))
def by_link(asked: PasswordByLink, service: TheService, caller: TheCaller) -> NameDocument:
    """Set the password of an invitation, or a new one; the link works once."""
    return NameDocument(name=set_password(service, caller, asked.secret, asked.password))


@router.post("/sign-in/first-start", status_code=201, **of(Act.SIGN_IN, 409))
def first_start(asked: FirstAdministrator, service: TheService, caller: TheCaller) -> NameDocument:
    """Create the first administrator, by the link that the first start printed."""
    new = NewAccount(name=asked.name, shown_name=asked.shown_name, mail=asked.mail)
    return NameDocument(name=create_first_administrator(service, caller, asked.secret, new, asked.password))


@router.post("/sign-out", status_code=204, **of(Act.SELF_CHANGE))
def leave(service: TheService, caller: TheCaller) -> Response:
    """End the session."""
    sign_out(service, caller)
    response = Response(status_code=204)
    take_cookie(response, service)
    return response
