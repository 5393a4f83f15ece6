"""Requests: somebody asks for data, and a steward takes it up; or nothing comes of it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, select

from sfumato.errors import ServiceRefusal
from sfumato.project.recipient.recipient import Recipient
from sfumato.service.caller import Caller
from sfumato.service.entities import Account, DataRequest, Membership
from sfumato.service.notices import NoticeKind, notify, people, settle
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.request_documents import (
    AskedDocument,
    OwnRequestDocument,
    QuestionDocument,
    RequestDocument,
    own_document,
    questions,
    request_document,
)
from sfumato.service.request_states import Move, RequestState, move_on
from sfumato.service.service import Deed, Service


class NoRecipient(ServiceRefusal):
    """Nobody of that name receives data of the project: whether there is such an account is not told."""

    status, kind = 422, "no-recipient"

    def __init__(self) -> None:
        super().__init__("This account does not receive data of the project. An administrator gives it the role.")


def ask(service: Service, caller: Caller, project: str, asked: AskedDocument) -> OwnRequestDocument:
    """Ask for data; the answers about the recipient give the grade."""
    with service.act(caller, Act.REQUEST_CREATE, project=project) as deed:
        graded = Recipient.of(asked.answers)
        request = DataRequest(
            project=deed.project.handle,
            requester=deed.account,
            recipient=_recipient(deed, asked.recipient),
            purpose=asked.purpose,
            columns=asked.columns,
            answers=dict(graded.answers),
            grade=graded.grade.value,
            state=RequestState.ASKED,
            preparers=[],
            created=deed.now,
            changed=deed.now,
        )
        deed.session.add(request)
        deed.session.flush()
        deed.note(request=request.handle, grade=request.grade)
        notify(deed, NoticeKind.ASKED, people(deed.session, deed.project, ServiceRole.STEWARD), request)
        return own_document(deed.session, request, project=project, now=deed.now)


def recipient_questions(service: Service, caller: Caller, project: str) -> list[QuestionDocument]:
    """What is asked about the recipient."""
    with service.act(caller, Act.PROJECT_READ, project=project):
        return questions()


def list_requests(
    service: Service,
    caller: Caller,
    project: str,
    *,
    limit: int,
    after: str | None = None,
    state: RequestState | None = None,
) -> list[RequestDocument]:
    """The requests of a project, newest first; one more than the limit."""
    with service.act(caller, Act.REQUEST_READ, project=project) as deed:
        wanted = select(DataRequest).where(DataRequest.project == deed.project.handle)
        if state is not None:
            wanted = wanted.where(_in_state(state, deed.now))
        if after is not None:
            wanted = wanted.where(DataRequest.handle < after)
        rows = deed.session.scalars(wanted.order_by(DataRequest.handle.desc()).limit(limit + 1)).all()
        return [request_document(deed.session, one, project=project, now=deed.now) for one in rows]


def list_own_requests(
    service: Service, caller: Caller, project: str, *, limit: int, after: str | None = None
) -> list[OwnRequestDocument]:
    """The requests of a project that somebody made or receives, newest first; one more than the limit."""
    with service.act(caller, Act.REQUEST_READ_OWN, project=project) as deed:
        mine = {ServiceRole.REQUESTER: DataRequest.requester, ServiceRole.RECIPIENT: DataRequest.recipient}
        whose = [column == deed.account for role, column in mine.items() if role in deed.roles]
        wanted = select(DataRequest).where(DataRequest.project == deed.project.handle, whose[0] | whose[-1])
        if after is not None:
            wanted = wanted.where(DataRequest.handle < after)
        rows = deed.session.scalars(wanted.order_by(DataRequest.handle.desc()).limit(limit + 1)).all()
        return [own_document(deed.session, one, project=project, now=deed.now) for one in rows]


def read_request(service: Service, caller: Caller, project: str, request: str) -> RequestDocument:
    """A request with what the grade of its recipient asks for."""
    with service.act(caller, Act.REQUEST_READ, project=project, request=request) as deed:
        return request_document(deed.session, deed.request, project=project, now=deed.now, policy=True)


def read_own_request(service: Service, caller: Caller, project: str, request: str) -> OwnRequestDocument:
    """One's own request, as far as one may know of it."""
    with service.act(caller, Act.REQUEST_READ_OWN, project=project, request=request) as deed:
        return own_document(deed.session, deed.request, project=project, now=deed.now)


def withdraw(service: Service, caller: Caller, project: str, request: str) -> OwnRequestDocument:
    """Take back one's own request."""
    with service.act(caller, Act.REQUEST_WITHDRAW, project=project, request=request) as deed:
        moved(deed, Move.WITHDRAW)
        notify(deed, NoticeKind.WITHDRAWN, people(deed.session, deed.project, ServiceRole.STEWARD), deed.request)
        return own_document(deed.session, deed.request, project=project, now=deed.now)


def take_up(service: Service, caller: Caller, project: str, request: str) -> RequestDocument:
    """Begin to prepare what was asked for."""
    with service.act(caller, Act.REQUEST_PREPARE, project=project, request=request) as deed:
        moved(deed, Move.TAKE_UP).preparers = [deed.account]
        tell_requester(deed)
        return request_document(deed.session, deed.request, project=project, now=deed.now, policy=True)


def reject(service: Service, caller: Caller, project: str, request: str, reason: str) -> RequestDocument:
    """Say no, and why: whoever asked reads the reason."""
    with service.act(caller, Act.REQUEST_REJECT, project=project, request=request) as deed:
        moved(deed, Move.REJECT)
        deed.request.reason = reason
        tell_requester(deed)
        return request_document(deed.session, deed.request, project=project, now=deed.now)


def moved(deed: Deed, move: Move) -> DataRequest:
    """The request of a deed, moved on where the table has it; nobody else moves it meanwhile."""
    request = locked(deed)
    move_on(request, move, deed.now)
    deed.note(state=str(request.state))
    return request


def locked(deed: Deed) -> DataRequest:
    """The request of a deed as it is now, and until the deed is over."""
    deed.session.refresh(deed.request, with_for_update=True)
    return deed.request


def tell_requester(deed: Deed) -> None:
    """Whoever asked is told that something moved, and what waited for others waits no more."""
    settle(deed, deed.request)
    notify(deed, NoticeKind.MOVED, [deed.request.requester], deed.request)


def _in_state(state: RequestState, now: datetime) -> ColumnElement[bool]:
    """Requests that are in a state as of now, whatever was written when somebody last asked."""
    released = DataRequest.state == RequestState.RELEASED
    if state is RequestState.RELEASED:
        return released & (DataRequest.expires > now)
    written = DataRequest.state == state
    return written | (released & (DataRequest.expires <= now)) if state is RequestState.EXPIRED else written


def _recipient(deed: Deed, name: str | None) -> str:
    """The account that receives, which has that role in the project."""
    who = Account.handle == deed.account if name is None else Account.name == name
    receives = select(Account.handle).join(Membership, Membership.account == Account.handle)
    handle = deed.session.scalar(
        receives.where(
            who,
            Account.closed.is_(False),
            Membership.project == deed.project.handle,
            Membership.role == ServiceRole.RECIPIENT,
        )
    )
    if handle is None:
        raise NoRecipient
    return handle
