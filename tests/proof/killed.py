"""A command of Sfumato that is watched at every step in the file system, or killed at one of them.

Run as a program: `killed.py FOLDER STEP -- ARGUMENTS`. FOLDER is where the command runs. With STEP `photograph` a copy
of FOLDER is kept before each step, below `FOLDER-photographs`: that is what would be there if the process were killed
at that moment. With a number, the process kills itself before that step. `--without-exchange` takes away the system's
way to let two folders change places.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

STEPS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "tempfile.mkdtemp", "os.truncate"}
EXCHANGE = {"ctypes.dlsym"}  # the system's own renaming, which is called right after it is looked up


class Watch:
    """Counts the steps that change something below a folder."""

    def __init__(self, folder: Path, step: str) -> None:
        self.folder, self.step, self.number, self.busy = str(folder), step, 0, False
        self.photographs = Path(f"{folder}-photographs")

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.busy or not self._counts(event, arguments):
            return
        self.busy = True
        self.number += 1
        if self.step == "photograph":
            shutil.copytree(self.folder, self.photographs / f"{self.number:04d}")
        elif self.number == int(self.step):
            os.kill(os.getpid(), signal.SIGKILL)
        self.busy = False

    def _counts(self, event: str, arguments: tuple[Any, ...]) -> bool:
        if event in EXCHANGE:
            return str(arguments[1]).startswith("rename")
        if event == "open" and not _writes(arguments):
            return False
        return event in STEPS and any(self._below(argument) for argument in arguments[:2])

    def _below(self, argument: object) -> bool:
        if isinstance(argument, bytes | str | os.PathLike):
            return os.path.abspath(os.fsdecode(argument)).startswith(self.folder)
        return False


def _writes(arguments: tuple[Any, ...]) -> bool:
    flags = arguments[2] if isinstance(arguments[2], int) else 0
    return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def main() -> None:
    folder, step, *rest = sys.argv[1:]
    from sfumato import outputs
    from sfumato.cli import main as command

    if "--without-exchange" in rest:
        rest.remove("--without-exchange")
        outputs._renamed = lambda one, two, how: False
    sys.argv = ["sfumato", *rest[1:]]
    os.chdir(folder)
    sys.addaudithook(Watch(Path(folder).resolve(), step))
    command()


if __name__ == "__main__":
    main()
