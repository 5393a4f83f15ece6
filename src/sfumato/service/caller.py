"""The caller: who is acting, how they signed in, and from where."""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from enum import StrEnum

from sfumato.service.permissions import Act, ServiceRole


class Way(StrEnum):
    """How somebody came in."""

    NOBODY = "nobody"  # not signed in
    SESSION = "session"
    TOKEN = "token"
    LOCAL = "local"  # one person on their own machine: `sfumato open`
    CONSOLE = "console"  # the command line of the server: `sfumato account`
    WORKER = "worker"  # the service itself, at work on a run that somebody started


@dataclass(frozen=True)
class Caller:
    """Somebody who asks for something. Identity comes from the session or token, never from what a client says."""

    way: Way = Way.NOBODY
    account: str | None = None  # the handle
    name: str = ""
    identity: str = ""
    roles: frozenset[ServiceRole] = frozenset()  # in the whole service
    address: str = ""
    door: str | None = None  # the handle of the session or token
    scopes: frozenset[Act] | None = None  # of a token; None: everything that the account may do
    only_project: str | None = None  # of a token

    @property
    def signed_in(self) -> bool:
        """Whether it is known who this is; at the console of the server that is a user of the system."""
        return self.account is not None or self.way is Way.CONSOLE

    @property
    def in_person(self) -> bool:
        """Whether somebody is here themselves who has shown all that they have to show: no token, no half sign-in."""
        return self.way in (Way.SESSION, Way.LOCAL) and self.scopes is None

    @property
    def unproved(self) -> bool:
        """Whether somebody has shown a password, and not yet the second factor that they need: tell them nothing."""
        return self.way is Way.SESSION and self.scopes is not None

    def plain(self) -> dict[str, object]:
        """Who it is, as the log has it."""
        return {"name": self.name or None, "account": self.account, "way": self.way.value, "address": self.address}


def at_console() -> Caller:
    """Whoever is at the console of the server, by the name that the system knows them by: its administrator."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number without a name
        name = "console"
    return Caller(Way.CONSOLE, name=name, roles=frozenset({ServiceRole.ADMINISTRATOR}))
