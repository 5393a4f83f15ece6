"""Signing in: a password, the second factor, the links that work once; and out again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field

from sfumato.errors import ServiceRefusal
from sfumato.service.accounts import NewAccount
from sfumato.service.first_start import create_first_administrator
from sfumato.service.one_time_links import LinkPurpose, set_password
from sfumato.service.passwords import LONGEST
from sfumato.service.second_factor import begin_set_up, confirm_set_up, pass_second_factor
from sfumato.service.service import Service
from sfumato.service.sessions import sign_out
from sfumato.service.sign_in import NextStep, SignedIn, sign_in
from sfumato.web.open_id_return import provider_label
from sfumato.web.who_asks import TheCaller, TheService, give_cookie, require_same_origin, take_cookie
from sfumato.workbench.answers import shown
from sfumato.workbench.places import AFTER_PASSWORD, ScreenPlace, local_address

Secret = Annotated[str, Field(min_length=1, max_length=LONGEST, repr=False)]
Code = Annotated[str, Field(max_length=20, repr=False)]
Address = Annotated[str, Field(alias="next", max_length=2000)]
HERE = ScreenPlace("sign-in")


class PasswordForm(BaseModel):
    """A name and a password, and where to go on."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    password: Secret
    after: Address = "/"


class CodeForm(BaseModel):
    """A code of the second factor, and where to go on."""

    code: Code
    after: Address = "/"


class LinkForm(BaseModel):
    """The secret of a link and the password that is chosen; at the first start also who becomes administrator."""

    secret: Secret
    password: Secret
    name: Annotated[str, Field(max_length=64)] = ""
    shown_name: Annotated[str, Field(max_length=200)] = ""


def same_origin(request: Request) -> None:
    """Nobody is signed in by another site as somebody else."""
    if request.method != "GET":
        require_same_origin(request)


router = APIRouter(dependencies=[Depends(same_origin)])


@router.get("/sign-in")
def ask(
    request: Request, service: TheService, after: Annotated[str, Query(alias="next", max_length=2000)] = "/"
) -> Response:
    """The form for a name and a password."""
    return shown(
        request, "sign_in.html", place=HERE, after=local_address(after), problem="", provider=provider_label(service)
    )


@router.post("/sign-in")
def by_password(
    request: Request, service: TheService, caller: TheCaller, given: Annotated[PasswordForm, Form()]
) -> Response:
    """Sign in with a name and a password."""
    try:
        done = sign_in(service, caller, given.name, given.password)
    except ServiceRefusal as error:
        return shown(
            request, "sign_in.html", place=HERE, status=error.status, after=local_address(given.after),
            problem=str(error), provider=provider_label(service),
        )  # fmt: skip
    return _entered(service, done, given.after)


@router.get("/sign-in/code")
def ask_for_code(
    request: Request, caller: TheCaller, after: Annotated[str, Query(alias="next", max_length=2000)] = "/"
) -> Response:
    """The form for a code of the second factor."""
    return shown(request, "sign_in_code.html", caller=caller, place=HERE, after=local_address(after), problem="")


@router.post("/sign-in/code")
def by_code(request: Request, service: TheService, caller: TheCaller, given: Annotated[CodeForm, Form()]) -> Response:
    """Show the second factor."""
    try:
        done = pass_second_factor(service, caller, given.code.replace(" ", ""))
    except ServiceRefusal as error:
        return shown(
            request, "sign_in_code.html", caller=caller, place=HERE, status=error.status,
            after=local_address(given.after), problem=str(error),
        )  # fmt: skip
    return _entered(service, done, given.after)


@router.get("/sign-in/set-up")
def ask_to_set_up(request: Request, caller: TheCaller) -> Response:
    """What a second factor is, before the secret for it is made and shown."""
    return shown(request, "second_factor.html", caller=caller, place=HERE, begun=None, problem="")


@router.post("/sign-in/set-up")
def set_up(request: Request, service: TheService, caller: TheCaller) -> Response:
    """Begin to set up a second factor: what an application needs is shown once."""
    begun = begin_set_up(service, caller)
    return shown(request, "second_factor.html", caller=caller, place=HERE, begun=begun, problem="")


@router.post("/sign-in/set-up/confirm")
def confirm(request: Request, service: TheService, caller: TheCaller, given: Annotated[CodeForm, Form()]) -> Response:
    """Show a code of the new second factor: from now on it counts."""
    try:
        done = confirm_set_up(service, caller, given.code.replace(" ", ""))
    except ServiceRefusal as error:
        return shown(
            request, "second_factor.html", caller=caller, place=HERE, status=error.status, begun=None,
            problem=str(error),
        )  # fmt: skip
    return _entered(service, done, "/")


@router.get("/link/{purpose}")
def ask_by_link(request: Request, purpose: LinkPurpose) -> Response:
    """The form of a link that works once: its secret stands behind # and reaches the server with the form."""
    return shown(request, "link.html", place=HERE, purpose=purpose.value, problem="")


@router.post("/link/{purpose}")
def by_link(
    request: Request,
    service: TheService,
    caller: TheCaller,
    purpose: LinkPurpose,
    given: Annotated[LinkForm, Form()],
) -> Response:
    """Choose a password by a link; the link of the first start makes the first administrator."""
    try:
        if purpose is LinkPurpose.FIRST_START:
            new = NewAccount(name=given.name, shown_name=given.shown_name)
            known = create_first_administrator(service, caller, given.secret.strip(), new, given.password)
        else:
            known = set_password(service, caller, given.secret.strip(), given.password)
    except ServiceRefusal as error:
        return shown(
            request, "link.html", place=HERE, status=error.status, purpose=purpose.value, problem=str(error)
        )  # fmt: skip
    return _entered(service, sign_in(service, caller, known, given.password), "/")


@router.post("/sign-out")
def leave(service: TheService, caller: TheCaller) -> Response:
    """End the session."""
    sign_out(service, caller)
    answer = RedirectResponse("/sign-in", 303)
    take_cookie(answer, service)
    return answer


def _entered(service: Service, done: SignedIn, after: str) -> Response:
    """A new session, and where it goes on."""
    going_on = local_address(after) if done.next is NextStep.NOTHING else AFTER_PASSWORD[done.next]
    answer = RedirectResponse(going_on, 303)
    give_cookie(answer, service, done.cookie)
    return answer
