"""Members: who has which role in a project, and what somebody is in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from sfumato.errors import NotAllowed, NotKnown
from sfumato.service.accounts import account_named
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, Membership
from sfumato.service.permissions import OF_PROJECTS, Act, ServiceRole
from sfumato.service.service import Deed, Service

# Built once, as the statements of all lists are that people read again and again: to build one takes longer than to
# ask it.
HELD = select(Membership.project, Membership.role).where(Membership.account == bindparam("account"))
OWN = "Nobody gives themselves a role in a project. Ask another administrator, or do it at the console of the server."


@dataclass(frozen=True)
class Member:
    """Somebody in a project, with all of their roles there."""

    name: str
    shown_name: str
    closed: bool
    roles: tuple[ServiceRole, ...]


def list_members(service: Service, caller: Caller, project: str) -> Sequence[Member]:
    """The people of a project, by name."""
    with service.act(caller, Act.MEMBER_READ, project=project) as deed:
        rows = select(Account, Membership.role).join(Membership, Membership.account == Account.handle)
        held: dict[str, tuple[Account, list[ServiceRole]]] = {}
        for account, role in deed.session.execute(rows.where(Membership.project == deed.project.handle)):
            held.setdefault(account.name, (account, []))[1].append(ServiceRole(role))
    return [Member(name, account.shown_name, account.closed, tuple(sorted(roles)))
            for name, (account, roles) in sorted(held.items())]  # fmt: skip


def give_role(service: Service, caller: Caller, project: str, name: str, role: ServiceRole) -> None:
    """Give somebody a role in a project; that they have it already is as good."""
    with service.act(caller, Act.MEMBER_CHANGE, project=project, account=name, role=role.value, change="give") as deed:
        add_member(deed, deed.project.handle, name, role)


def take_role(service: Service, caller: Caller, project: str, name: str, role: ServiceRole) -> None:
    """Take a role in a project from somebody."""
    with service.act(caller, Act.MEMBER_CHANGE, project=project, account=name, role=role.value, change="take") as deed:
        account = account_named(deed.session, name)
        held = deed.session.get(Membership, (deed.project.handle, account.handle, role.value))
        if held is None:
            raise NotKnown("the role of this person")
        deed.session.delete(held)


def add_member(deed: Deed, project: str, name: str, role: ServiceRole) -> None:
    """Give a role in the transaction of a deed, to anybody but the one who gives it."""
    if role not in OF_PROJECTS:
        raise NotAllowed("Administrators and auditors are so in the whole service, not in a project.")
    account = account_named(deed.session, name)
    if deed.caller.way is not Way.CONSOLE and account.identity == deed.caller.identity:
        raise NotAllowed(OWN)
    if deed.session.get(Membership, (project, account.handle, role.value)) is None:
        deed.session.add(Membership(project=project, account=account.handle, role=role.value))
        deed.session.flush()


def roles_of(session: Session, account: str | None) -> dict[str, tuple[ServiceRole, ...]]:
    """The roles of somebody, by the handles of projects."""
    held: dict[str, list[ServiceRole]] = {}
    for project, role in session.execute(HELD, {"account": account}):
        held.setdefault(project, []).append(ServiceRole(role))
    return {project: tuple(sorted(roles)) for project, roles in held.items()}
