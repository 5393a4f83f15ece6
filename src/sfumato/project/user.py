"""The user: who decides, and whose run is logged."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass

VARIABLE = "SFUMATO_USER"


@dataclass(frozen=True)
class User:
    """The name that somebody goes by, and the account of the system; a name from the environment is only claimed."""

    name: str
    account: str
    claimed: bool


def user() -> User:
    """The user of this run: the name in SFUMATO_USER, or that of the account."""
    claimed = os.environ.get(VARIABLE)
    return User(claimed or account(), account(), claimed=bool(claimed))


def who() -> str:
    """The name in SFUMATO_USER, or that of the user of the system."""
    return user().name


def account() -> str:
    """The account as the system knows it, by its number: LOGNAME and USER are what anybody says they are."""
    try:
        import pwd
    except ImportError:  # no such list on this system
        try:
            return getpass.getuser()
        except (OSError, KeyError):
            return "unknown"
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"
