"""References: what still needs a content of the storage. One that nothing refers to is let go."""

from __future__ import annotations

from sqlalchemy import String, cast, exists, func, or_, select
from sqlalchemy.orm import Session

from sfumato.service.entities import DataRequest, ProjectVersion, RegisteredSource, Run
from sfumato.service.service import Service


def hold(session: Session, content: str) -> None:
    """Be the only one that keeps a content or lets go of it, to the end of the transaction.

    SQLite has one writer at a time, and so it is already.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(int(content[:15], 16))))


def referred(session: Session, content: str) -> bool:
    """Whether a source, a version, a run or a request still speaks of a content."""
    needs = or_(
        exists().where(RegisteredSource.hash == content, RegisteredSource.deleted.is_(None)),
        exists().where(DataRequest.package_hash == content),
        exists().where(cast(ProjectVersion.files, String).contains(content)),
        exists().where(cast(Run.result, String).contains(content)),
    )
    return bool(session.scalar(select(needs)))


def let_go(service: Service, *contents: str) -> None:
    """Delete contents that nothing refers to any more; called once the last reference is gone for good."""
    for content in contents:
        with service.database.writing() as session:
            hold(session, content)
            if not referred(session, content):
                service.storage.delete(content)
