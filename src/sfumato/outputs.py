"""Outputs: written whole, or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import OutputError
from sfumato.temporary import held_folder, sweep_free

DRAFT, FORMER = "draft", "former"  # in a temporary folder: what is being written, and what it is to replace
DRAFTS = re.compile(r"\.sfumato-[a-z0-9_]{8}")  # the temporary folders of `whole`, within the folder that is written to
LONGEST = 180  # bytes of a name; file systems allow 255, and something is put before and after it


@contextmanager
def whole(folder: str | Path, *, private: bool = False, handed_on: Collection[str] = ()) -> Iterator[Path]:
    """A temporary folder whose files appear in `folder` together, once all of them are written.

    When anything fails on the way, disk full included, `folder` is left as it was; what a killed writer left there is
    removed. What is `private` only its owner can read, whatever the umask, but for the files that are `handed_on`.
    """
    target = Path(folder)
    try:
        made = _missing_parents(target)
        target.mkdir(parents=True, exist_ok=True, mode=0o700 if private and not handed_on else 0o777)
        sweep_free(target, DRAFTS)
        draft, held = held_folder(target, ".sfumato-")
    except OSError as error:
        raise OutputError(f"{target}: cannot write here ({error.strerror}). Choose another folder.") from None
    try:
        yield draft
        if private:
            make_private(draft, but=handed_on)
        for path in sorted(draft.iterdir()):
            os.replace(path, target / path.name)
    except OSError as error:
        raise OutputError(f"{target}: the results were not written ({error.strerror}).") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        if held is not None:
            os.close(held)
        for parent in made:
            _remove_if_empty(parent)


@contextmanager
def whole_folder(folder: str | Path) -> Iterator[Path]:
    """A temporary folder that becomes `folder` in one step, once all is written; one that was there is replaced.

    Killed at any moment, there is the whole of it or what was there before. Where the system cannot let two folders
    change places, there may be neither after a kill between two renamings: the next writer puts back what was there.
    What a killed writer leaves behind is a hidden folder `.sfumato-NAME-...`, which the next one removes.
    """
    target = Path(folder)
    try:
        made = _missing_parents(target.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        _tidy(target)
        aside, held = held_folder(target.parent, _aside(target))
        draft = aside / DRAFT
        draft.mkdir()
    except OSError as error:
        raise OutputError(f"{target}: cannot write here ({error.strerror}). Choose another folder.") from None
    try:
        yield draft
        _flush(draft)
        _put(draft, target)
    except OSError as error:
        raise OutputError(f"{target}: the results were not written ({error.strerror}).") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        if held is not None:
            os.close(held)
        for parent in made:
            _remove_if_empty(parent)


def make_private(folder: Path, *, but: Collection[str] = ()) -> None:
    """Let only their owner read a folder and all that is in it, but for the files of some names."""
    folder.chmod(0o700)
    for path in folder.rglob("*"):
        if path.name not in but:
            path.chmod(0o700 if path.is_dir() else 0o600)


def write_text(path: str | Path, text: str, *, private: bool = False) -> None:
    """Write a text file whole, or leave what was there."""
    write_files(Path(path).parent, {Path(path).name: text.encode()}, private=private)


def write_files(folder: str | Path, files: Mapping[str, bytes], *, private: bool = False) -> None:
    """Write files by name into a folder, each whole, or leave what was there."""
    with whole(folder, private=private) as draft:
        for name, content in files.items():
            with (draft / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())


def require_new(path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Refuse a file that exists: somebody may have answered the questions in it."""
    if Path(path).exists() and not overwrite:
        raise OutputError(f"{path} exists already. Use --force to overwrite it, or name another file.")


def write_unless_other(folder: str | Path, files: Mapping[str, bytes], *, overwrite: bool = False) -> None:
    """Write files by name into a folder; where one of them is there and holds something else, none."""
    if not overwrite:
        require_same_or_new(folder, files)
    write_files(folder, files)


def require_same_or_new(folder: str | Path, files: Mapping[str, bytes]) -> None:
    """Refuse to write where a file is there and holds something else: it is somebody's."""
    for name, content in files.items():
        path = Path(folder) / name
        try:
            other = path.exists() and path.read_bytes() != content
        except OSError as error:
            raise OutputError(f"{path}: cannot be read ({error.strerror}). Choose another folder.") from None
        if other:
            raise OutputError(f"{path} holds something else. Choose another folder, or use --force to overwrite it.")


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


def _put(draft: Path, target: Path) -> None:
    """Let a folder take the place of another, which is then where the draft was, or beside it."""
    if not target.exists():
        os.replace(draft, target)
    elif not _exchanged(draft, target):
        former = draft.with_name(FORMER)
        os.replace(target, former)
        try:
            os.replace(draft, target)
        except OSError:
            os.replace(former, target)
            raise
    _flush(target.parent, deep=False)


def _exchanged(one: Path, two: Path) -> bool:
    """Let two folders change places in one step; False where the system or the disk has no such step."""
    import ctypes

    if os.name != "posix":
        return False
    system, names = ctypes.CDLL(None), (os.fsencode(one), os.fsencode(two))
    if hasattr(system, "renameat2"):  # Linux
        here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
        return bool(system.renameat2(here, names[0], here, names[1], exchange) == 0)
    if hasattr(system, "renamex_np"):  # macOS
        return bool(system.renamex_np(*names, 2) == 0)  # RENAME_SWAP
    return False


def _aside(target: Path) -> str:
    """How the names of the temporary folders of a folder begin; a dot hides them."""
    return f".sfumato-{file_name(target.name)}-"


def _tidy(target: Path) -> None:
    """Remove what killed writers of a folder left behind; what stood there before goes back to its place."""
    mine = re.compile(f"{re.escape(_aside(target))}[^-]+")  # what mkdtemp adds has no dash, other folders' names may

    def put_back(left: Path) -> None:
        if (left / DRAFT).exists() and (left / FORMER).exists() and not target.exists():
            os.replace(left / FORMER, target)

    sweep_free(target.parent, mine, put_back)


def _flush(folder: Path, *, deep: bool = True) -> None:
    """Have a folder, and all that is in it, on the disk, so that a renaming is never there before its files are."""
    if os.name != "posix":  # elsewhere a folder cannot be opened
        return
    for path in [*(sorted(folder.rglob("*")) if deep else ()), folder]:
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
