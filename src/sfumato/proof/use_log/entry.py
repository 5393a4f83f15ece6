"""The verb of the log: write down that a project was used, whatever came of it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.canonical import digest, sha256_of
from sfumato.errors import OutputError, SfumatoError, exit_code
from sfumato.project.user import user
from sfumato.proof.package.manifest import MANIFEST
from sfumato.proof.use_log.log import BEGIN, END, LOG, LOG_VARIABLE, USE, AuditLog, log_of, second_head
from sfumato.show.documents.use_log import Head
from sfumato.versions import versions

UNDONE = "Nothing was done: no use of a project goes unlogged."
SHOWN = "What the command found was shown and written all the same."


@dataclass(frozen=True)
class Use:
    """One use of a project while it goes on; the command says what it found."""

    logged: bool = True  # whether there is a log that will have it
    outcome: dict[str, Any] = field(default_factory=dict)
    written: list[dict[str, Any]] = field(default_factory=list)

    def note(self, verdict: str, **counts: int | bool | None) -> None:
        """Note the verdict in words, and counts. Neither holds a cell."""
        self.outcome.update(verdict=verdict, counts={name: n for name, n in counts.items() if n is not None})

    def because(self, reason: str) -> None:
        """Note why a use came to nothing, in the words of its error, which hold no cell."""
        self.outcome["reason"] = reason

    def wrote(self, released: str | Path) -> None:
        """Note a release by name and hash; of a package, which is a folder, the hash of its manifest."""
        if not self.logged:
            return
        path = Path(released)
        hashed = {"manifest": sha256_of(path / MANIFEST)} if path.is_dir() else {"sha256": sha256_of(path)}
        self.written.append({"name": path.name, **hashed})


@contextmanager
def logged(
    command: str,
    project: str | Path | None,
    *,
    options: Sequence[str] = (),
    inputs: Sequence[str | Path] = (),
    folder: str | Path | None = None,
) -> Iterator[Use]:
    """Write a use of a project to its log when it begins and when it has ended; without a project there is no log.

    Of the command the name and the names of its `options` are written, of its `inputs` names and hashes. When the log
    cannot be written, that is an `OutputError` before the command does anything; a use that was killed has no end.
    With a `folder`, such as that of a study or a node, the log is the one in there, whether there is a project or not.
    """
    there = project is not None and Path(project).is_file()
    use = Use(logged=there or folder is not None)
    if not use.logged:
        yield use
        return
    start: dict[str, Any] = {
        USE: BEGIN,
        "time": _now(),
        "who": vars(user()),
        "command": {"name": command, "options": sorted(options)},
        "inputs": [fingerprint(source) for source in inputs],
        "project": fingerprint(project) if project is not None and there else None,
        "versions": {"python": platform.python_version(), **versions()},
        **({"log": LOG_VARIABLE} if os.environ.get(LOG_VARIABLE) else {}),  # who named the log, where somebody did
    }
    log = AuditLog(log_of(Path(folder) / LOG if folder is not None else str(project)), second_head())
    try:
        begun = log.append(start)
    except OutputError as problem:
        raise OutputError(f"{problem} {UNDONE}") from None
    try:
        yield use
    except BaseException as error:
        _end(log, begun, use, error)
        raise
    _end(log, begun, use, None)


def fingerprint(source: str | Path) -> dict[str, Any]:
    """The name of an input, and its hash where it is a file or a folder. Of a database only the kind is named."""
    if "://" in str(source):
        return {"name": f"{str(source).partition('://')[0]} database", "sha256": None}
    path = Path(source)
    try:
        return {"name": path.name, "sha256": _folder(path) if path.is_dir() else sha256_of(path)}
    except OSError:
        return {"name": path.name, "sha256": None}


def _folder(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return digest({path.relative_to(folder).as_posix(): sha256_of(path) for path in files})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _end(log: AuditLog, begun: Head, use: Use, error: BaseException | None) -> None:
    """Add the line of the end; where that fails, what went wrong before is said too."""
    ended = {} if error is None or hasattr(error, "exit_code") else {"verdict": type(error).__name__}
    outcome = {"exit": exit_code(error), **use.outcome, **ended, **({"wrote": use.written} if use.written else {})}
    try:
        log.append({USE: END, "time": _now(), "of": begun.lines, "begun": begun.hash, "outcome": outcome})
    except OutputError as problem:
        raise OutputError(" ".join(filter(None, (_before(error), str(problem), SHOWN if not ended else "")))) from None


def _before(error: BaseException | None) -> str:
    if error is None or hasattr(error, "exit_code"):
        return ""
    return str(error) if isinstance(error, SfumatoError) else f"The command stopped ({type(error).__name__})."
