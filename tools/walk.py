#!/usr/bin/env python3
"""The walk of a command through the house: which modules it enters, in the order of their first call.

    PYTHONPATH=src .venv/bin/python tools/walk.py assess patients.csv --quasi age,sex --k 2

prints the modules and, as JSON on the last line, how many they are, in how many rooms, and how often the way changes
rooms. What runs while a module is imported is not counted: that is not yet the command. A room is a folder of
`src/sfumato`; with `--names` the modules of the root count as well, as before there were rooms.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import threading
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import sfumato

HOME = Path(sfumato.__file__).parent
FUNCTION = 1  # CO_OPTIMIZED: the body of a function, not of a module or a class


def walk(arguments: list[str]) -> list[Path]:
    """The modules that a command enters, in the order of their first call."""
    from sfumato.cli import main

    entered: dict[str, None] = {}

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        file = frame.f_code.co_filename
        if event != "call" or file in entered or not file.startswith(str(HOME)):
            return
        if frame.f_code.co_flags & FUNCTION and not _while_importing(frame):
            entered[file] = None

    sys.argv = ["sfumato", *arguments]
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return [Path(file).relative_to(HOME) for file in entered]


def _while_importing(frame: FrameType) -> bool:
    above: FrameType | None = frame.f_back
    while above is not None:
        if above.f_code.co_name == "<module>" and above.f_code.co_filename.startswith(str(HOME)):
            return True
        above = above.f_back
    return False


def counted(modules: list[Path], *, names: bool = False) -> dict[str, int]:
    """How many modules, rooms (or names of the root) and changes between them."""
    rooms = [module.parts[0].removesuffix(".py") for module in modules if names or len(module.parts) > 1]
    changes = sum(before != after for before, after in pairwise(rooms))
    return {"modules": len(modules), "rooms": len(set(rooms)), "changes": changes}


if __name__ == "__main__":
    names = "--names" in sys.argv
    modules = walk([argument for argument in sys.argv[1:] if argument != "--names"])
    sys.stdout.write("".join(f"{module}\n" for module in modules))
    sys.stdout.write(json.dumps(counted(modules, names=names)) + "\n")
