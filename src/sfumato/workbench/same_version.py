"""The version that a page showed: what is changed on its ground is changed of that one, or not at all."""

from __future__ import annotations

from sfumato.errors import Stale
from sfumato.service.versions import Require

OTHER = "The project has changed since this page was shown. Load it again: what you see is of the version before."


def unchanged(expected: str) -> Require:
    """Refuses a change of another version than the one with that hash."""

    def require(current: str) -> None:
        if current != expected:
            raise Stale(OTHER)

    return require
