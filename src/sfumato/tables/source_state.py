"""The state of a source: which bytes were read, so that a release is never said to be of others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.canonical import sha256_of
from sfumato.errors import UnreadableFile

JOURNALS = ("-wal", "-journal", ".wal")  # beside the file of a database: what was written and is not in the file yet


@dataclass(frozen=True)
class FileState:
    """A file at one moment: its hash, and what the system says of it, which changes with every writing."""

    path: Path
    size: int
    modified: int  # in nanoseconds
    inode: int
    sha256: str | None = None

    @classmethod
    def of(cls, path: Path, *, hashed: bool) -> FileState:
        """The state of a file now."""
        known = path.stat()
        return cls(path, known.st_size, known.st_mtime_ns, known.st_ino, sha256_of(path) if hashed else None)


@dataclass(frozen=True)
class SourceState:
    """The files of a source before it was read: one file, the parts of a folder, a database with its journals.

    A server of a database has no files here: what it gives is what one query saw, and cannot be looked at again.
    """

    source: str
    files: tuple[FileState, ...]

    @classmethod
    def of(cls, source: Any) -> SourceState | None:
        """The state of a source now; None where it is no file and no folder."""
        if not isinstance(source, str | Path) or "://" in str(source) or not Path(source).exists():
            return None
        try:
            return cls(str(source), tuple(FileState.of(path, hashed=True) for path in _files(Path(source))))
        except OSError as error:
            raise UnreadableFile(source, f"it cannot be read ({error.strerror}).") from None

    @property
    def sha256(self) -> str | None:
        """The hash of a source that is one file."""
        path = Path(self.source)
        return next((file.sha256 for file in self.files if file.path == path), None)

    def require_same(self, *, hashed: bool = True) -> None:
        """Refuse a source that is not as it was: what was read of it may be neither the one nor the other."""
        try:
            now = {path: FileState.of(path, hashed=hashed) for path in _files(Path(self.source))}
        except OSError:
            now = {}
        before = {file.path: file for file in self.files}
        known = before if hashed else {path: _unhashed(file) for path, file in before.items()}
        if now != known:
            raise UnreadableFile(
                self.source,
                "it was changed while it was read, so nothing was written: nobody could say what a release is made of.",
                hint="Wait until nobody writes to it, or copy it first, and run this again.",
            )


def _unhashed(file: FileState) -> FileState:
    return FileState(file.path, file.size, file.modified, file.inode)


def _files(source: Path) -> list[Path]:
    if source.is_dir():
        return sorted(path for path in source.rglob("*") if path.is_file())
    beside = (source.with_name(source.name + ending) for ending in JOURNALS)
    return [source, *(path for path in beside if path.is_file())]
