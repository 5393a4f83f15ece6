"""A process that can do little harm: started as a file of its own, it gives up rights and becomes the program it names.

It imports nothing but the standard library, so that it starts in a few milliseconds; it runs before the program in the
same process, where no thread of a worker is. What it could not give up it says as a line of JSON on the second stream,
as the program itself says its notes.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any

NEW_USERS, NEW_NETWORK = 0x10000000, 0x40000000
END_WITH_PARENT, NO_NEW_RIGHTS = 1, 38  # of prctl
# How much a run stands back: where processors are few, the people who read go before the runs that compute. A third of
# what others get is enough for them, and at 10 a run starves beside the other work of a busy machine.
STAND_BACK = 5
NO_ISOLATION = (
    "This system does not let the service cut a run off from the network. The run went on without that; "
    "docs/service.md says how to allow it."
)


def confine(limits: dict[str, Any]) -> None:
    """Give up the network, the rights of root, new rights, and what goes beyond the limits."""
    os.umask(0o077)
    os.nice(STAND_BACK)
    library = ctypes.CDLL(None, use_errno=True)
    if not limits["network"] and not _without_network(library):
        sys.stderr.write(json.dumps({"level": "warning", "message": NO_ISOLATION}) + "\n")
        sys.stderr.flush()
    for what, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_DATA, limits["data"]),
                       (resource.RLIMIT_FSIZE, limits["file"])):  # fmt: skip
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, bound))
    if limits["user"] is not None:
        user, group = limits["user"]
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
    if hasattr(library, "prctl"):
        library.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0)
        library.prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != limits["parent"]:  # it ended before this could be asked for
            os._exit(1)


def _without_network(library: ctypes.CDLL) -> bool:
    """Go into a network of one's own, in which there is nothing; who is not root does so as root of a world of one."""
    if not hasattr(library, "unshare"):
        return False
    if library.unshare(NEW_NETWORK) == 0:
        return True
    user, group = os.getuid(), os.getgid()
    if library.unshare(NEW_USERS | NEW_NETWORK) != 0:
        return False
    for file, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{file}", "w") as stream:
            stream.write(line)
    return True


if __name__ == "__main__":
    confine(json.loads(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
