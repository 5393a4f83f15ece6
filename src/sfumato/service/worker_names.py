"""Names of workers: they say on which machine and in which process one is, so that it can be looked up there."""

from __future__ import annotations

import os
import platform
from pathlib import Path

PROC = Path("/proc")


def own_name() -> str:
    """The name of this process as a worker: the machine as it is since its last start, the process and its start."""
    return f"{_here()}/{os.getpid()}/{_started(os.getpid()) or 0}"


def is_gone(name: str) -> bool:
    """Whether a worker is known to have ended. Of one on another machine, or in another container, nothing is known."""
    here, _, rest = name.partition("/")
    process, _, started = rest.partition("/")
    if here != _here() or not process.isdecimal() or not (PROC / "self").exists():
        return False
    return _started(int(process)) != (int(started) if started.isdecimal() else None)


def _here() -> str:
    """The machine, its start and the list of processes that is seen here: containers have lists of their own."""
    try:
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()[:8]
        listed = os.stat(PROC / "self/ns/pid").st_ino
    except OSError:  # no such files on this system: then nobody is known to be gone
        return f"{platform.node()}-{os.urandom(4).hex()}".replace("/", "-")
    return f"{platform.node()}-{boot}-{listed}".replace("/", "-")


def _started(process: int) -> int | None:
    """When a process began, in ticks since the start of the machine: a number of a process is used again."""
    try:
        state, *fields = (PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state in "ZX" else int(fields[18])
