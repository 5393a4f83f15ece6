"""Doors: how it is known who is asking. A session has a cookie, a token comes with each call; both are hashed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session

from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, Membership, SignInSession, Token
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.service import Service

BYTES = 32  # of what opens a door: 256 bits are not guessed, so that a plain hash keeps them safe
TOKEN = "sfumato_"  # what a token begins with, so that whoever finds one in a file knows what it is
UNPROVED = frozenset({Act.SELF_READ, Act.SELF_CHANGE, Act.PROJECT_LIST})  # without the second factor that one needs
CAREFUL = (ServiceRole.STEWARD, ServiceRole.REVIEWER)  # roles in a project that ask for a second factor
# How exactly it is kept when a door was last used: with a write at each call readers would wait for each other.
REMEMBERED = timedelta(minutes=1)


def hashed(secret: str) -> str:
    """What is kept of something that opens a door."""
    return sha256(secret.encode()).hexdigest()


def caller_of(service: Service, *, cookie: str | None, bearer: str | None, address: str) -> Caller:
    """Who is asking; nobody where neither cookie nor token is one that is valid now."""
    nobody = Caller(address=address)
    if bearer is not None:
        return _by_token(service, bearer, address) or nobody
    return (_by_session(service, cookie, address) if cookie is not None else None) or nobody


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


def _by_session(service: Service, cookie: str, address: str) -> Caller | None:
    now = service.clock()
    with service.database.reading() as session:
        wanted = select(SignInSession, Account).join(Account, Account.handle == SignInSession.account)
        row = session.execute(wanted.where(SignInSession.hash == hashed(cookie))).one_or_none()
        if row is None:
            return None
        door, account = row
        proved = door.second_factor_passed or not needs_second_factor(session, service, account)
    idle = now - door.last_used > timedelta(minutes=service.settings.idle_minutes)
    if door.revoked or account.closed or idle or door.expires <= now:
        return None
    if now - door.last_used > REMEMBERED:
        with service.database.writing() as session:
            session.execute(update(SignInSession).where(SignInSession.handle == door.handle).values(last_used=now))
    return _caller(account, door, Way.SESSION, address, None if proved else UNPROVED)


def _by_token(service: Service, bearer: str, address: str) -> Caller | None:
    now = service.clock()
    with service.database.reading() as session:
        wanted = select(Token, Account).join(Account, Account.handle == Token.account)
        row = session.execute(wanted.where(Token.hash == hashed(bearer))).one_or_none()
    if row is None:
        return None
    door, account = row
    if door.revoked or account.closed or door.expires <= now:
        return None
    if door.last_used is None or now - door.last_used > REMEMBERED:
        with service.database.writing() as session:
            session.execute(update(Token).where(Token.handle == door.handle).values(last_used=now))
    return _caller(account, door, Way.TOKEN, address, frozenset(Act(name) for name in door.scopes))


def _caller(
    account: Account, door: SignInSession | Token, way: Way, address: str, scopes: frozenset[Act] | None
) -> Caller:
    roles = {ServiceRole.ADMINISTRATOR: account.administrator, ServiceRole.AUDITOR: account.auditor}
    return Caller(
        way=way,
        account=account.handle,
        name=account.name,
        identity=account.identity,
        roles=frozenset(role for role, held in roles.items() if held),
        address=address,
        door=door.handle,
        scopes=scopes,
        only_project=door.project if isinstance(door, Token) else None,
    )
