"""Personal tokens: for scripts, each with what it may be used for and until when. The secret is shown once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from sfumato.errors import NotAllowed, NotKnown, ServiceRefusal
from sfumato.service.caller import Caller
from sfumato.service.doors import issue_token
from sfumato.service.entities import Account, Membership, ServiceProject, Token
from sfumato.service.permissions import TABLE, Act, Scope, ServiceRole
from sfumato.service.service import Deed, Service
from sfumato.service.sessions import require_in_person

OF_ONE_PROJECT = (Scope.PROJECT, Scope.OWN)
EVERYWHERE = (Act.SELF_READ, Act.PROJECT_LIST)  # that a token of one project may do too: it sees nothing of others


def create_token(
    service: Service, caller: Caller, *, label: str, scopes: Iterable[Act], days: int, project: str | None = None
) -> tuple[Token, str]:
    """A new token of the caller for some acts, and its secret; not for what the caller could never do themselves."""
    wanted = frozenset(scopes)
    with service.act(caller, Act.SELF_CHANGE, change="create a token", token_project=project) as deed:
        require_in_person(caller)
        if not 1 <= days <= service.settings.token_days:
            raise ServiceRefusal(f"A token lasts from 1 to {service.settings.token_days} days.")
        place = _place(deed, project) if project is not None else None
        possible = possible_acts(deed.session, deed.session.get_one(Account, deed.account), place)
        if not wanted:
            raise ServiceRefusal("Say what the token is for: name one act at the least.")
        if wanted - possible:
            raise NotAllowed(f"You could not do this yourself: {', '.join(sorted(wanted - possible))}.")
        expires = deed.now + timedelta(days=days)
        token, secret = issue_token(
            deed.session, service, deed.account, label=label, scopes=wanted, expires=expires, project=place
        )
        deed.note(token=token.handle, scopes=sorted(wanted), expires=expires.isoformat())
        return token, secret


def list_tokens(service: Service, caller: Caller) -> Sequence[tuple[Token, str | None]]:
    """The tokens of the caller that were not revoked, the newest first, each with the name of its project."""
    with service.act(caller, Act.SELF_READ) as deed:
        mine = select(Token, ServiceProject.name).outerjoin(ServiceProject, ServiceProject.handle == Token.project)
        mine = mine.where(Token.account == deed.account, Token.revoked.is_(False))
        rows = deed.session.execute(mine.order_by(Token.handle.desc()).limit(200))
        return [(token, name) for token, name in rows]


def own_acts(service: Service, caller: Caller) -> Sequence[Act]:
    """What the caller could let a token do, in the order of the table of permissions."""
    with service.act(caller, Act.SELF_READ) as deed:
        possible = possible_acts(deed.session, deed.session.get_one(Account, deed.account), None)
        return [row.act for row in TABLE if row.act in possible]


def revoke_token(service: Service, caller: Caller, handle: str) -> None:
    """End one of the caller's tokens; a token may end itself."""
    with service.act(caller, Act.SELF_CHANGE, change="revoke a token", token=handle) as deed:
        if caller.door != handle:
            require_in_person(caller)
        token = deed.session.get(Token, handle)
        if token is None or token.account != deed.account:
            raise NotKnown("the token")
        token.revoked = True


def possible_acts(session: Session, account: Account, project: str | None) -> frozenset[Act]:
    """What an account could do at all, by the roles that it has; in one project, where that is said by its handle."""
    held = select(Membership.role).where(Membership.account == account.handle)
    if project is not None:
        held = held.where(Membership.project == project)
    roles = {ServiceRole(role) for role in session.scalars(held)}
    roles |= {ServiceRole.ADMINISTRATOR} if account.administrator else set()
    roles |= {ServiceRole.AUDITOR} if account.auditor else set()
    rows = [row for row in TABLE if row.scope is Scope.SELF or roles & set(row.roles)]
    if project is not None:
        rows = [row for row in rows if row.scope in OF_ONE_PROJECT or row.act in EVERYWHERE]
    return frozenset(row.act for row in rows if row.scope is not Scope.PUBLIC)


def _place(deed: Deed, name: str) -> str:
    """The handle of a project in which the caller has a role."""
    mine = select(ServiceProject.handle).join(Membership, Membership.project == ServiceProject.handle)
    handle = deed.session.scalar(mine.where(ServiceProject.name == name, Membership.account == deed.account).limit(1))
    if handle is None:
        raise NotKnown("the project")
    return handle
