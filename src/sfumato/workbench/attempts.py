"""Attempts: something is done, or the page is shown again with the refusal above what was typed."""

from __future__ import annotations

from collections.abc import Callable

from fastapi.responses import Response

from sfumato.errors import NotSignedIn, ServiceRefusal, SfumatoError

NOT_RIGHT = 422  # the status of what the library refuses, which knows nothing of HTTP


def attempt(act: Callable[[], object], again: Callable[[str, int], Response]) -> Response | None:
    """The page again, by a sentence and a status, where something is refused; None where it was done.

    Whoever is no longer signed in is sent to sign in, and comes back.
    """
    try:
        act()
    except NotSignedIn:
        raise
    except SfumatoError as error:
        return again(str(error), error.status if isinstance(error, ServiceRefusal) else NOT_RIGHT)
    return None
