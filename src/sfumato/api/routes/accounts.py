"""Accounts, for administrators."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Path, Response
from pydantic import BaseModel, ConfigDict, Field

from sfumato.api.calls import IfMatch, Page, ThePaging, etag, of, paths, require_match
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
from sfumato.service.entities import Account
from sfumato.service.names import ACCOUNT_NAME
from sfumato.service.permissions import Act
from sfumato.web.who_asks import TheCaller, TheService

router = paths("accounts", "/accounts")
AccountName = Annotated[str, Path(max_length=64, pattern=f"^{ACCOUNT_NAME}$")]
ShownName = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$", max_length=200)]
Mail = Annotated[str, Field(max_length=200)]


class AccountDocument(BaseModel):
    """An account, without anything that opens it."""

    handle: str
    name: str
    shown_name: str
    mail: str | None
    identity: str
    administrator: bool
    auditor: bool
    closed: bool
    has_password: bool
    has_second_factor: bool
    issuer: str | None
    created: datetime


class AccountQuestion(BaseModel):
    """Somebody who is to have an account; with `invite`, a link by which they set a password."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(pattern=f"^{ACCOUNT_NAME}$")]
    shown_name: ShownName = ""
    mail: Mail | None = None
    administrator: bool = False
    auditor: bool = False
    invite: bool = True


class AccountChange(BaseModel):
    """What of an account is to be another."""

    model_config = ConfigDict(extra="forbid")
    shown_name: ShownName | None = None
    mail: Mail | None = None
    administrator: bool | None = None
    auditor: bool | None = None


class InvitedDocument(BaseModel):
    """A new account, and the link for its owner, which is shown once."""

    account: AccountDocument
    link: str | None


class LinkDocument(BaseModel):
    """A link that works once, and is shown once."""

    link: str


def account_document(account: Account) -> AccountDocument:
    """An account as administrators see it."""
    return AccountDocument(
        handle=account.handle,
        name=account.name,
        shown_name=account.shown_name,
        mail=account.mail,
        identity=account.identity,
        administrator=account.administrator,
        auditor=account.auditor,
        closed=account.closed,
        has_password=account.password_hash is not None,
        has_second_factor=account.second_factor_confirmed,
        issuer=account.issuer,
        created=account.created,
    )


@router.get("", response_model=Page[AccountDocument], **of(Act.ACCOUNT_READ))
def accounts(service: TheService, caller: TheCaller, paging: ThePaging) -> Response:
    """All accounts, in the order in which they were made."""
    listed = list_accounts(service, caller, after=paging.after, limit=paging.limit + 1)
    return paging.page([account_document(one) for one in listed], lambda one: one.handle)


@router.post("", status_code=201, **of(Act.ACCOUNT_CHANGE, 409))
def new_account(asked: AccountQuestion, service: TheService, caller: TheCaller) -> InvitedDocument:
    """Create an account; the link is in this answer and nowhere else. A lost one is replaced by a password reset."""
    new = NewAccount(
        name=asked.name, shown_name=asked.shown_name, mail=asked.mail,
        administrator=asked.administrator, auditor=asked.auditor,
    )  # fmt: skip
    account, link = create_account(service, caller, new, invite=asked.invite)
    return InvitedDocument(account=account_document(account), link=link)


@router.get("/{account}", **of(Act.ACCOUNT_READ))
def one_account(account: AccountName, service: TheService, caller: TheCaller, response: Response) -> AccountDocument:
    """One account."""
    return _tagged(response, read_account(service, caller, account))


@router.patch("/{account}", **of(Act.ACCOUNT_CHANGE, 409, 412, 428))
def changed_account(
    account: AccountName,
    asked: AccountChange,
    *,
    service: TheService,
    caller: TheCaller,
    response: Response,
    if_match: IfMatch = None,
) -> AccountDocument:
    """Change a shown name, a mail address, or who is administrator or auditor."""
    changes = asked.model_dump(exclude_unset=True)
    changed = change_account(service, caller, account, changes, lambda tag: require_match(if_match, tag))
    return _tagged(response, changed)


@router.post("/{account}/close", **of(Act.ACCOUNT_CHANGE, 409))
def closed_account(account: AccountName, service: TheService, caller: TheCaller, response: Response) -> AccountDocument:
    """Close an account: its sessions and tokens end at once."""
    return _tagged(response, close_account(service, caller, account))


@router.post("/{account}/reopen", **of(Act.ACCOUNT_CHANGE, 409))
def opened_account(account: AccountName, service: TheService, caller: TheCaller, response: Response) -> AccountDocument:
    """Open a closed account again."""
    return _tagged(response, reopen_account(service, caller, account))


@router.post("/{account}/reset-password", **of(Act.ACCOUNT_CHANGE, 409))
def password_link(account: AccountName, service: TheService, caller: TheCaller) -> LinkDocument:
    """A link for a new password; the old one, sessions and tokens open nothing any more."""
    return LinkDocument(link=reset_password(service, caller, account))


@router.post("/{account}/reset-second-factor", **of(Act.ACCOUNT_CHANGE, 409))
def without_second_factor(
    account: AccountName, service: TheService, caller: TheCaller, response: Response
) -> AccountDocument:
    """Take away the second factor of somebody who lost it."""
    return _tagged(response, reset_second_factor(service, caller, account))


def _tagged(response: Response, account: Account) -> AccountDocument:
    etag(response, account_tag(account))
    return account_document(account)
