"""The verb of the log: write down that a project was used, whatever came of it."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.canonical import digest, sha256_of
from sfumato.errors import OutputError, SfumatoError
from sfumato.project.user import who
from sfumato.proof.use_log.log import AuditLog, log_of
from sfumato.versions import versions

SHOWN = "What the command found was shown and written all the same."


@dataclass(frozen=True)
class Use:
    """One use of a project while it goes on; the command says what it found."""

    outcome: dict[str, Any] = field(default_factory=dict)

    def note(self, verdict: str, **counts: int | bool | None) -> None:
        """Note the verdict in words, and counts. Neither holds a cell."""
        self.outcome.update(verdict=verdict, counts={name: n for name, n in counts.items() if n is not None})


@contextmanager
def logged(
    command: str, project: str | Path | None, *, options: Sequence[str] = (), inputs: Sequence[str | Path] = ()
) -> Iterator[Use]:
    """Write a use of a project to its log, once it has ended; without a project there is no log.

    Of the command the name and the names of its `options` are written, of its `inputs` names and hashes. When the log
    cannot be written, that is an `OutputError`: after all that the command does, so that no result is lost.
    """
    use = Use()
    if project is None or not Path(project).is_file():
        yield use
        return
    start = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "who": who(),
        "command": {"name": command, "options": sorted(options)},
        "inputs": [fingerprint(source) for source in inputs],
        "project": fingerprint(project),
        "versions": {"python": platform.python_version(), **versions()},
    }
    log = AuditLog(log_of(project))
    try:
        yield use
    except BaseException as error:
        _write(log, start, use, error)
        raise
    _write(log, start, use, None)


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


def _write(log: AuditLog, start: dict[str, Any], use: Use, error: BaseException | None) -> None:
    """Add the line; where that fails, what went wrong before is said too."""
    code = 0 if error is None else int(getattr(error, "exit_code", 2))
    ended = {} if error is None or hasattr(error, "exit_code") else {"verdict": type(error).__name__}
    try:
        log.append({**start, "outcome": {"exit": code, **use.outcome, **ended}})
    except OutputError as problem:
        raise OutputError(" ".join(filter(None, (_before(error), str(problem), SHOWN if not ended else "")))) from None


def _before(error: BaseException | None) -> str:
    if error is None or hasattr(error, "exit_code"):
        return ""
    return str(error) if isinstance(error, SfumatoError) else f"The command stopped ({type(error).__name__})."
