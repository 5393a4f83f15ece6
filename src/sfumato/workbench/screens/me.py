"""One's own account: roles, password, second factor, sessions, tokens for scripts, and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response

from sfumato.service.caller import Caller
from sfumato.service.me import myself
from sfumato.service.permissions import ROWS, Act
from sfumato.service.second_factor import remove_second_factor
from sfumato.service.service import Service
from sfumato.service.sessions import list_sessions, revoke_other_sessions, revoke_session
from sfumato.service.sign_in import change_password
from sfumato.service.tokens import create_token, list_tokens, own_acts, revoke_token
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.attempts import attempt
from sfumato.workbench.form_fields import TheForm, text_of, whole_number
from sfumato.workbench.places import ScreenPlace

router = APIRouter(prefix="/me")
Handle = Annotated[str, Path(pattern="^[0-9a-z]{1,64}$")]
HERE = ScreenPlace("me")
DAYS = 30  # that a token lasts unless somebody says otherwise


@router.get("")
def account(request: Request, service: TheService, caller: TheCaller) -> Response:
    """One's own account."""
    return _page(request, service, caller)


@router.post("/password")
def password(request: Request, service: TheService, caller: TheCaller, given: TheForm) -> Response:
    """Another password; other sessions end."""
    change = (text_of(given, "current"), text_of(given, "new"))
    return _tried(request, service, caller, lambda: change_password(service, caller, *change))


@router.post("/second-factor/remove")
def second_factor(request: Request, service: TheService, caller: TheCaller, given: TheForm) -> Response:
    """Take the second factor away, with a code of it."""
    code = text_of(given, "code")
    return _tried(request, service, caller, lambda: remove_second_factor(service, caller, code))


@router.post("/sessions/end-others")
def end_others(request: Request, service: TheService, caller: TheCaller) -> Response:
    """End all sessions but this one."""
    return _tried(request, service, caller, lambda: revoke_other_sessions(service, caller))


@router.post("/sessions/{session}/end")
def end_session(request: Request, service: TheService, caller: TheCaller, session: Handle) -> Response:
    """End a session."""
    return _tried(request, service, caller, lambda: revoke_session(service, caller, session))


@router.post("/tokens/{token}/revoke")
def end_token(request: Request, service: TheService, caller: TheCaller, token: Handle) -> Response:
    """End a token."""
    return _tried(request, service, caller, lambda: revoke_token(service, caller, token))


@router.post("/tokens")
def new_token(request: Request, service: TheService, caller: TheCaller, given: TheForm) -> Response:
    """A new token: its secret stands on this one page, and nowhere else."""
    names = [act.value for act in Act]
    secrets: list[str] = []

    def made() -> None:
        _, secret = create_token(
            service, caller, label=text_of(given, "label").strip()[:200] or "–", days=whole_number(given, "days", DAYS),
            scopes=[Act(name) for name in given.getlist("scope") if name in names],
            project=text_of(given, "project") or None,
        )  # fmt: skip
        secrets.append(secret)

    return attempt(made, _again(request, service, caller)) or _page(request, service, caller, secret=secrets[0])


def _tried(request: Request, service: Service, caller: Caller, act: Callable[[], object]) -> Response:
    """Do something, and show the page with what was refused where it was."""
    return attempt(act, _again(request, service, caller)) or gone_on(request, "/me")


def _again(request: Request, service: Service, caller: Caller) -> Callable[[str, int], Response]:
    return lambda problem, status: _page(request, service, caller, problem=problem, status=status)


def _page(
    request: Request, service: Service, caller: Caller, *, problem: str = "", secret: str = "", status: int = 200
) -> Response:
    own = myself(service, caller)
    return shown(
        request, "me.html", caller=caller, place=HERE, status=status, own=own, problem=problem, secret=secret,
        sessions=list_sessions(service, caller), tokens=list_tokens(service, caller), days=DAYS,
        most_days=service.settings.token_days, acts=[ROWS[act] for act in own_acts(service, caller)],
    )  # fmt: skip
