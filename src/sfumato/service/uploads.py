"""Uploads: files that come in parts and can go on after a cut. What has arrived is what is on the disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import func, select, update

from sfumato.canonical import sha256_of
from sfumato.errors import Conflict, NotKnown, OutputError, TooLarge
from sfumato.service.caller import Caller
from sfumato.service.entities import RegisteredSource, Upload
from sfumato.service.permissions import Act
from sfumato.service.references import hold
from sfumato.service.service import Deed, Service
from sfumato.service.sources import added, require_free_name
from sfumato.service.work_folder import UPLOAD
from sfumato.temporary import lock

MOST_AT_ONCE = 20  # uploads of a project that are under way


class WrongOffset(Conflict):
    """A part that does not begin where the file ends so far; `offset` is where that is."""

    kind = "wrong-offset"

    def __init__(self, offset: int) -> None:
        self.offset = offset
        super().__init__(f"So far {offset:,} bytes have arrived. Go on from there: Upload-Offset: {offset}.")


def begin_upload(service: Service, caller: Caller, project: str, *, file: str, size: int) -> Upload:
    """Say that a file will come, how it is called and how large it is."""
    with service.act(caller, Act.SOURCE_CHANGE, project=project, name=file, bytes=size) as deed:
        most = service.settings.upload_bytes
        if size > most:
            raise TooLarge(f"An upload has {most:,} bytes at the most (upload_bytes).")
        require_free_name(deed, file)
        of_project = select(func.count()).select_from(Upload).where(Upload.project == deed.project.handle)
        if (deed.session.scalar(of_project) or 0) >= MOST_AT_ONCE:
            raise Conflict(f"There are {MOST_AT_ONCE} uploads under way in this project. Finish or delete one first.")
        made = Upload(
            project=deed.project.handle,
            name=file,
            bytes=size,
            received=0,
            author=deed.account,
            created=deed.now,
            expires=deed.now + timedelta(hours=service.settings.upload_hours),
        )
        deed.session.add(made)
        deed.session.flush()
        os.close(os.open(service.storage.upload(made.handle), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        deed.note(upload=made.handle)
        return made


def uploads(service: Service, caller: Caller, project: str) -> Sequence[Upload]:
    """The uploads that are under way in a project."""
    with service.act(caller, Act.SOURCE_READ, project=project) as deed:
        wanted = select(Upload).where(Upload.project == deed.project.handle).order_by(Upload.handle)
        return [_as_arrived(service, known) for known in deed.session.scalars(wanted)]


def upload(service: Service, caller: Caller, project: str, handle: str) -> Upload:
    """An upload, and how far it has come."""
    with service.act(caller, Act.SOURCE_READ, project=project) as deed:
        return _as_arrived(service, _upload_of(deed, handle))


def delete_upload(service: Service, caller: Caller, project: str, handle: str) -> None:
    """Give up an upload, with what has arrived of it."""
    with service.act(caller, Act.SOURCE_CHANGE, project=project, upload=handle, deleted=True) as deed:
        known = _upload_of(deed, handle)
        deed.session.delete(known)
        deed.then(lambda: service.storage.upload(handle).unlink(missing_ok=True))


@dataclass
class Arrival:
    """A part while it arrives: written at the end of the file, which nobody else writes to meanwhile."""

    file: int
    begin: int
    end: int
    most: int

    def write(self, chunk: bytes) -> None:
        """Add some bytes; `TooLarge`, and nothing of this part, where there are more than the file was said to have."""
        if self.end + len(chunk) > self.most:
            os.ftruncate(self.file, self.begin)
            raise TooLarge(f"The upload was said to have {self.most:,} bytes, and there are more.")
        try:
            written = 0
            while written < len(chunk):
                written += os.write(self.file, chunk[written:])
        except OSError as error:
            raise OutputError(f"The upload could not be written ({error.strerror}).") from None
        finally:
            self.end = os.fstat(self.file).st_size

    def close(self) -> int:
        """Have all that arrived on the disk; how much that is."""
        try:
            size = os.fstat(self.file).st_size
            os.fsync(self.file)
        finally:
            os.close(self.file)
        return size


def begin_part(service: Service, caller: Caller, project: str, handle: str, offset: int) -> Arrival:
    """Take the next part of an upload; `WrongOffset` where it does not begin at the end of what has arrived."""
    with service.act(caller, Act.SOURCE_CHANGE, project=project, upload=handle, offset=offset) as deed:
        known = _upload_of(deed, handle)
        file = _locked(service.storage.upload(handle))
        size = os.fstat(file).st_size
        if size != offset:
            os.close(file)
            raise WrongOffset(size)
        return Arrival(file, size, size, known.bytes)


def end_part(service: Service, handle: str, arrival: Arrival) -> int:
    """Keep what has arrived of a part, all of it or what came before a cut; how far the upload is then."""
    size = arrival.close()
    with service.database.writing() as session:
        session.execute(update(Upload).where(Upload.handle == handle).values(received=size))
    return size


def finish_upload(
    service: Service, caller: Caller, project: str, handle: str, *, sha256: str | None = None
) -> RegisteredSource:
    """Make a source of an upload that has arrived whole; with a hash, of one that has it."""
    with service.act(caller, Act.SOURCE_CHANGE, project=project, upload=handle, step="check") as deed:
        known = _upload_of(deed, handle)
        require_free_name(deed, known.name)
        file = _locked(service.storage.upload(handle))  # to the end: no part comes meanwhile
    try:
        size = os.fstat(file).st_size
        if size != known.bytes:
            raise WrongOffset(size)
        hashed = sha256_of(service.storage.upload(handle))  # outside of the transaction: it may take a minute
        if sha256 is not None and hashed != sha256.lower():
            raise Conflict("What has arrived does not have the hash that was given. Delete the upload and begin anew.")
        with service.act(caller, Act.SOURCE_CHANGE, project=project, upload=handle, step="register") as deed:
            known = _upload_of(deed, handle)
            require_free_name(deed, known.name)
            hold(deed.session, hashed)
            made = RegisteredSource(name=known.name, kind=UPLOAD, hash=hashed, bytes=size)
            added(deed, made)
            deed.session.delete(known)
            deed.session.flush()
            _keep(service, handle, hashed)
            deed.then(lambda: service.storage.upload(handle).unlink(missing_ok=True))
            return made
    finally:
        os.close(file)


def _upload_of(deed: Deed, handle: str) -> Upload:
    known = deed.session.get(Upload, handle)
    if known is None or known.project != deed.project.handle or known.expires <= deed.now:
        raise NotKnown("the upload")
    return known


def _keep(service: Service, handle: str, content: str) -> None:
    """Put what has arrived into the storage under a second name: killed here, the upload is still there to finish."""
    file = service.storage.upload(handle)
    second = file.with_name(f".{handle}")
    second.unlink(missing_ok=True)
    os.link(file, second)
    service.storage.keep_file(second, content)


def _as_arrived(service: Service, known: Upload) -> Upload:
    """An upload with what is on the disk: after a cut the database does not know of it yet."""
    with suppress(FileNotFoundError):
        known.received = service.storage.upload(known.handle).stat().st_size
    return known


def _locked(file: Path) -> int:
    """Open the file of an upload for adding to it, as the only one that does."""
    try:
        opened = os.open(file, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        raise NotKnown("the upload") from None
    try:
        lock(opened, within=0)
    except OSError:
        os.close(opened)
        raise Conflict("Another part of this upload is arriving. Wait for it, or for its cut.") from None
    return opened
