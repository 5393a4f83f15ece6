"""Independence: nobody reviews what they prepared, asked for or will receive, by whatever account they come.

Two accounts are one person where they share the identity outside of here, or the address of mail.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy.orm import Session

from sfumato.errors import NotAllowed
from sfumato.service.entities import Account, DataRequest, ServiceProject
from sfumato.service.notices import people
from sfumato.service.permissions import ServiceRole


def marks(session: Session, accounts: Iterable[str]) -> frozenset[str]:
    """What says who somebody is: the handle of each account, the identity, the address of mail."""
    rows = [session.get_one(Account, handle) for handle in dict.fromkeys(accounts)]
    said = [mark for row in rows for mark in (row.handle, row.identity, row.mail or "")]
    return frozenset(mark.strip().casefold() for mark in said if mark.strip())


def require_independent(session: Session, request: DataRequest, account: str) -> None:
    """Refuse a reviewer whose own work or wish it is."""
    mine = marks(session, [account])
    for others, words in (
        (request.preparers, "You have prepared this release, so that somebody else reviews it."),
        ([request.requester], "You have asked for this release, so that somebody else reviews it."),
        ([request.recipient], "You will receive this release, so that somebody else reviews it."),
    ):
        if mine & marks(session, others):
            raise NotAllowed(words)


def require_reader(session: Session, request: DataRequest, account: str) -> None:
    """Refuse evidence to whoever asked or receives: they see the released report, and nothing finer."""
    if marks(session, [account]) & marks(session, [request.requester, request.recipient]):
        raise NotAllowed("You have asked for this release or will receive it, and read its report once it is released.")


def independent(session: Session, request: DataRequest, account: str) -> bool:
    """Whether somebody may review a request."""
    try:
        require_independent(session, request, account)
    except NotAllowed:
        return False
    return True


def independent_reviewers(session: Session, project: ServiceProject, request: DataRequest) -> list[str]:
    """The reviewers of a project who may review a request."""
    reviewers = people(session, project, ServiceRole.REVIEWER)
    return [one for one in reviewers if independent(session, request, one)]
