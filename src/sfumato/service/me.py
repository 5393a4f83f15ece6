"""The caller as they see themselves: who they are, their roles, and what the second factor still asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from sfumato.service.caller import Caller, Way
from sfumato.service.doors import needs_second_factor
from sfumato.service.entities import Account, ServiceProject
from sfumato.service.members import roles_of
from sfumato.service.permissions import Act
from sfumato.service.projects import OwnProject
from sfumato.service.service import Service
from sfumato.service.sign_in import NextStep, next_step


@dataclass(frozen=True)
class Myself:
    """Somebody's account, roles and second factor."""

    account: Account
    way: Way
    projects: Sequence[OwnProject]
    second_factor_needed: bool
    next: NextStep


def myself(service: Service, caller: Caller) -> Myself:
    """Who the caller is; a token of one project sees that one only."""
    with service.act(caller, Act.SELF_READ) as deed:
        account = deed.session.get_one(Account, deed.account)
        held = roles_of(deed.session, account.handle)
        rows = deed.session.scalars(
            select(ServiceProject).where(ServiceProject.handle.in_(held)).order_by(ServiceProject.name)
        )
        projects = [
            OwnProject(one.handle, one.name, one.title, one.closed, held[one.handle])
            for one in rows
            if caller.only_project in (None, one.handle) and not caller.unproved
        ]
        needed = needs_second_factor(deed.session, service, account)
        shown = caller.way is not Way.SESSION or caller.in_person
        step = next_step(deed.session, service, account, second_factor_passed=shown)
        return Myself(account=account, way=caller.way, projects=projects, second_factor_needed=needed, next=step)
