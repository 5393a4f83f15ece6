"""The log of use: one line for every use of a project, each bound to the line before it by a hash."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.canonical import canonical, digest, parsed
from sfumato.errors import OutputError, UnreadableFile
from sfumato.show.documents.use_log import START, Head

LOG = "sfumato.log.jsonl"
# Bytes that are read first to find the last line: a use has about one kilobyte, so that one read nearly always does.
TAIL = 65536


@dataclass(frozen=True)
class AuditLog:
    """A file of uses to which lines are only added. It holds no cell value.

    A line is a JSON object with its `number`, the hash of the line before it (`previous`) and its own `hash`, the
    SHA-256 of everything else in canonical form. Beside the file the head is kept (`sfumato.log.head`), so that lines
    removed at the end are missed. Two processes may add lines at once: each holds a lock while it does.
    """

    path: Path

    @property
    def head_path(self) -> Path:
        """Where the head is kept: beside the log."""
        return self.path.with_suffix(".head")

    def append(self, use: Mapping[str, Any]) -> Head:
        """Add a line for a use, on the disk before this returns; `OutputError` when it cannot be written."""
        try:
            with self._locked() as file:
                head, torn = self._continued(file)
                line = {"number": head.lines + 1, **use, "previous": head.hash, **torn}
                line["hash"] = own_hash(line)
                _written(file, canonical(line) + b"\n")
                new = Head(line["number"], line["hash"])
                self._keep(new)
        except OSError as error:
            raise OutputError(f"{self.path}: this use could not be written to the log ({error.strerror}).") from None
        return new

    def lines(self) -> list[bytes]:
        """The lines as they are; the last one ends without a line end where its writing was cut off."""
        try:
            return self.path.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            raise UnreadableFile(self.path, "there is no log of use here.", hint="Name its file.") from None
        except OSError as error:
            raise UnreadableFile(self.path, f"the log cannot be read ({error.strerror}).") from None

    def kept_head(self) -> Head | None:
        """The head that is kept beside the log, where there is one that can be read."""
        try:
            head = parsed(self.head_path.read_bytes())
            return Head(int(head["lines"]), str(head["hash"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @contextmanager
    def _locked(self) -> Iterator[int]:
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            _lock(file)
            yield file
        finally:
            os.close(file)  # which gives the lock back

    def _continued(self, file: int) -> tuple[Head, dict[str, Any]]:
        """What the next line follows. Where the head knows of later lines, they were removed: the gap stays visible."""
        line, torn = _last(file)
        last: dict[str, Any] | None = parsed_line(line) if line else {"number": 0, "hash": START}
        if last is None:
            raise OutputError(
                f"{self.path}: the last line of the log cannot be read, so no line was added. Look at it with "
                f"`sfumato log --verify`, and move the file away to begin a new one."
            )
        kept = self.kept_head() or Head()
        return (kept if kept.lines > last["number"] else Head(last["number"], last["hash"])), torn

    def _keep(self, head: Head) -> None:
        new = self.head_path.with_name(self.head_path.name + ".new")
        with new.open("wb") as file:
            file.write(canonical(head.plain()) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.head_path)


def own_hash(line: Mapping[str, Any]) -> str:
    """The hash of a line: of everything in it but the hash itself."""
    return digest({key: value for key, value in line.items() if key != "hash"})


def parsed_line(line: bytes) -> dict[str, Any] | None:
    """The line as values; None where it is no line of a log."""
    try:
        values = parsed(line)
    except ValueError:
        return None
    shape = {"number": int, "hash": str, "previous": str}
    whole = isinstance(values, dict) and all(type(values.get(key)) is kind for key, kind in shape.items())
    return values if whole else None


def log_of(project: str | Path) -> Path:
    """The log of a project file: beside it, or where the environment variable SFUMATO_LOG says."""
    return Path(os.environ.get("SFUMATO_LOG") or Path(project).parent / LOG)


def _last(file: int) -> tuple[bytes, dict[str, Any]]:
    """The last whole line, and what to say of a torn one after it, which is taken away.

    A line that lacks nothing but its end gets it: its use was written down.
    """
    size = os.fstat(file).st_size
    whole, _, rest = _ending(file, size).rpartition(b"\n")
    line = parsed_line(rest)
    if line is not None and own_hash(line) == line["hash"]:
        _written(file, b"\n")
        return rest, {}
    if rest:
        os.ftruncate(file, size - len(rest))
    return whole.rpartition(b"\n")[2], {"torn": {"bytes": len(rest)}} if rest else {}


def _ending(file: int, size: int) -> bytes:
    """The end of a file, from the beginning of its last whole line or before it."""
    length = min(TAIL, size)
    while True:
        ending = os.pread(file, length, size - length)
        if length == size or ending.count(b"\n") > 1:
            return ending
        length = min(2 * length, size)


def _written(file: int, content: bytes) -> None:
    """Add bytes to the end of a file, all or none."""
    before = os.fstat(file).st_size
    try:
        if os.write(file, content) != len(content):
            raise OSError(28, os.strerror(28))
        os.fsync(file)
    except OSError:
        os.ftruncate(file, before)
        raise


def _lock(file: int) -> None:
    try:
        import fcntl
    except ImportError:  # no such locks on this system: one process at a time
        return
    fcntl.flock(file, fcntl.LOCK_EX)
