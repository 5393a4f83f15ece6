"""Doors: how it is known who is asking. A session has a cookie, a token comes with each call; both are hashed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Row, Select, bindparam, exists, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, Membership, SignInSession, Token
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.service import Service

BYTES = 32  # of what opens a door: 256 bits are not guessed, so that a plain hash keeps them safe
TOKEN = "sfumato_"  # what a token begins with, so that whoever finds one in a file knows what it is
UNPROVED = frozenset({Act.SELF_READ, Act.SELF_CHANGE})  # without the second factor that one needs
CAREFUL = (ServiceRole.STEWARD, ServiceRole.REVIEWER)  # roles in a project that ask for a second factor
# How exactly it is kept when a door was last used: with a write at each call readers would wait for each other.
REMEMBERED = timedelta(minutes=1)
Door = SignInSession | Token


def hashed(secret: str) -> str:
    """What is kept of something that opens a door."""
    return sha256(secret.encode()).hexdigest()


def caller_of(service: Service, *, cookie: str | None, bearer: str | None, address: str) -> Caller:
    """Who is asking; nobody where neither cookie nor token is one that is valid now."""
    nobody = Caller(address=address)
    if bearer is not None:
        return _through(service, Token, bearer, address) or nobody
    return (_through(service, SignInSession, cookie, address) if cookie is not None else None) or nobody


def needs_second_factor(session: Session, service: Service, account: Account) -> bool:
    """Whether somebody has to show a second factor: who has set one up always, who bears a careful role has to."""
    if account.second_factor_confirmed:
        return True
    if not service.settings.second_factor:
        return False
    careful = exists().where(Membership.account == account.handle, Membership.role.in_(CAREFUL))
    return account.administrator or bool(session.scalar(select(careful)))


def open_session(
    session: Session, service: Service, account: Account, *, address: str, second_factor_passed: bool
) -> str:
    """A new session of somebody who has shown who they are; what its cookie holds."""
    secret, now = secrets.token_urlsafe(BYTES), service.clock()
    session.add(
        SignInSession(
            hash=hashed(secret),
            account=account.handle,
            created=now,
            last_used=now,
            expires=now + timedelta(hours=service.settings.session_hours),
            address=address,
            second_factor_passed=second_factor_passed,
        )
    )
    return secret


def issue_token(
    session: Session,
    service: Service,
    account: str,
    *,
    label: str,
    scopes: Iterable[Act],
    expires: datetime,
    project: str | None = None,
) -> tuple[Token, str]:
    """A new token, and what is shown of it once and never again."""
    secret = f"{TOKEN}{secrets.token_urlsafe(BYTES)}"
    token = Token(
        hash=hashed(secret),
        account=account,
        label=label,
        scopes=sorted(scopes),
        project=project,
        created=service.clock(),
        expires=expires,
    )
    session.add(token)
    session.flush()
    return token, secret


def _look_up(entity: type[Door], *own: InstrumentedAttribute[Any]) -> Select[Any]:
    """What is known of a door and of whose it is, by the hash of what opens it.

    Built once, and of columns: every call asks it, and to build it anew and to make entities of its answer would take
    longer than the answer itself.
    """
    door = (entity.handle.label("door"), entity.revoked, entity.expires, entity.last_used, *own)
    whose = (Account.handle.label("account"), Account.name, Account.identity)
    standing = (Account.administrator, Account.auditor, Account.closed)
    known = select(*door, *whose, *standing).join(Account, Account.handle == entity.account)
    return known.where(entity.hash == bindparam("hash"))


BY_SESSION = _look_up(SignInSession, SignInSession.second_factor_passed)
BY_TOKEN = _look_up(Token, Token.scopes, Token.project)


def _through(service: Service, entity: type[Door], secret: str, address: str) -> Caller | None:
    """Who comes through a door that this opens; nobody where there is none, or it is closed by now."""
    now = service.clock()
    with service.database.looking() as connection:
        known = connection.execute(BY_TOKEN if entity is Token else BY_SESSION, {"hash": hashed(secret)}).one_or_none()
    if known is None or known.revoked or known.closed or known.expires <= now:
        return None
    unused = None if known.last_used is None else now - known.last_used
    if entity is SignInSession and unused is not None and unused > timedelta(minutes=service.settings.idle_minutes):
        return None
    if unused is None or unused > REMEMBERED:
        with service.database.writing() as session:
            session.execute(update(entity).where(entity.handle == known.door).values(last_used=now))
    roles = {ServiceRole.ADMINISTRATOR: known.administrator, ServiceRole.AUDITOR: known.auditor}
    return Caller(
        way=Way.TOKEN if entity is Token else Way.SESSION,
        account=known.account,
        name=known.name,
        identity=known.identity,
        roles=frozenset(role for role, held in roles.items() if held),
        address=address,
        door=known.door,
        scopes=_acts(tuple(known.scopes)) if entity is Token else _of_session(service, known),
        only_project=known.project if entity is Token else None,
    )


@lru_cache(maxsize=1000)
def _acts(names: tuple[str, ...]) -> frozenset[Act]:
    """Acts by their names; most tokens are for the same ones."""
    return frozenset(map(Act, names))


def _of_session(service: Service, known: Row[Any]) -> frozenset[Act] | None:
    """What a session may be used for: everything, but for somebody who has yet to show a second factor."""
    if known.second_factor_passed:
        return None
    with service.database.reading() as session:
        needed = needs_second_factor(session, service, session.get_one(Account, known.account))
    return UNPROVED if needed else None
