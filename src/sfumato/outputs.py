"""Outputs: written whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import OutputError

LONGEST = 180  # bytes of a name; file systems allow 255, and something is put before and after it


@contextmanager
def whole(folder: str | Path) -> Iterator[Path]:
    """A temporary folder whose files appear in `folder` together, once all of them are written.

    When anything fails on the way, disk full included, `folder` is left as it was.
    """
    target = Path(folder)
    try:
        made = _missing_parents(target)
        target.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".sfumato-", dir=target))
    except OSError as error:
        raise OutputError(f"{target}: cannot write here ({error.strerror}). Choose another folder.") from None
    try:
        yield draft
        for path in sorted(draft.iterdir()):
            os.replace(path, target / path.name)
    except OSError as error:
        raise OutputError(f"{target}: the results were not written ({error.strerror}).") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        for parent in made:
            _remove_if_empty(parent)


@contextmanager
def whole_folder(folder: str | Path) -> Iterator[Path]:
    """A temporary folder that becomes `folder` by one renaming, once all is written; one that was there is replaced.

    Killed at any moment, there is the whole of it or what was there before.
    """
    target = Path(folder)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".sfumato-", dir=target.parent))
        draft = aside / "draft"
        draft.mkdir()
    except OSError as error:
        raise OutputError(f"{target}: cannot write here ({error.strerror}). Choose another folder.") from None
    try:
        yield draft
        if target.exists():
            os.replace(target, aside / "former")
        os.replace(draft, target)
    except OSError as error:
        if (aside / "former").exists() and not target.exists():
            os.replace(aside / "former", target)
        raise OutputError(f"{target}: the results were not written ({error.strerror}).") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file whole, or leave what was there."""
    path = Path(path)
    with whole(path.parent) as draft, (draft / path.name).open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def file_name(text: str) -> str:
    """A text as part of a file name, on every file system.

    >>> file_name("LB__Cholesterol"), file_name("mg/dL: a b")
    ('LB__Cholesterol', 'mg_dL_ a b')
    """
    allowed = "".join("_" if c in '/\\:*?"<>|' or ord(c) < 32 else c for c in text)
    short = allowed.encode("utf-8")[:LONGEST].decode("utf-8", errors="ignore")
    return short.strip(". ") or "_"


def _missing_parents(folder: Path) -> list[Path]:
    return [p for p in (folder, *folder.parents) if not p.exists()]


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
