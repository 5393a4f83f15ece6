"""Places: where in the workbench somebody is, and the screens that they can go to from there by what they may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.service.caller import Caller
from sfumato.service.local_table import is_alone
from sfumato.service.permissions import ROWS, Act, ServiceRole
from sfumato.service.projects import project_with_roles
from sfumato.service.service import Service
from sfumato.service.sign_in import NextStep

# The screens of a project in the order in which one works, and the act without which there is nothing to see there.
SCREENS: tuple[tuple[str, Act], ...] = (
    ("table", Act.SOURCE_READ),
    ("columns", Act.VERSION_READ),
    ("attackers", Act.VERSION_READ),
    ("policy", Act.VERSION_READ),
    ("hierarchies", Act.VERSION_READ),
    ("release", Act.VERSION_READ),
    ("effects", Act.VERSION_READ),
    ("context", Act.VERSION_READ),
    ("requests", Act.PROJECT_READ),
    ("runs", Act.RUN_READ),
    ("versions", Act.VERSION_READ),
    ("settings", Act.MEMBER_READ),
)

# Where somebody goes on who has shown a password, by what they have to show next.
AFTER_PASSWORD = {NextStep.CODE: "/sign-in/code", NextStep.SET_UP: "/sign-in/set-up", NextStep.NOTHING: "/"}

WITH_OTHERS = ("requests", "settings")  # screens about people, which one person on their own machine has no use for


@dataclass(frozen=True)
class ScreenPlace:
    """A screen, of a project where it is one of a project, and what the caller is there."""

    screen: str = ""
    project: str = ""
    title: str = ""
    roles: frozenset[ServiceRole] = frozenset()
    screens: Sequence[str] = ()

    def may(self, act: str) -> bool:
        """Whether the caller's roles let them do something here, by the name of the act: `place.may("run.start")`."""
        return bool(self.roles & set(ROWS[Act(act)].roles))


def place_in(service: Service, caller: Caller, project: str, screen: str) -> ScreenPlace:
    """A screen of a project, for somebody who may know of the project."""
    known, roles = project_with_roles(service, caller, project)
    listed = [name for name in screens_for(roles) if not (is_alone(caller) and name in WITH_OTHERS)]
    return ScreenPlace(screen, known.name, known.title or known.name, roles, listed)


def screens_for(roles: frozenset[ServiceRole]) -> list[str]:
    """The screens of a project on which somebody with these roles sees something."""
    return [name for name, act in SCREENS if roles & set(ROWS[act].roles)]


def local_address(address: str) -> str:
    """An address of this service alone, so that no link can lead whoever signs in elsewhere.

    >>> local_address("/projects/clinic/table"), local_address("//elsewhere.example")
    ('/projects/clinic/table', '/')
    """
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"
