"""The user: who decides, and whose run is logged."""

from __future__ import annotations

import getpass
import os


def who() -> str:
    """The name in SFUMATO_USER, or that of the user of the system."""
    try:
        return os.environ.get("SFUMATO_USER") or getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
