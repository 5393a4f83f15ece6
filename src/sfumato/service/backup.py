"""A backup: everything that a root folder and its database hold, as of one moment, while the service goes on working.

First the database, in one transaction that sees one moment; then the files, which are never written over, so that those
which the database knows of are there; then the log, which thereby knows of everything that the database does.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from sqlalchemy import JSON, Connection, MetaData, Table, inspect, select, text

from sfumato import __version__
from sfumato.canonical import canonical
from sfumato.errors import OutputError, ServiceUnavailable, UnreadableFile
from sfumato.outputs import whole
from sfumato.progress import Tell, quiet
from sfumato.project.user import user
from sfumato.proof.use_log.log import BEGIN, END, LOG, USE, AuditLog
from sfumato.service import backup_archive as archive
from sfumato.service.database import ServiceDatabase
from sfumato.service.settings import Settings
from sfumato.service.storage import Storage
from sfumato.temporary import scratch

AT_ONCE = 1000  # rows that are in memory
SPOOLED = 10_000_000  # bytes of a table that are held in memory; what is larger goes to the disk first
VERSIONS = "alembic_version"


@dataclass(frozen=True)
class BackupMade:
    """What a backup holds."""

    path: Path
    rows: int
    files: int
    log_lines: int
    with_keys: bool


def back_up(
    root: Path, to: Path, *, passphrase: bytes | None = None, overwrite: bool = False, tell: Tell = quiet
) -> BackupMade:
    """Write a backup of a root folder, whole or not at all; the keys only under a passphrase.

    What the log says of it stands in the log, and not in the backup's.
    """
    settings = Settings.read(root)
    database = ServiceDatabase(settings.database) if settings.database else ServiceDatabase.in_folder(root)
    if not (root / "log").is_dir() or (settings.database is None and not (root / "service.sqlite").is_file()):
        raise UnreadableFile(
            root,
            "there is no service in this folder.",
            hint="Name its folder with --root, and a database elsewhere with SFUMATO_SERVICE_DATABASE.",
        )
    log = AuditLog(root / "log" / LOG, settings.second_head)
    try:
        with logged(log, "backup", with_keys=passphrase is not None) as outcome:
            with whole(to.absolute().parent, private=True, overwrite=overwrite) as draft:
                made = _written(root, draft / to.name, database, log, passphrase=passphrase, tell=tell)
            outcome.update(rows=made.rows, files=made.files)
    finally:
        database.close()
    return BackupMade(to, made.rows, made.files, made.log_lines, made.with_keys)


@contextmanager
def logged(log: AuditLog, words: str, **about: Any) -> Iterator[dict[str, Any]]:
    """Write to the log what is done on the command line of the server, before and after."""
    who = {"name": user().name, "account": user().account, "way": "console", "address": ""}
    said = {"time": _now(), "who": who, "command": {"name": words, "options": []}, "about": about}
    begun, outcome = log.append({USE: BEGIN, **said}), {"verdict": "done"}
    try:
        yield outcome
    except BaseException as error:
        outcome = {"verdict": type(error).__name__}
        raise
    finally:
        log.append({USE: END, "time": _now(), "of": begun.lines, "begun": begun.hash, "outcome": outcome})


def _written(
    root: Path, path: Path, database: ServiceDatabase, log: AuditLog, *, passphrase: bytes | None, tell: Tell
) -> BackupMade:
    made = {"version": __version__, "made": _now()}
    with scratch() as folder, one_moment(database) as connection:
        made["revision"] = revision_of(connection)
        with archive.ArchiveWriter.to(path, **made) as writer:
            rows = _add_tables(writer, connection, folder, tell)
            connection.rollback()  # the moment is kept: a database should not remember it any longer
            files = _add_files(writer, Storage(root), tell)
            lines = _add_log(writer, log, tell)
            if (root / archive.SETTINGS).is_file():
                writer.add_bytes(archive.SETTINGS, (root / archive.SETTINGS).read_bytes())
            if passphrase is not None:
                tell("Sealing the keys")
                writer.add_bytes(archive.KEYS, archive.sealed_keys(root / "keys", passphrase))
    return BackupMade(path, rows, files, lines, passphrase is not None)


@contextmanager
def one_moment(database: ServiceDatabase) -> Iterator[Connection]:
    """A connection that sees the database as it is at one moment, whatever others write meanwhile."""
    from sqlalchemy.exc import OperationalError

    engine = database.engine
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    try:
        with engine.connect() as connection:
            yield connection
    except OperationalError:
        raise ServiceUnavailable from None


def revision_of(connection: Connection) -> str:
    """The form that the tables of a database have."""
    if not inspect(connection).has_table(VERSIONS):
        raise UnreadableFile("the database", "there is no service in this database.")
    return str(connection.scalar(text(f"SELECT version_num FROM {VERSIONS}")))


def tables_of(connection: Connection) -> list[Table]:
    """The tables as the database has them, those first that others refer to."""
    metadata = MetaData()
    metadata.reflect(connection)
    for column in (column for table in metadata.sorted_tables for column in table.columns):
        if isinstance(column.type, JSON):
            column.type.none_as_null = True  # what is not there comes back as such, not as a `null` of JSON
    return [table for table in metadata.sorted_tables if table.name != VERSIONS]


def _add_tables(writer: archive.ArchiveWriter, connection: Connection, folder: Path, tell: Tell) -> int:
    rows, tables = 0, tables_of(connection)
    for done, table in enumerate(tables):
        tell("Copying the database", done, len(tables))
        with SpooledTemporaryFile(SPOOLED, dir=str(folder)) as spool:
            rows += _dumped(connection, table, spool)
            size = spool.tell()
            spool.seek(0)
            writer.add(f"{archive.TABLES}/{table.name}.jsonl", spool, size)
    return rows


def _dumped(connection: Connection, table: Table, to: IO[bytes]) -> int:
    answer = connection.execution_options(stream_results=True, yield_per=AT_ONCE).execute(select(table))
    lines = (canonical({name: plain(value) for name, value in row.items()}) + b"\n" for row in answer.mappings())
    return sum(1 for line in lines if to.write(line))


def plain(value: Any) -> Any:
    """A value of a row as JSON has it: times and bytes, and what is JSON itself, say so."""
    if isinstance(value, datetime):
        return {"time": value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC).isoformat()}
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode()}
    return {"json": value} if isinstance(value, dict | list) else value


def unplain(value: Any) -> Any:
    """The value of a row that `plain` has made plain.

    >>> [unplain(plain(value)) for value in (b"a", {"b": [1]}, None, "c", datetime(2026, 1, 1, tzinfo=UTC))]
    [b'a', {'b': [1]}, None, 'c', datetime.datetime(2026, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)]
    """
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "time":
        return datetime.fromisoformat(content)
    return base64.b64decode(content) if kind == "bytes" else content


def _add_files(writer: archive.ArchiveWriter, storage: Storage, tell: Tell) -> int:
    paths = sorted(path for path in (storage.root / archive.FILES).glob("??/*") if len(path.name) == 62)
    count = 0
    for done, path in enumerate(paths):
        tell("Copying files", done, len(paths))
        try:
            stream = path.open("rb")
        except FileNotFoundError:  # its time had come, since it was listed
            continue
        with stream:
            writer.add(f"{archive.FILES}/{path.parent.name}/{path.name}", stream, path.stat().st_size)
        count += 1
    return count


def _add_log(writer: archive.ArchiveWriter, log: AuditLog, tell: Tell) -> int:
    """Add the lines that the head knows of: others may be written at this moment, and lines are only ever added."""
    tell("Copying the log")
    kept = log.kept_head()
    if kept is None:
        raise OutputError(f"{log.head_path}: the head of the log cannot be read. See `sfumato log --verify`.")
    size = 0
    with log.path.open("rb") as lines:
        for line in lines:
            size += len(line)
            if json.loads(line)["number"] == kept.head.lines:
                break
        lines.seek(0)
        writer.add(archive.LOG, lines, size)
    writer.add_bytes(archive.HEAD, canonical(kept.head.plain()) + b"\n")
    return kept.head.lines


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
