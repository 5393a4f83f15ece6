"""The log of use: one line for every use of a project, each bound to the line before it by a hash."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.bounded_file import NO_FILE, file_bytes, opened_file
from sfumato.canonical import canonical, digest, parsed
from sfumato.errors import OutputError, UnreadableFile
from sfumato.show.documents.use_log import START, Head
from sfumato.temporary import lock

LOG = "sfumato.log.jsonl"
LOG_VARIABLE, HEAD_VARIABLE = "SFUMATO_LOG", "SFUMATO_LOG_HEAD"  # where the log is, and where a second head is kept
USE, BEGIN, END = "use", "begin", "end"  # what a line is: two for each use; older versions wrote one, without this key
# Bytes that are read first to find the last line: a use has about one kilobyte, so that one read nearly always does.
TAIL = 65536
LARGEST = 2**31  # bytes of a log: a million uses


@dataclass(frozen=True)
class AuditLog:
    """A file of uses to which lines are only added. It holds no cell value.

    A line is a JSON object with its `number`, the hash of the line before it (`previous`) and its own `hash`, the
    SHA-256 of everything else in canonical form. Beside the file the head is kept (`sfumato.log.head`), so that lines
    removed at the end are missed; `second` is a file elsewhere that keeps it too. Two processes may add lines at once:
    each holds a lock while it does.
    """

    path: Path
    second: Path | None = None

    @property
    def head_path(self) -> Path:
        """Where the head is kept: beside the log."""
        return self.path.with_suffix(".head")

    def append(self, use: Mapping[str, Any]) -> Head:
        """Add a line for a use, on the disk before this returns; `OutputError` when it cannot be written."""
        try:
            with self._locked() as file:
                head, remarks = self._continued(file)
                self._check_second(head)
                line = {"number": head.lines + 1, **use, "previous": head.hash, **remarks}
                line["hash"] = own_hash(line)
                new = Head(line["number"], line["hash"])
                # Announced first: killed between the two, the head is behind and says by which line.
                _keep(self.head_path, KeptHead(head, new))
                _written(file, canonical(line) + b"\n")
                _keep(self.head_path, KeptHead(new))
                if self.second is not None:
                    _keep(self.second, KeptHead(new))
        except OSError as error:
            raise OutputError(f"{self.path}: this use could not be written to the log ({error.strerror}).") from None
        return new

    def lines(self) -> list[bytes]:
        """The lines as they are; the last one ends without a line end where its writing was cut off."""
        try:
            return file_bytes(self.path, LARGEST).splitlines(keepends=True)
        except FileNotFoundError:
            raise UnreadableFile(self.path, "there is no log of use here.", hint="Name its file.") from None
        except OSError as error:
            raise UnreadableFile(self.path, f"the log cannot be read ({error.strerror}).") from None

    def kept_head(self) -> KeptHead | None:
        """The head that is kept beside the log, where there is one that can be read."""
        return read_head(self.head_path)

    def read(self) -> tuple[list[bytes], KeptHead | None]:
        """The lines and the head of one moment: nobody adds a line between the two."""
        try:
            file = opened_file(self.path)
        except OSError:
            return self.lines(), self.kept_head()  # which says what is wrong
        try:
            lock(file)
            return self.lines(), self.kept_head()
        except OSError as error:
            raise UnreadableFile(self.path, f"the log cannot be read: {error.strerror}.") from None
        finally:
            os.close(file)

    @contextmanager
    def _locked(self) -> Iterator[int]:
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise OSError(errno.EINVAL, NO_FILE)
            lock(file)
            yield file
        finally:
            os.close(file)  # which gives the lock back

    def _continued(self, file: int) -> tuple[Head, dict[str, Any]]:
        """What the next line follows, and what it says of the head, which is written over.

        Where the head knows of later lines, they were removed: the gap stays visible. A head that is missing, older or
        of another line stays visible by what the next line says of it.
        """
        line, torn = _last(file)
        last: dict[str, Any] | None = parsed_line(line) if line else {"number": 0, "hash": START}
        if last is None:
            raise OutputError(
                f"{self.path}: the last line of the log cannot be read, so no line was added. Look at it with "
                f"`sfumato log --verify`, and move the file away to begin a new one."
            )
        here, kept = Head(last["number"], last["hash"]), self.kept_head()
        if kept is not None and kept.head.lines > here.lines:
            return kept.head, torn
        if fits(kept, here, last):
            return here, torn
        return here, {**torn, "head": "missing" if kept is None else {"lines": kept.head.lines}}

    def _check_second(self, head: Head) -> None:
        """Refuse to write over a second head that is not of this log: it may be all that still knows of its lines."""
        if self.second is None or not self.second.exists():
            return
        kept = read_head(self.second)
        if kept is not None and kept.head != head and kept.head not in map(_head_of, self.lines()):
            kept = None
        if kept is None:
            raise OutputError(
                f"{self.second}, which {HEAD_VARIABLE} names, is no head of the log {self.path}: it is of another log, "
                f"or lines of this one were removed. Look with `sfumato log --verify --head {self.second}`."
            )


@dataclass(frozen=True)
class KeptHead:
    """A head as a file keeps it, and that of the line that was about to be written."""

    head: Head
    coming: Head | None = None


def read_head(path: Path) -> KeptHead | None:
    """The head in a file, None where there is none that can be read."""
    try:
        values = parsed(file_bytes(path))
        head = Head(int(values["lines"]), str(values["hash"]))
        coming = values.get("coming")
        return KeptHead(head, Head(int(coming["lines"]), str(coming["hash"])) if coming else None)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def known_head(given: str) -> str | Head:
    """A head that somebody kept: the hash that was written down, or what is in a file."""
    if re.fullmatch(r"[0-9A-Fa-f]{64}", given):
        return given.lower()
    kept = read_head(Path(given))
    if kept is None:
        raise UnreadableFile(given, "this is neither the hash of a head nor a file that holds one.")
    return kept.head


def fits(kept: KeptHead | None, last: Head, line: Mapping[str, Any]) -> bool:
    """Whether a head is that of the last line, or announced it, or is what an older version left when killed."""
    if kept is None:
        return last.lines == 0
    older = USE not in line and kept.head == Head(last.lines - 1, str(line.get("previous")))
    return last in (kept.head, kept.coming) or older


def _head_of(text: bytes) -> Head | None:
    line = parsed_line(text)
    return Head(line["number"], line["hash"]) if line else None


def _keep(path: Path, kept: KeptHead) -> None:
    new = path.with_name(path.name + ".new")
    coming = {"coming": kept.coming.plain()} if kept.coming else {}
    with new.open("wb") as file:
        file.write(canonical({**kept.head.plain(), **coming}) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


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
    return Path(os.environ.get(LOG_VARIABLE) or Path(project).parent / LOG)


def second_head() -> Path | None:
    """Where the environment says that the head of the log is kept a second time."""
    named = os.environ.get(HEAD_VARIABLE)
    return Path(named) if named else None


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
