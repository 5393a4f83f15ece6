"""Accounts: who can sign in, and who of them looks after the service."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sfumato.canonical import canonical
from sfumato.errors import Conflict, NotAllowed, NotKnown, ServiceRefusal
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account
from sfumato.service.names import ACCOUNT_NAME, MAIL, SHOWN_NAME
from sfumato.service.one_time_links import LinkPurpose, end_links, new_link
from sfumato.service.permissions import Act
from sfumato.service.second_factor import forget_second_factor
from sfumato.service.service import Deed, Service
from sfumato.service.sessions import end_sessions, end_tokens
from sfumato.service.slow_down import by_code, by_name, end_try

LAST = "This is the last administrator. Make somebody else one first."

Check = Callable[[str], None]  # gets the ETag of what is there, and raises where another was expected


@dataclass(frozen=True)
class NewAccount:
    """Somebody who is to have an account."""

    name: str
    shown_name: str = ""
    mail: str | None = None
    administrator: bool = False
    auditor: bool = False


def identity_of(mail: str | None, issuer: str | None, subject: str | None, name: str) -> str:
    """Who somebody is outside of here: two accounts of one identity are one person, who does not review themselves.

    >>> identity_of("Stella@Example.org", None, None, "stella")
    'stella@example.org'
    """
    if mail is not None:
        return mail.lower()
    if issuer is None or subject is None:
        return f"account|{name}"
    whole = f"{issuer}|{subject}"
    return whole if len(whole) <= 200 else sha256(whole.encode()).hexdigest()


def account_tag(account: Account) -> str:
    """The ETag of an account: a hash of what can be changed of it."""
    shown = (account.shown_name, account.mail, account.administrator, account.auditor, account.closed)
    return sha256(canonical([account.handle, *shown])).hexdigest()


def account_named(session: Session, name: str) -> Account:
    """An account by the name that is typed to sign in."""
    account = session.scalar(select(Account).where(Account.name == name))
    if account is None:
        raise NotKnown("the account")
    return account


def account_to_change(session: Session, name: str) -> Account:
    """An account that nobody else changes meanwhile.

    The administrators are locked with it, always in one order: two of them who close each other at once do not both
    succeed, and do not wait for each other for ever.
    """
    locked = select(Account).where(or_(Account.name == name, Account.administrator.is_(True)))
    session.scalars(locked.order_by(Account.handle).with_for_update()).all()
    return account_named(session, name)


def list_accounts(service: Service, caller: Caller, *, after: str | None, limit: int) -> Sequence[Account]:
    """Accounts in the order in which they were made."""
    with service.act(caller, Act.ACCOUNT_READ) as deed:
        wanted = select(Account).order_by(Account.handle).limit(limit)
        return deed.session.scalars(wanted.where(Account.handle > after) if after else wanted).all()


def read_account(service: Service, caller: Caller, name: str) -> Account:
    """One account."""
    with service.act(caller, Act.ACCOUNT_READ) as deed:
        return account_named(deed.session, name)


def create_account(service: Service, caller: Caller, new: NewAccount, *, invite: bool) -> tuple[Account, str | None]:
    """A new account, and the link by which its owner sets a password; none for who comes with their organisation."""
    with service.act(caller, Act.ACCOUNT_CHANGE, change="create", account=_plain_name(new.name)) as deed:
        account = added_account(deed, new)
        return account, new_link(deed.session, service, LinkPurpose.INVITATION, account.handle) if invite else None


def added_account(deed: Deed, new: NewAccount) -> Account:
    """An account in the transaction of a deed; `Conflict` where the name is taken."""
    _require(
        new.name, ACCOUNT_NAME, "A name to sign in with has small letters, digits, dots and hyphens, 64 at the most."
    )
    mail = _mail(new.mail)
    account = Account(
        name=new.name,
        shown_name=_shown(new.shown_name or new.name),
        mail=mail,
        identity=identity_of(mail, None, None, new.name),
        administrator=new.administrator,
        auditor=new.auditor,
        created=deed.now,
    )
    if deed.session.scalar(select(Account.handle).where(Account.name == new.name)) is not None:
        raise Conflict("There is an account with this name.")
    deed.session.add(account)
    try:
        deed.session.flush()
    except IntegrityError:  # another was first, in the same moment
        raise Conflict("There is an account with this name.") from None
    return account


def change_account(service: Service, caller: Caller, name: str, changes: Mapping[str, Any], check: Check) -> Account:
    """Change the shown name, the mail address, or whether somebody is administrator or auditor."""
    with service.act(
        caller, Act.ACCOUNT_CHANGE, change="change", account=_plain_name(name), fields=sorted(changes)
    ) as deed:
        account = account_to_change(deed.session, name)
        check(account_tag(account))
        if account.administrator and changes.get("administrator") is False:
            _require_another(deed, account)
        account.shown_name = _shown(changes.get("shown_name") or account.shown_name)
        account.mail = _mail(changes["mail"]) if "mail" in changes else account.mail
        account.identity = identity_of(account.mail, account.issuer, account.subject, account.name)
        for flag in ("administrator", "auditor"):
            if changes.get(flag) is not None:
                setattr(account, flag, changes[flag])
        deed.note(administrator=account.administrator, auditor=account.auditor)
        return account


def close_account(service: Service, caller: Caller, name: str) -> Account:
    """Let somebody in no more: their sessions, tokens and links end at once. What they did stays theirs."""
    with service.act(caller, Act.ACCOUNT_CHANGE, change="close", account=_plain_name(name)) as deed:
        account = account_to_change(deed.session, name)
        if account.administrator and not account.closed:
            _require_another(deed, account)
        account.closed = True
        _end_doors(deed, service, account)
        return account


def reopen_account(service: Service, caller: Caller, name: str) -> Account:
    """Let somebody in again, with the password and second factor that they had."""
    with service.act(caller, Act.ACCOUNT_CHANGE, change="reopen", account=_plain_name(name)) as deed:
        account = account_to_change(deed.session, name)
        account.closed = False
        return account


def reset_password(service: Service, caller: Caller, name: str) -> str:
    """A link by which somebody sets a new password; the old one, sessions and tokens no longer open anything."""
    with service.act(caller, Act.ACCOUNT_CHANGE, change="reset password", account=_plain_name(name)) as deed:
        account = _another(deed, name)
        if account.closed:
            raise Conflict("The account is closed. Reopen it first.")
        account.password_hash = None
        _end_doors(deed, service, account)
        end_try(deed.session, by_name(account.name))
        return new_link(deed.session, service, LinkPurpose.PASSWORD, account.handle)


def reset_second_factor(service: Service, caller: Caller, name: str) -> Account:
    """Take away the second factor of somebody who lost it; whoever needs one sets up another when they sign in."""
    with service.act(caller, Act.ACCOUNT_CHANGE, change="reset second factor", account=_plain_name(name)) as deed:
        account = _another(deed, name)
        forget_second_factor(account)
        end_sessions(deed.session, account.handle)
        end_try(deed.session, by_code(account.handle))
        return account


def _another(deed: Deed, name: str) -> Account:
    """An account that is not the caller's: a stolen session or token must not become a new password."""
    account = account_to_change(deed.session, name)
    if deed.caller.way is not Way.CONSOLE and account.handle == deed.caller.account:
        raise NotAllowed("This is your own account. Change it yourself, or ask another administrator.")
    return account


def _require_another(deed: Deed, account: Account) -> None:
    """Refuse what would leave the service without an administrator."""
    others = select(Account.handle).where(Account.administrator.is_(True), Account.closed.is_(False))
    if deed.session.scalar(others.where(Account.handle != account.handle).limit(1)) is None:
        raise Conflict(LAST)


def _end_doors(deed: Deed, service: Service, account: Account) -> None:
    sessions, tokens = end_sessions(deed.session, account.handle), end_tokens(deed.session, account.handle)
    end_links(deed.session, service, account.handle)
    deed.note(ended_sessions=sessions, ended_tokens=tokens)


def _plain_name(name: str) -> str | None:
    """A name for the log, where it is one: what else was typed there may be anything."""
    return name if re.fullmatch(ACCOUNT_NAME, name) else None


def _mail(mail: str | None) -> str | None:
    if mail is None:
        return None
    return _require(mail.strip().lower(), MAIL, "This is no mail address.")


def _shown(name: str) -> str:
    return _require(name.strip(), SHOWN_NAME, "A name that is shown has 1 to 200 letters on one line.")


def _require(text: str, pattern: str, problem: str) -> str:
    if not re.fullmatch(pattern, text):
        raise ServiceRefusal(problem)
    return text
