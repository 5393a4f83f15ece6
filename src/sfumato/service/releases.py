"""Releases: what was approved leaves, once, to one recipient, until it expires or is revoked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import BaseModel
from sqlalchemy import select

from sfumato.errors import Conflict, NotAllowed, NotKnown, ServiceRefusal, Stale
from sfumato.project.file.yaml_text import one_line
from sfumato.proof.package.folder import REPORT
from sfumato.proof.use_log.chain import DELIVERY, REPORTED
from sfumato.service.caller import Caller
from sfumato.service.earlier_releases import require_within_limit
from sfumato.service.entities import Account, DataRequest, Membership
from sfumato.service.notices import NoticeKind, notify
from sfumato.service.permissions import Act, ServiceRole
from sfumato.service.request_documents import (
    Given,
    Hash,
    OwnRequestDocument,
    RequestDocument,
    Words,
    own_document,
    request_document,
)
from sfumato.service.request_states import OUT, Move, RequestState, move_on, next_state, state_now
from sfumato.service.requests import locked, moved, tell_requester
from sfumato.service.reviews import approvals, require_unchanged
from sfumato.service.service import Deed, Service
from sfumato.service.zip_stream import zip_stream
from sfumato.show.documents.delivery import DeliveryDocument, ReportedUseDocument
from sfumato.show.sheet import counted


class NotConfirmed(ServiceRefusal):
    """Whoever releases has not repeated what leaves and to whom."""

    status, kind = 422, "not-confirmed"


class ReleasePreview(BaseModel):
    """What would leave and to whom, and the words that confirm it."""

    package_hash: str
    recipient: str
    purpose: str
    columns: list[str]
    records: int
    days_of_download: int
    confirmation: str


class ReleaseGiven(Given):
    """The confirmation of a release: the hash of what leaves, and the words of the preview."""

    package_hash: Hash
    confirmation: Words


class UseGiven(Given):
    """What became of a package, in the words of its recipient."""

    use: Words


@dataclass(frozen=True)
class Download:
    """A package that its recipient may have: the name of the archive, and its chunks."""

    name: str
    chunks: Iterator[bytes]


def preview_release(service: Service, caller: Caller, project: str, request: str) -> ReleasePreview:
    """What a release would hand to whom; it is to be confirmed in these words."""
    with service.act(caller, Act.REQUEST_READ, project=project, request=request) as deed:
        next_state(RequestState(deed.request.state), Move.RELEASE)
        return _preview(deed)


def release(service: Service, caller: Caller, project: str, request: str, given: ReleaseGiven) -> RequestDocument:
    """Release the package that was approved; only that, and only once. The log has it as a delivery."""
    with service.act(caller, Act.RELEASE, project=project, request=request, package=given.package_hash) as deed:
        # One release of a project at a time, and the project before the request, as whoever changes it locks them: two
        # at once would each find that the other is not out yet, and both leave where one may.
        deed.session.refresh(deed.project, with_for_update={"key_share": True})
        asked = moved(deed, Move.RELEASE)
        if given.package_hash != asked.package_hash:
            raise Stale("This names another package than the one that was approved. Read it again.")
        require_unchanged(deed.session, deed.project, asked)
        approvals(deed.session, deed.project, asked)
        require_within_limit(deed.session, deed.project, asked.summary or {})  # two may have been submitted at once
        _require_recipient(deed, asked)
        expected = _preview(deed)
        if given.confirmation != expected.confirmation:
            raise NotConfirmed(f"A release is confirmed with what leaves and to whom: {expected.confirmation}")
        _files(service, asked)
        asked.released = deed.now
        asked.expires = deed.now + timedelta(days=deed.project.days_of_download)
        delivery = DeliveryDocument(
            package=_package_name(deed),
            manifest=asked.package_hash or "",
            to=expected.recipient,
            purpose=one_line(asked.purpose),
            on=_day(deed.now),
            problems=[],
        )
        deed.note(**{DELIVERY: delivery.plain()}, package=asked.package_hash, expires=asked.expires.isoformat())
        tell_requester(deed)
        notify(deed, NoticeKind.PACKAGE_THERE, [asked.recipient], asked)
        return request_document(deed.session, asked, project=project, now=deed.now)


def revoke(service: Service, caller: Caller, project: str, request: str, reason: str) -> RequestDocument:
    """Stop further downloads at once. It does not pretend that copies vanish."""
    with service.act(caller, Act.REVOKE, project=project, request=request) as deed:
        _expired(deed)
        asked = moved(deed, Move.REVOKE)
        asked.reason = reason
        deed.note(package=asked.package_hash, downloads=asked.downloads)
        tell_requester(deed)
        notify(deed, NoticeKind.REVOKED, [asked.recipient], asked)
        return request_document(deed.session, asked, project=project, now=deed.now)


def download(service: Service, caller: Caller, project: str, request: str) -> Download:
    """The package for its recipient, as long as it neither expired nor was revoked."""
    refused: Conflict | None = None
    with service.act(caller, Act.DOWNLOAD, project=project, request=request) as deed:
        _require_recipient(deed, deed.request)
        if _expired(deed):
            # That it expired is kept, so that nothing is raised within the transaction.
            refused = Conflict("The last day to download this package has passed. Ask the steward for a new release.")
            deed.note(verdict=type(refused).__name__, refused=True, reason=str(refused))
        else:
            asked = moved(deed, Move.DOWNLOAD)
            asked.downloads += 1
            files, name = _files(service, asked), _package_name(deed)
            deed.note(package=asked.package_hash, download=asked.downloads)
    if refused is not None:
        raise refused
    return Download(f"{name}.zip", zip_stream(files, name))


def released_report(service: Service, caller: Caller, project: str, request: str) -> Path:
    """The report of a package, for whoever asked for it or receives it, from its release until it is revoked."""
    with service.act(caller, Act.REQUEST_READ_OWN, project=project, request=request) as deed:
        state = state_now(deed.request, deed.now)
        if state is RequestState.REVOKED:
            raise Conflict("The release was revoked, and its report with it.")
        if state not in OUT:
            raise NotKnown("the report")
        files = (deed.request.summary or {}).get("files", {})
        if REPORT not in files or not service.storage.has(files[REPORT][0]):
            raise NotKnown("the report")
        return service.storage.path(files[REPORT][0])


def report_use(service: Service, caller: Caller, project: str, request: str, given: UseGiven) -> OwnRequestDocument:
    """Write down what the recipient says became of the package."""
    with service.act(caller, Act.USE_REPORT, project=project, request=request) as deed:
        next_state(state_now(deed.request, deed.now), Move.REPORT_USE)
        reported = ReportedUseDocument(
            package=_package_name(deed),
            manifest=deed.request.package_hash or "",
            by=_name(deed, deed.request.recipient),
            use=one_line(given.use),
            on=_day(deed.now),
        )
        deed.note(**{REPORTED: reported.plain()})
        return own_document(deed.session, deed.request, project=project, now=deed.now)


def _expired(deed: Deed) -> bool:
    """Whether the last day has passed, which is kept from then on."""
    request = locked(deed)
    if request.state == RequestState.RELEASED and state_now(request, deed.now) is RequestState.EXPIRED:
        move_on(request, Move.EXPIRE, deed.now)
        deed.note(state=str(request.state))
        return True
    return False


def _preview(deed: Deed) -> ReleasePreview:
    request, summary = deed.request, deed.request.summary or {}
    to, records, columns = _name(deed, request.recipient), summary["records"], summary["columns"]
    return ReleasePreview(
        package_hash=request.package_hash or "",
        recipient=to,
        purpose=request.purpose,
        columns=columns,
        records=records,
        days_of_download=deed.project.days_of_download,
        confirmation=(
            f"Release {counted(records, 'record')} with {counted(len(columns), 'column')} of {deed.project.name} to "
            f"{to}, package {(request.package_hash or '')[:12]}"
        ),
    )


def _require_recipient(deed: Deed, request: DataRequest) -> None:
    """Refuse somebody who no longer receives data of the project."""
    account = deed.session.get_one(Account, request.recipient)
    role = select(Membership.role).where(
        Membership.project == deed.project.handle,
        Membership.account == request.recipient,
        Membership.role == ServiceRole.RECIPIENT,
    )
    if account.closed or deed.session.scalar(role) is None:
        raise NotAllowed("The recipient does not receive data of this project any more.")


def _files(service: Service, request: DataRequest) -> dict[str, Path]:
    """The files of a package; `NotKnown` where one was deleted."""
    listed = (request.summary or {})["files"]
    if not all(service.storage.has(digest) for digest, _ in listed.values()):
        raise NotKnown("it was deleted")
    return {name: service.storage.path(digest) for name, (digest, _) in listed.items()}


def _package_name(deed: Deed) -> str:
    return f"{deed.project.name}-{(deed.request.package_hash or '')[:12]}"


def _name(deed: Deed, account: str) -> str:
    return deed.session.get_one(Account, account).name


def _day(now: datetime) -> str:
    return now.date().isoformat()
