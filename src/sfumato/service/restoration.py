"""What a backup becomes again: a root folder with its database, as they were, and nobody signed in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, MetaData, inspect, text

from sfumato.canonical import parsed
from sfumato.errors import OutputError, SecretError
from sfumato.outputs import whole_folder
from sfumato.progress import Tell, quiet
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import LOG, AuditLog
from sfumato.service import backup_archive as archive
from sfumato.service.backup import AT_ONCE, logged, tables_of, unplain
from sfumato.service.database import ServiceDatabase
from sfumato.service.migrations import upgrade
from sfumato.service.storage import Storage
from sfumato.temporary import remove

# What somebody had, or was about to do, when the backup was made: it may have been taken back since, which the backup
# does not know of. Uploads that had not ended are begun again: their files are in no backup.
DOORS = (
    "UPDATE sign_in_session SET revoked = {true}",
    "DELETE FROM pending_sign_in",
    "DELETE FROM one_time_link WHERE used IS NULL",
    "DELETE FROM upload",
)
ASIDE = ".restore"  # where the members of a backup are until they have their places
TOKENS = "UPDATE token SET revoked = {true}"


@dataclass(frozen=True)
class Restored:
    """What was restored."""

    root: Path
    made: str  # when the backup was made
    rows: int
    files: int
    with_keys: bool


def restore_service(
    backup: Path,
    root: Path,
    *,
    database: str | None = None,
    passphrase: bytes | None = None,
    keep_tokens: bool = False,
    tell: Tell = quiet,
) -> Restored:
    """Make a root folder of a backup, whole or not at all, once every hash and the chain of the log are verified.

    `database` is the address of an empty PostgreSQL database; without it the database is a file of the folder,
    wherever it was. Sessions, links and sign-ins that were under way end, and so do tokens unless they are to be kept.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise OutputError(f"{root} is not empty. Name a folder that is not there yet.")
    with whole_folder(root, overwrite=root.exists()) as draft:
        draft.chmod(0o700)
        folder = draft / ASIDE
        folder.mkdir(mode=0o700)
        tell("Verifying the backup")
        manifest = archive.extracted(backup, folder)
        _verify_log(backup, folder)
        _place(folder, draft, database)
        if (folder / archive.KEYS).exists():
            if passphrase is None:
                raise SecretError("This backup has keys under a passphrase, and no passphrase was given.")
            archive.unseal_keys((folder / archive.KEYS).read_bytes(), passphrase, draft / "keys")
        rows = _fill(draft, folder, database, manifest["revision"], keep_tokens=keep_tokens, tell=tell)
        with logged(AuditLog(draft / "log" / LOG), "restore", made=manifest["made"]) as outcome:
            outcome.update(rows=rows)
        remove(folder)
    kept = sum(name.startswith(archive.FILES) for name in manifest["members"])
    return Restored(root, manifest["made"], rows, kept, archive.KEYS in manifest["members"])


def _verify_log(backup: Path, folder: Path) -> None:
    log = AuditLog(folder / archive.LOG)
    if not (log.path.exists() and log.head_path.exists()):
        raise archive.damaged(backup, "its log is missing")
    problems = Chain.of(log, verify=True).problems
    if problems:
        raise archive.damaged(backup, f"its log is not whole ({problems[0].rstrip('.')})")


def _place(folder: Path, draft: Path, database: str | None) -> None:
    """The files, the log and the settings in their places."""
    Storage(draft).prepare()
    if (folder / archive.FILES).is_dir():
        shutil.copytree(folder / archive.FILES, draft / archive.FILES, dirs_exist_ok=True, copy_function=_moved)
    (draft / "log").mkdir(mode=0o700)
    _moved(folder / archive.LOG, draft / "log" / LOG)
    _moved(folder / archive.HEAD, AuditLog(draft / "log" / LOG).head_path)
    settings = folder / archive.SETTINGS
    content = settings.read_bytes() if settings.exists() else b""
    changed = _with_database(content, database)
    if changed:
        (draft / archive.SETTINGS).write_bytes(changed)
        (draft / archive.SETTINGS).chmod(0o600)


def _moved(source: str | Path, target: str | Path) -> None:
    shutil.move(source, target)
    os.chmod(target, 0o600)


def _with_database(content: bytes, database: str | None) -> bytes:
    """The settings with the address of another database: that of the backup may be one that is at work."""
    import yaml

    known: dict[str, Any] = yaml.safe_load(content) or {}
    if known.get("database") == database:
        return content
    other = {name: value for name, value in known.items() if name != "database"}
    return yaml.safe_dump(other | ({"database": database} if database else {}), sort_keys=False).encode()


def _fill(draft: Path, folder: Path, database: str | None, revision: str, *, keep_tokens: bool, tell: Tell) -> int:
    """Make the tables in the form that they had, fill them, and bring them to the newest form."""
    opened = ServiceDatabase(database) if database else ServiceDatabase.in_folder(draft)
    try:
        engine = opened.writer
        if inspect(engine).get_table_names():
            raise OutputError("The database is not empty. Name one that is.")
        try:
            upgrade(engine, revision)
            rows = _insert_all(engine, folder, keep_tokens=keep_tokens, tell=tell)
            upgrade(engine)
        except BaseException:
            _emptied(engine)
            raise
    finally:
        opened.close()
    return rows


def _emptied(engine: Engine) -> None:
    """A database as it was before: a server of databases keeps what a folder that never appears takes with it."""
    metadata = MetaData()
    metadata.reflect(engine)
    metadata.drop_all(engine)


def _insert_all(engine: Engine, folder: Path, *, keep_tokens: bool, tell: Tell) -> int:
    rows = 0
    with engine.begin() as connection:
        tables = tables_of(connection)
        for done, table in enumerate(tables):
            tell("Filling the database", done, len(tables))
            path = folder / archive.TABLES / f"{table.name}.jsonl"
            for batch in _batches(path):
                rows += len(batch)
                connection.execute(table.insert(), batch)
        true = "TRUE" if engine.dialect.name == "postgresql" else "1"
        for statement in (*DOORS, *(() if keep_tokens else (TOKENS,))):
            connection.execute(text(statement.format(true=true)))
    return rows


def _batches(path: Path) -> Iterator[list[dict[str, Any]]]:
    if not path.exists():
        return
    with path.open("rb") as lines:
        while batch := [
            {name: unplain(value) for name, value in parsed(line).items()} for line in islice(lines, AT_ONCE)
        ]:
            yield batch
