"""Notices: what waits for somebody, or happened to what is theirs. They name a project and a kind, and hold no data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cache

from sqlalchemy import Select, bindparam, select, update
from sqlalchemy.orm import Session

from sfumato.errors import NotKnown
from sfumato.service.caller import Caller
from sfumato.service.entities import DataRequest, Membership, Notice, Run, ServiceProject
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.service import Deed, Service


class NoticeKind(StrEnum):
    """What a notice is about."""

    ASKED = "request-asked"
    WITHDRAWN = "request-withdrawn"
    MOVED = "request-moved"
    VOTE_NEEDED = "vote-needed"
    VOTE_AGAIN = "vote-needed-again"
    RETURNED = "release-returned"
    APPROVED = "release-approved"
    REJECTED = "release-rejected"
    CHANGED = "release-changed"
    PACKAGE_THERE = "package-there"
    REVOKED = "package-revoked"
    RUN_FAILED = "run-failed"


WORDS = {
    NoticeKind.ASKED: "Somebody asks for data.",
    NoticeKind.WITHDRAWN: "A request was withdrawn.",
    NoticeKind.MOVED: "Your request has moved on.",
    NoticeKind.VOTE_NEEDED: "A release waits for your vote.",
    NoticeKind.VOTE_AGAIN: "The reviewers disagree on a release: it waits for your vote again.",
    NoticeKind.RETURNED: "The reviewers sent a release back.",
    NoticeKind.APPROVED: "A release was approved, and waits for its release.",
    NoticeKind.REJECTED: "The reviewers rejected a release.",
    NoticeKind.CHANGED: "A release that was submitted is to be submitted again: the project has changed.",
    NoticeKind.PACKAGE_THERE: "A package is there for you.",
    NoticeKind.REVOKED: "A package that was released to you can no longer be downloaded.",
    NoticeKind.RUN_FAILED: "A run has failed.",
}
TO_DO = (NoticeKind.VOTE_NEEDED, NoticeKind.VOTE_AGAIN)  # what is over once it is done


def notify(deed: Deed, kind: NoticeKind, accounts: Iterable[str], request: DataRequest) -> None:
    """Tell people of a request, within the transaction of what happened; who did it knows it, unless it is to do."""
    told = [one for one in accounts if one != deed.caller.account or kind in TO_DO]
    _add(deed.session, deed.now, deed.project, kind, told, request=request)


def notify_of_failed_run(session: Session, run: Run, now: datetime) -> None:
    """Tell whoever started a run that it failed, within the transaction that says so."""
    _add(session, now, session.get_one(ServiceProject, run.project), NoticeKind.RUN_FAILED, [run.author], run=run)


def settle(deed: Deed, request: DataRequest, account: str | None = None) -> None:
    """What waited for somebody, or for everybody, waits no more."""
    waiting = [Notice.request == request.handle, Notice.kind.in_(TO_DO), Notice.read.is_(None)]
    whose = [] if account is None else [Notice.account == account]
    deed.session.execute(update(Notice).where(*waiting, *whose).values(read=deed.now))


def people(session: Session, project: ServiceProject, role: ServiceRole) -> list[str]:
    """The accounts that have a role in a project."""
    held = select(Membership.account).where(Membership.project == project.handle, Membership.role == role)
    return sorted(session.scalars(held))


def list_notices(
    service: Service, caller: Caller, *, limit: int, after: str | None = None, unread: bool = False
) -> Sequence[tuple[Notice, str | None]]:
    """One's own notices, newest first, each with the name of its project; one more than the limit.

    None of them before the second factor: they name projects.
    """
    with service.act(caller, Act.SELF_READ) as deed:
        if caller.unproved:
            return []
        mine = _own_notices(one_project=caller.only_project is not None, unread=unread, after=after is not None)
        given = {"account": deed.account, "project": caller.only_project, "after": after, "limit": limit + 1}
        return [(notice, name) for notice, name in deed.session.execute(mine, given)]


@cache
def _own_notices(*, one_project: bool, unread: bool, after: bool) -> Select[Notice, str]:
    """The notices of an account, newest first, each with the name of its project."""
    mine = select(Notice, ServiceProject.name).join(
        ServiceProject, ServiceProject.handle == Notice.project, isouter=True
    )
    mine = mine.where(Notice.account == bindparam("account"))
    if one_project:
        mine = mine.where(Notice.project == bindparam("project"))
    if unread:
        mine = mine.where(Notice.read.is_(None))
    if after:
        mine = mine.where(Notice.handle < bindparam("after"))
    return mine.order_by(Notice.handle.desc()).limit(bindparam("limit"))


def read_notice(service: Service, caller: Caller, handle: str) -> tuple[Notice, str | None]:
    """Mark one of one's own notices as read."""
    with service.act(caller, Act.SELF_CHANGE, notice=handle) as deed:
        notice = deed.session.get(Notice, handle)
        is_own = notice is not None and notice.account == deed.account and not caller.unproved
        if notice is None or not is_own or caller.only_project not in (None, notice.project):
            raise NotKnown("the notice")
        notice.read = notice.read or deed.now
        project = deed.session.get(ServiceProject, notice.project) if notice.project else None
        return notice, project.name if project else None


def _add(
    session: Session,
    now: datetime,
    project: ServiceProject,
    kind: NoticeKind,
    accounts: Iterable[str],
    *,
    request: DataRequest | None = None,
    run: Run | None = None,
) -> None:
    for account in dict.fromkeys(accounts):
        session.add(
            Notice(
                account=account,
                kind=kind,
                words=WORDS[kind],
                project=project.handle,
                request=request.handle if request else None,
                run=run.handle if run else None,
                created=now,
                next_attempt=now,
                sent_by=[],
            )
        )
