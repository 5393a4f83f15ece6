"""Outputs: written whole, or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from sfumato.errors import OutputError
from sfumato.temporary import held_folder, lock, remove, sweep_free

DRAFT, FORMER = "draft", "former"  # in a temporary folder: what is being written, and what it is to replace
DRAFTS = re.compile(r"\.sfumato-[a-z0-9_]{8}")  # the temporary folders of `whole`, within the folder that is written to
DEVICES = re.compile(r"(?i)con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$")  # on Windows, with any ending
# What a renaming may do besides, on Linux (renameat2) and on macOS (renamex_np): change places, or never replace.
EXCHANGE, NO_REPLACE = (2, 2), (1, 4)
LONGEST_NAME = 255  # bytes that file systems allow
LONGEST = 180  # bytes of a name to which something is put before and after


@contextmanager
def whole(
    folder: str | Path,
    *,
    overwrite: bool = True,
    private: bool = False,
    handed_on: Collection[str] = (),
    before: Callable[[], None] | None = None,
) -> Iterator[Path]:
    """A temporary folder whose files appear in `folder` together, once all of them are written.

    When anything fails on the way, disk full included, `folder` is left as it was; what a killed writer left there is
    removed. Of two at once that write the same file the second is refused: a file that came or changed meanwhile is
    somebody's, and without `overwrite` so is one that was there before. What is `private` only its owner can read,
    whatever the umask, but for the files that are `handed_on`. `before` is done when all is written, just before it
    appears.
    """
    target, mode = Path(folder), 0o700 if private and not handed_on else 0o777
    with _draft_in(target, ".sfumato-", lambda: sweep_free(target, DRAFTS), written=target, mode=mode) as draft:
        begun = draft.stat().st_ctime_ns  # by the clock of that disk, as the times of its files are
        try:
            yield draft
            if private:
                make_private(draft, but=handed_on)
            if before is not None:
                before()
            with _locked(target):
                _place_files(draft, target, begun, overwrite=overwrite)
        except OSError as error:
            raise OutputError(f"{target}: the results were not written ({error.strerror}).") from None


@contextmanager
def whole_folder(folder: str | Path, *, overwrite: bool = True) -> Iterator[Path]:
    """A temporary folder that becomes `folder` in one step, as `whole_folders` makes several."""
    with whole_folders(folder, overwrite=overwrite) as (draft,):
        yield draft


@contextmanager
def whole_folders(
    *folders: str | Path, overwrite: bool = True, before: Callable[[], None] | None = None
) -> Iterator[tuple[Path, ...]]:
    """Temporary folders that become `folders`, each in one step and in that order, once all is written.

    One that was there is replaced; without `overwrite` that is an `OutputError`, and none of them appears. Of two
    writers at once all folders are those of one. `before` is done when all is written, just before they appear.

    Killed at any moment, there is the whole of a folder or what was there before. Where the system cannot let two
    folders change places, there may be neither after a kill between two renamings: the next writer puts back what was
    there. What a killed writer leaves behind is a hidden folder `.sfumato-NAME-...`, which the next one removes.
    """
    targets = [Path(folder) for folder in folders]
    with ExitStack() as stack:
        drafts = tuple(
            stack.enter_context(_draft_in(target.parent, _aside(target), partial(_tidy, target), written=target))
            for target in targets
        )
        try:
            yield drafts
            for draft in drafts:
                _flush(draft)
            if before is not None:
                before()
            with _locked(*(target.parent for target in targets)):
                _place_folders(dict(zip(drafts, targets, strict=True)), overwrite=overwrite)
        except OSError as error:
            named = ", ".join(map(str, targets))
            raise OutputError(f"{named}: the results were not written ({error.strerror}).") from None


def make_private(folder: Path, *, but: Collection[str] = ()) -> None:
    """Let only their owner read a folder and all that is in it, but for the files of some names."""
    folder.chmod(0o700)
    for path in folder.rglob("*"):
        if path.name not in but:
            path.chmod(0o700 if path.is_dir() else 0o600)


def write_text(path: str | Path, text: str, *, overwrite: bool = True, private: bool = False) -> None:
    """Write a text file whole, or leave what was there; without `overwrite` a file that is there is an error."""
    write_files(Path(path).parent, {Path(path).name: text.encode()}, overwrite=overwrite, private=private)


def write_files(
    folder: str | Path, files: Mapping[str, bytes], *, overwrite: bool = True, private: bool = False
) -> None:
    """Write files by name into a folder, each whole, or leave what was there; what is `private`, for its owner only."""
    with whole(folder, overwrite=overwrite, private=private) as draft:
        for name, content in files.items():
            with (draft / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())


def require_new(path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
    """Refuse a file that exists, before long work: somebody may have answered the questions in it."""
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
    if not name or len(name.encode("utf-8", "replace")) > LONGEST_NAME or not name.isprintable():
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
    allowed = "".join("_" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in text)
    short = allowed.encode("utf-8")[:LONGEST].decode("utf-8", errors="ignore")
    return short.strip(". ") or "_"


def _missing_parents(folder: Path) -> list[Path]:
    return [p for p in (folder, *folder.parents) if not p.exists()]


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _place_files(draft: Path, target: Path, begun: int, *, overwrite: bool) -> None:
    """Let the files of a draft appear, all or none of them where one may not be replaced."""
    files = {path: target / path.name for path in sorted(draft.iterdir())}
    for place in files.values():
        _refuse_taken(place, begun, overwrite=overwrite)
    placed: dict[Path, Path] = {}
    try:
        for path, place in files.items():
            if overwrite:
                os.replace(path, place)
            else:
                _move_new(path, place)
                placed[path] = place
    except FileExistsError as error:  # by something that does not know of our locks
        for path, place in placed.items():
            os.replace(place, path)
        raise _taken(str(error.filename2)) from None


def _refuse_taken(place: Path, begun: int, *, overwrite: bool) -> None:
    """Refuse a place that somebody has: since this writer began or, without `overwrite`, at all."""
    if not os.path.lexists(place):
        return
    if not overwrite:
        raise _taken(place)
    if place.lstat().st_ctime_ns > begun:
        raise OutputError(f"{place}: another run has written it meanwhile, and it was left. Run this one again.")


def _place_folders(folders: Mapping[Path, Path], *, overwrite: bool) -> None:
    """Let drafts take the places of folders, which are then where the drafts were; all of them, or none."""
    done: dict[Path, Path] = {}
    try:
        for draft, target in folders.items():
            if overwrite and target.exists():
                _exchange(draft, target)
            else:
                _move_new(draft, target)
                done[draft] = target
    except FileExistsError as error:
        for draft, target in done.items():
            os.replace(target, draft)
        raise _taken(str(error.filename2)) from None
    for parent in {target.parent for target in folders.values()}:
        _flush(parent, deep=False)


def _taken(place: str | Path) -> OutputError:
    return OutputError(f"{place} exists already. Use --force to replace it, or name another place.")


def _exchange(draft: Path, target: Path) -> None:
    """Let a folder take the place of another, which is then where the draft was, or beside it."""
    if _renamed(draft, target, EXCHANGE):
        return
    former = draft.with_name(FORMER)
    os.replace(target, former)
    try:
        os.replace(draft, target)
    except OSError:
        os.replace(former, target)
        raise


def _move_new(one: Path, two: Path) -> None:
    """Rename onto a name that nothing has; `FileExistsError` where something has it.

    Where the system has no such step, it is looked at first: between those who take the lock nothing comes meanwhile.
    """
    if _renamed(one, two, NO_REPLACE):
        return
    if os.path.lexists(two):
        raise FileExistsError(17, os.strerror(17), str(one), None, str(two))
    os.rename(one, two)


def _renamed(one: Path, two: Path, how: tuple[int, int]) -> bool:
    """Rename in one step without loss; False where it did not work, or the system or the disk has no such step."""
    import ctypes

    if os.name != "posix":
        return False
    system, names = ctypes.CDLL(None), (os.fsencode(one), os.fsencode(two))
    if hasattr(system, "renameat2"):  # Linux
        here = -100  # AT_FDCWD
        return bool(system.renameat2(here, names[0], here, names[1], how[0]) == 0)
    if hasattr(system, "renamex_np"):  # macOS
        return bool(system.renamex_np(*names, how[1]) == 0)
    return False


@contextmanager
def _locked(*folders: Path) -> Iterator[None]:
    """Be the only writer that lets something appear in some folders; others wait, though not for ever."""
    held: list[int] = []
    try:
        for folder in sorted({folder.resolve() for folder in folders}):  # in one order, so that no two wait for ever
            held += _lock(folder)
        yield
    finally:
        for file in held:
            os.close(file)


def _lock(folder: Path) -> list[int]:
    file = os.open(folder, os.O_RDONLY)
    try:
        if lock(file):
            return [file]
    except BlockingIOError:
        os.close(file)
        raise
    except OSError:  # no such locks on this disk: one writer at a time
        pass
    os.close(file)
    return []


@contextmanager
def _draft_in(
    folder: Path, prefix: str, tidy: Callable[[], None], *, written: Path, mode: int = 0o777
) -> Iterator[Path]:
    """An empty draft within a hidden folder of `folder`; both go in the end, with all that is in them.

    The hidden folder is locked, not the draft: others may be written into that, and lock it.
    """
    held = None
    try:
        made = _missing_parents(folder)
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
        tidy()
        aside, held = held_folder(folder, prefix)
        (aside / DRAFT).mkdir()
    except OSError as error:
        raise OutputError(f"{written}: cannot write here ({error.strerror}). Choose another folder.") from None
    try:
        yield aside / DRAFT
    finally:
        remove(aside)
        if held is not None:
            os.close(held)
        for parent in made:
            _remove_if_empty(parent)


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
