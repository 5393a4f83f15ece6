"""The database of the service: SQLite in the root folder, or PostgreSQL by its address."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.orm import Session, sessionmaker

from sfumato.errors import ServiceUnavailable
from sfumato.service.database_address import BEGINS, SERVERS, UNREADABLE, WrongAddress

FILE = "service.sqlite"
OTHERS = stat.S_IRWXG | stat.S_IRWXO  # rights of anybody but the owner
# Seconds that a writer waits for another one. Transactions take milliseconds; a backup copies page by page.
PATIENCE = 10
# Connections that stay open, as many as half of the threads that answer, and the other half for a rush: to open one
# takes longer than what is asked by it. The one that was used last is used next. No error says what a driver was given.
KEPT: dict[str, Any] = {"pool_size": 20, "max_overflow": 20, "pool_use_lifo": True, "hide_parameters": True}


class ServiceDatabase:
    """Transactions that read and transactions that write. What a driver says may quote a value, and is translated."""

    def __init__(self, url: str) -> None:
        self.url = url
        in_file = url.startswith("sqlite")
        self.engine = _sqlite(url, "BEGIN") if in_file else _postgresql(url)
        # SQLite lets a transaction that began by reading no longer write once another has written: so it says at once
        # that it will write, and waits for its turn.
        self.writer = _sqlite(url, "BEGIN IMMEDIATE") if in_file else self.engine
        self._read = sessionmaker(self.engine, expire_on_commit=False)
        self._write = sessionmaker(self.writer, expire_on_commit=False)

    @classmethod
    def in_folder(cls, root: Path) -> ServiceDatabase:
        """The database that is a file of the root folder."""
        return cls(f"sqlite:///{root / FILE}")

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that changes nothing."""
        with _translated(), self._read() as session:
            yield session

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """The same for columns instead of entities: for what every call asks, at half of the cost."""
        with _translated(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is kept whole when the block ends, and not at all where it raises."""
        with _translated(), self._write.begin() as session:
            yield session

    def is_new(self) -> bool:
        """Whether no service has kept anything in it yet; a file that is not there is not made."""
        from sfumato.service.migrations import has_form

        if self.url.startswith("sqlite") and self.engine.url.database:
            file = Path(self.engine.url.database)
            if not file.exists():
                return True
            _for_its_owner(file)  # before it is opened, which makes files beside it
        with self.looking() as connection:
            return not has_form(connection)

    def prepare(self) -> None:
        """Bring the tables to the newest form, step by step from the one that they have."""
        from sfumato.service.migrations import upgrade

        if self.url.startswith("sqlite") and self.engine.url.database:
            _for_its_owner(Path(self.engine.url.database))
        with _translated():
            upgrade(self.writer)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()
        self.writer.dispose()


def _for_its_owner(file: Path) -> None:
    """Make the file of a database one that nobody else reads, also where an older version has made it.

    The files that SQLite adds have the rights of this one. One that is there is not opened: closing it would let go of
    the locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    known = file.stat()
    if os.name == "posix" and known.st_mode & OTHERS and known.st_uid == os.geteuid():
        file.chmod(0o600)


@contextmanager
def _translated() -> Iterator[None]:
    """Errors of the driver as ours; what breaks a rule of the tables is an `IntegrityError` and stays one."""
    try:
        yield
    except (OperationalError, DBAPIError) as error:
        if isinstance(error, OperationalError) or error.connection_invalidated:
            raise ServiceUnavailable from None
        raise


def _sqlite(url: str, begin: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": PATIENCE, "check_same_thread": False}, **KEPT)

    @event.listens_for(engine, "connect")
    def _settle(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so, not where the driver thinks
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
            connection.execute(f"PRAGMA {setting}")

    # Said by the dialect and not by an event: an engine with events looks through them at every statement, which takes
    # longer than the statement itself.
    engine.dialect.do_begin = lambda connection: connection.cursor().execute(begin)  # type: ignore[method-assign, assignment]
    return engine


def _postgresql(url: str) -> Engine:
    if not url.startswith(SERVERS):
        raise WrongAddress(BEGINS)
    try:
        address = make_url(url).set(drivername="postgresql+psycopg")
        return create_engine(address, pool_pre_ping=True, **KEPT)
    except (ArgumentError, ValueError):  # what is wrong with it is not repeated: it may hold a password
        raise WrongAddress(UNREADABLE) from None
