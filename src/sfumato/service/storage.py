"""Storage: sources, versions, packages and results as files that are named by their hash, for the server's eyes only.

ROOT/files/ab/cdef...      what is kept, once for each content
ROOT/uploads/HANDLE        what has arrived of an upload
ROOT/work/HANDLE-1/        a run at work; whatever stays there after a kill is swept
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sfumato.canonical import sha256_of
from sfumato.errors import NotKnown

FILES, UPLOADS, WORK = "files", "uploads", "work"


@dataclass(frozen=True)
class Storage:
    """The files of the service."""

    root: Path

    def prepare(self) -> None:
        """Make the folders where they are not there."""
        for name in (FILES, UPLOADS, WORK):
            (self.root / name).mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def work(self) -> Path:
        """Where runs are at work."""
        return self.root / WORK

    def upload(self, handle: str) -> Path:
        """The file that an upload goes into."""
        return self.root / UPLOADS / handle

    def path(self, content: str) -> Path:
        """The file of a content, by its hash."""
        return self.root / FILES / content[:2] / content[2:]

    def has(self, content: str) -> bool:
        """Whether a content is kept."""
        return self.path(content).is_file()

    def read(self, content: str) -> bytes:
        """A content that is known to be small, such as a file of a project."""
        try:
            return self.path(content).read_bytes()
        except FileNotFoundError:
            raise NotKnown("it was deleted") from None

    def keep(self, content: bytes) -> str:
        """Keep some bytes; the hash by which they are known."""
        return self._placed(self._draft([content]), sha256(content).hexdigest())

    def keep_stream(self, chunks: Iterable[bytes]) -> str:
        """Keep what comes in chunks, of which one is in memory at a time."""
        draft = self._draft(chunks)
        return self._placed(draft, sha256_of(draft))

    def keep_file(self, file: Path, content: str | None = None) -> str:
        """Keep a file by moving it in; `content` is its hash, where that is known.

        On the same disk it is moved in one step: killed on the way, it is in one of two places.
        """
        if file.stat().st_dev != (self.root / FILES).stat().st_dev:
            draft = self.root / FILES / f".{os.urandom(8).hex()}"
            shutil.move(file, draft)
            file = draft
        file.chmod(0o600)
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
        return self._placed(file, content or sha256_of(file))

    def delete(self, content: str) -> None:
        """Let go of a content; that it is gone already is as good."""
        self.path(content).unlink(missing_ok=True)

    def _draft(self, chunks: Iterable[bytes]) -> Path:
        draft = self.root / FILES / f".{os.urandom(8).hex()}"
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                for chunk in chunks:
                    stream.write(chunk)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return draft

    def _placed(self, draft: Path, content: str) -> str:
        path = self.path(content)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        os.replace(draft, path)  # one that is there has the same content
        return content
