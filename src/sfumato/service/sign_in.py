"""Sign-in: a name and a password, then the second factor of whoever needs one.

A name that nobody has, a wrong password and a closed account are answered in the same words, after the same time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from sfumato.errors import Conflict, NotAllowed, NotSignedIn
from sfumato.service.caller import Caller, Way
from sfumato.service.doors import needs_second_factor, open_session
from sfumato.service.entities import Account, SignInSession
from sfumato.service.names import ACCOUNT_NAME
from sfumato.service.passwords import kept_anew, password_hash, password_is
from sfumato.service.permissions import Act
from sfumato.service.service import Deed, Service
from sfumato.service.sessions import end_sessions, require_in_person
from sfumato.service.slow_down import begin_try, by_address, by_name, end_try

WRONG = "The name or the password is not right."
REFUSED = {"verdict": NotSignedIn.__name__, "refused": True}  # in the log


class NextStep(StrEnum):
    """What somebody has to do after a password before they may do anything else."""

    NOTHING = "nothing"
    CODE = "code"  # show the second factor
    SET_UP = "set-up"  # set a second factor up first


@dataclass(frozen=True)
class SignedIn:
    """A new session: what its cookie holds, whose it is, and what comes next."""

    cookie: str
    name: str
    next: NextStep


def sign_in(service: Service, caller: Caller, name: str, password: str) -> SignedIn:
    """A new session for a name and a password; `NotSignedIn` does not say what of them is wrong."""
    typed = name.strip().lower()
    account = _known(service, typed)
    whose = {"account": account.name} if account is not None else {}  # an unknown name may be a password
    brakes = by_name(typed), by_address(caller.address)
    begin_try(service, caller, brakes, Act.SIGN_IN, **whose)
    kept = account.password_hash if account is not None and not account.closed else None
    right = password_is(kept, password)
    fresh = kept_anew(kept, password) if right and kept is not None else None
    signed_in: SignedIn | None = None
    with service.act(caller, Act.SIGN_IN, way="password", **whose) as deed:
        # Read anew: it may have been closed, or its password changed, while the hash was made.
        now = deed.session.get(Account, account.handle) if account is not None else None
        if fresh is not None and now is not None and not now.closed and now.password_hash == kept:
            now.password_hash = fresh
            end_try(deed.session, brakes[0], shared=brakes[1:])
            signed_in = enter(service, deed, now)
        else:
            deed.note(**REFUSED, reason=_reason(now))
    if signed_in is None:
        raise NotSignedIn(WRONG)
    return signed_in


def enter(service: Service, deed: Deed, account: Account, *, second_factor_passed: bool = False) -> SignedIn:
    """A new session of somebody who has just shown who they are; the one that their browser had before is ended."""
    if deed.caller.way is Way.SESSION and deed.caller.door is not None:
        deed.session.get_one(SignInSession, deed.caller.door).revoked = True
    cookie = open_session(
        deed.session, service, account, address=deed.caller.address, second_factor_passed=second_factor_passed
    )
    after = next_step(deed.session, service, account, second_factor_passed=second_factor_passed)
    deed.note(signed_in=account.name, next=after.value)
    return SignedIn(cookie, account.name, after)


def next_step(session: Session, service: Service, account: Account, *, second_factor_passed: bool) -> NextStep:
    """What somebody has to do before they may do anything else."""
    if second_factor_passed or not needs_second_factor(session, service, account):
        return NextStep.NOTHING
    return NextStep.CODE if account.second_factor_confirmed else NextStep.SET_UP


def change_password(service: Service, caller: Caller, current: str, new: str) -> None:
    """Another password, by somebody who knows the present one; their other sessions are ended."""
    if not caller.in_person:
        with service.act(caller, Act.SELF_CHANGE, change="password"):
            require_in_person(caller)
    account = _known(service, caller.name)
    if account is None or account.password_hash is None:
        raise Conflict("This account has no password: its owner signs in with their organisation.")
    begin_try(service, caller, [by_name(account.name)], Act.SELF_CHANGE, change="password")
    right = password_is(account.password_hash, current)
    fresh = password_hash(new, account.name, account.mail) if right else None
    with service.act(caller, Act.SELF_CHANGE, change="password") as deed:
        if fresh is not None:
            deed.session.get_one(Account, account.handle).password_hash = fresh
            end_try(deed.session, by_name(account.name))
            deed.note(ended=end_sessions(deed.session, account.handle, but=caller.door))
        else:
            deed.note(verdict=NotAllowed.__name__, refused=True, reason="the present password was wrong")
    if fresh is None:
        raise NotAllowed("The present password is not right.")


def _known(service: Service, name: str) -> Account | None:
    if not re.fullmatch(ACCOUNT_NAME, name):  # such as a letter that PostgreSQL has no place for
        return None
    with service.database.reading() as session:
        return session.scalar(select(Account).where(Account.name == name))


def _reason(account: Account | None) -> str:
    """Why somebody was not let in, for the log alone."""
    if account is None:
        return "no such account"
    return "the account is closed" if account.closed else "wrong password"
