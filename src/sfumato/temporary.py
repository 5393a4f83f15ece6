"""Temporary data: one private folder for each run, locked while the run lives, removed at its end.

Rows on their way lie here: copies of a text file in another encoding, what an engine spills. The folder is made when it
is first needed, only its owner can enter it, and a lock of the living process holds it. What a killed run left is found
by its free lock, and removed by the next one.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import stat
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import OutputError

VARIABLE = "SFUMATO_TMP"  # names another folder than the system's for the folders of the runs
PREFIX = "sfumato-run-"
OURS = re.compile(rf"{PREFIX}[a-z0-9_]{{8}}")  # what mkdtemp adds has eight of these characters
# Seconds for which a lock of another process is waited for, which does a few renamings or writes a line meanwhile. Who
# holds it longer is stopped, or holds it to hurt: whoever may read a folder may lock it.
PATIENCE = 60.0
SWEPT = 5.0  # the same for a folder that was just made, and that another process takes for a dead one
LOOK_AGAIN = 0.02  # seconds between two looks at a lock
TRIES = 5  # somebody may write into a folder while it is removed, or take it for a dead one before it is locked


@dataclass(frozen=True)
class RunFolder:
    """The folder of this run, and the lock that says that the run lives."""

    path: Path
    lock: int | None
    process: int


_runs: list[RunFolder] = []  # none, or the folder of this process


@contextmanager
def scratch() -> Iterator[Path]:
    """A private folder within that of the run, removed with all that is in it at the end of the block."""
    folder = scratch_of_run()
    try:
        yield folder
    finally:
        remove(folder)


def scratch_of(owner: object) -> Path:
    """A private folder within that of the run, which is removed together with its owner."""
    folder = scratch_of_run()
    weakref.finalize(owner, remove, folder)
    return folder


def scratch_of_run() -> Path:
    """A private folder within that of the run, for as long as the run lives."""
    try:
        return Path(tempfile.mkdtemp(dir=_run().path))
    except OSError as error:
        raise OutputError(
            f"{_root()}: temporary data cannot be written here ({error.strerror}). Free some space, or name another "
            f"folder in the environment variable {VARIABLE}."
        ) from None


def private_file(path: str | Path, flags: int) -> int:
    """Open a file that only its owner can read, whatever the umask: an `opener` of `open`."""
    return os.open(path, flags, 0o600)


def sweep() -> None:
    """Remove what killed runs of this user left in the folder for temporary data."""
    root = Path(os.environ.get(VARIABLE) or tempfile.gettempdir())
    sweep_free(root, OURS)


def sweep_free(root: Path, name: re.Pattern[str], before: Callable[[Path], None] | None = None) -> None:
    """Remove the folders of this user whose name is such and whose lock is free; `before` is called on each first.

    A link is no such folder, whatever it leads to. Where nothing can be locked, nobody can tell who still lives, and
    nothing is removed.
    """
    try:
        names = sorted(entry for entry in os.listdir(root) if name.fullmatch(entry))
    except OSError:
        return
    for left in (root / entry for entry in names):
        try:
            held = hold(left) if _own_folder(left) else None
        except BlockingIOError:  # its run lives
            continue
        if held is None:
            continue
        try:
            if _still_there(left, held):
                if before is not None:
                    before(left)
                remove(left)
        finally:
            os.close(held)


def held_folder(parent: Path, prefix: str) -> tuple[Path, int | None]:
    """A new private folder and its lock; another process may sweep one away before it is locked, so it is made anew.

    Who holds a lock on what has just been made is about to sweep it: its end is waited for, and then it is looked. One
    that was stopped on the way is not waited for: its folder is left to it.
    """
    for _ in range(TRIES):
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        try:
            held = hold(folder, within=SWEPT)
        except BlockingIOError:
            continue
        if folder.exists() if held is None else _still_there(folder, held):
            return folder, held
        if held is not None:
            os.close(held)
    raise OSError(None, "a folder that was made here was taken away at once")


def hold(folder: Path, *, within: float = 0.0) -> int | None:
    """Lock a folder for as long as this process lives, `within` so many seconds; None where no lock can be had.

    `BlockingIOError` where another process holds it all the time.
    """
    try:
        file = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        if lock(file, within=within):
            return file
    except BlockingIOError:
        os.close(file)
        raise
    except OSError:  # not on this disk
        pass
    os.close(file)
    return None


def lock(file: int, *, within: float | None = None) -> bool:
    """Lock an open file or folder, as the only process, within so many seconds; closing it gives the lock back.

    False where the system has no such locks, so that nobody can tell who is still writing. `BlockingIOError` where
    another process holds it all the time: nobody waits for ever.
    """
    try:
        import fcntl
    except ImportError:
        return False
    begun, patience = time.monotonic(), PATIENCE if within is None else within
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError as error:
            waited = time.monotonic() - begun
            if waited >= patience:
                words = f"another process has kept it locked for {waited:.0f} seconds; end that one, or try again"
                raise BlockingIOError(error.errno, words) from None
        time.sleep(LOOK_AGAIN)


def remove(folder: Path) -> None:
    """Remove a folder and all that is in it, also when somebody still writes there."""
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


def remove_run() -> None:
    """Remove the folder of this run, where this process made one; the next use makes another."""
    while _runs:
        run = _runs.pop()
        if run.process == os.getpid():  # a forked child knows the folder of its parent, who still needs it
            remove(run.path)
        if run.lock is not None:
            os.close(run.lock)


def _run() -> RunFolder:
    if _runs and (_runs[0].process != os.getpid() or not _runs[0].path.is_dir()):
        remove_run()
    if not _runs:
        root = _root()
        sweep_free(root, OURS)
        _runs.append(RunFolder(*held_folder(root, PREFIX), os.getpid()))
    return _runs[0]


def _root() -> Path:
    """The folder in which the folders of runs are made; `OutputError` where somebody could put another in its place."""
    chosen = os.environ.get(VARIABLE)
    root = Path(chosen or tempfile.gettempdir())
    what = f"{root}, which {VARIABLE} names," if chosen else f"{root}"
    if not root.is_dir():
        raise OutputError(f"{what} is no folder: temporary data cannot be written there. Make it, or name another.")
    mode = root.stat().st_mode
    if os.name == "posix" and mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise OutputError(
            f"{what} can be written by everybody, who could put their folder in the place of ours. Name a folder of "
            f"your own in the environment variable {VARIABLE}, or run: chmod +t {root}"
        )
    return root


def _own_folder(path: Path) -> bool:
    """Whether a path is a folder of this user, and no link to one."""
    try:
        seen = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(seen.st_mode) and (os.name != "posix" or seen.st_uid == os.getuid())


def _still_there(folder: Path, held: int) -> bool:
    """Whether the folder that is locked is the one of that name: it may have been removed in between."""
    try:
        return os.path.samestat(folder.lstat(), os.fstat(held))
    except OSError:
        return False


atexit.register(remove_run)
