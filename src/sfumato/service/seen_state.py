"""The state that somebody saw: an edit is one of that state, or is refused, and of two tabs the second is told."""

from __future__ import annotations

from collections.abc import Callable

from sfumato.errors import Stale

CHANGED = (
    "Somebody has changed this since the page was opened, in another tab or on another machine. Nothing was written. "
    "Load the page again: it shows what is there now."
)


def unchanged(seen: str) -> Callable[[str], None]:
    """A check that refuses an edit where another state is there now than the one with that hash."""

    def require(now: str) -> None:
        if now != seen:
            raise Stale(CHANGED)

    return require
