"""Outputs: written whole, or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sfumato.errors import OutputError

DRAFT, FORMER = "draft", "former"  # in a temporary folder: what is being written, and what it is to replace
DEVICES = re.compile(r"(?i)con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$")  # on Windows, with any ending
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
        aside = Path(tempfile.mkdtemp(prefix=_aside(target), dir=target.parent))
        held = _hold(aside)
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


def write_text(path: str | Path, text: str) -> None:
    """Write a text file whole, or leave what was there."""
    write_files(Path(path).parent, {Path(path).name: text.encode()})


def write_files(folder: str | Path, files: Mapping[str, bytes]) -> None:
    """Write files by name into a folder, each whole, or leave what was there."""
    with whole(folder) as draft:
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


def is_plain_name(name: str) -> bool:
    r"""Whether a text is the name of a file in any folder on every system: no path, no option, no device, not hidden.

    >>> [is_plain_name(name) for name in ("released.csv", "../a", "a/b", "c:a", ".a", "-a", "con.csv", "a.", "a\nb")]
    [True, False, False, False, False, False, False, False, False]
    """
    if not name or len(name.encode("utf-8", "replace")) > LONGEST or not name.isprintable():
        return False
    if name[0] in ".- " or name[-1] in ". " or any(letter in '/\\:*?"<>|' for letter in name):
        return False
    return not DEVICES.fullmatch(name.split(".")[0].strip())


def require_plain_name(name: str) -> None:
    """Refuse a name that is no plain name of a file."""
    if not is_plain_name(name):
        raise OutputError(f"{name!r} is no plain name of a file. Write one without a folder, such as released.csv.")


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
    for left in sorted(path for path in target.parent.iterdir() if mine.fullmatch(path.name)):
        held = _hold(left)
        if held is None:
            continue
        if (left / DRAFT).exists() and (left / FORMER).exists() and not target.exists():
            os.replace(left / FORMER, target)
        shutil.rmtree(left, ignore_errors=True)
        os.close(held)


def _hold(folder: Path) -> int | None:
    """Lock a temporary folder for as long as this process lives; None where another one holds it, or none can."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system: nobody can tell who is still writing
        return None
    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


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
