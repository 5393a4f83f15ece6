"""Accounts, for administrators: who can sign in, invitations and resets, and who looks after the service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from sfumato.errors import NotKnown
from sfumato.service.accounts import (
    NewAccount,
    account_tag,
    change_account,
    close_account,
    create_account,
    list_accounts,
    read_account,
    reopen_account,
    reset_password,
    reset_second_factor,
)
from sfumato.service.caller import Caller
from sfumato.service.names import ACCOUNT_NAME
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.web.who_asks import TheCaller, TheService
from sfumato.workbench.answers import gone_on, shown
from sfumato.workbench.attempts import attempt
from sfumato.workbench.form_fields import TheForm, text_of
from sfumato.workbench.places import ScreenPlace

router = APIRouter(prefix="/accounts")
AccountName = Annotated[str, Path(pattern=f"^{ACCOUNT_NAME}$")]
HERE = ScreenPlace("accounts")
PAGE = 100  # accounts on one page


@router.get("")
def listed(
    request: Request, service: TheService, caller: TheCaller, after: Annotated[str | None, Query(max_length=64)] = None
) -> Response:
    """All accounts, and the form for a new one."""
    return _list(request, service, caller, after=after)


@router.post("")
def create(request: Request, service: TheService, caller: TheCaller, given: TheForm) -> Response:
    """A new account; the link for its owner stands on this one page, and nowhere else."""
    typed = {name: text_of(given, name).strip() for name in ("name", "shown_name", "mail")}
    new = NewAccount(
        name=typed["name"].lower(), shown_name=typed["shown_name"], mail=typed["mail"] or None,
        administrator="administrator" in given, auditor="auditor" in given,
    )  # fmt: skip
    links: list[str] = []

    def made() -> None:
        links.append(create_account(service, caller, new, invite="no_link" not in given)[1] or "")

    def again(problem: str, status: int) -> Response:
        return _list(request, service, caller, problem=problem, typed=typed, status=status)

    return attempt(made, again) or _list(request, service, caller, link=links[0], made=new.name)


@router.get("/{account}")
def one(request: Request, service: TheService, caller: TheCaller, account: AccountName) -> Response:
    """One account, and what can be done with it."""
    return _one(request, service, caller, account)


@router.post("/{account}")
def change(request: Request, service: TheService, caller: TheCaller, account: AccountName, given: TheForm) -> Response:
    """Change what others see of somebody, and whether they look after the service."""
    changes = {
        "shown_name": text_of(given, "shown_name").strip(), "mail": text_of(given, "mail").strip() or None,
        "administrator": "administrator" in given, "auditor": "auditor" in given,
    }  # fmt: skip
    check = unchanged(text_of(given, "tag"))

    def changed() -> None:
        change_account(service, caller, account, changes, check)

    return _tried(request, service, caller, account, changed)


@router.post("/{account}/{act}")
def do(request: Request, service: TheService, caller: TheCaller, account: AccountName, act: str) -> Response:
    """Close, reopen, or reset the password or the second factor; a link is shown once."""
    known = ACTS.get(act)
    if known is None:
        raise NotKnown("the act")
    return _tried(request, service, caller, account, lambda: known(service, caller, account))


def _close(service: Service, caller: Caller, account: str) -> None:
    close_account(service, caller, account)


def _reopen(service: Service, caller: Caller, account: str) -> None:
    reopen_account(service, caller, account)


def _reset_second_factor(service: Service, caller: Caller, account: str) -> None:
    reset_second_factor(service, caller, account)


ACTS: dict[str, Callable[[Service, Caller, str], str | None]] = {
    "close": _close, "reopen": _reopen, "reset-password": reset_password, "reset-second-factor": _reset_second_factor,
}  # fmt: skip


def _tried(request: Request, service: Service, caller: Caller, account: str, act: Callable[[], str | None]) -> Response:
    """Do something with an account; a link that came of it is shown, a refusal stands above the page."""
    links: list[str | None] = []

    def again(problem: str, status: int) -> Response:
        return _one(request, service, caller, account, problem=problem, status=status)

    refused = attempt(lambda: links.append(act()), again)
    if refused is None and links[0]:
        return _one(request, service, caller, account, link=links[0])
    return refused or gone_on(request, f"/accounts/{account}")


def _list(
    request: Request,
    service: Service,
    caller: Caller,
    *,
    after: str | None = None,
    problem: str = "",
    typed: dict[str, str] | None = None,
    link: str = "",
    made: str = "",
    status: int = 200,
) -> Response:
    rows = list_accounts(service, caller, after=after, limit=PAGE + 1)
    more = rows[PAGE - 1].handle if len(rows) > PAGE else None
    return shown(
        request, "accounts.html", caller=caller, place=HERE, status=status, accounts=rows[:PAGE], more=more,
        problem=problem, typed=typed or dict.fromkeys(("name", "shown_name", "mail"), ""), link=link, made=made,
    )  # fmt: skip


def _one(
    request: Request,
    service: Service,
    caller: Caller,
    account: str,
    *,
    problem: str = "",
    link: str = "",
    status: int = 200,
) -> Response:
    known = read_account(service, caller, account)
    return shown(
        request, "account.html", caller=caller, place=HERE, status=status, account=known, tag=account_tag(known),
        problem=problem, link=link, mine=known.handle == caller.account,
    )  # fmt: skip
