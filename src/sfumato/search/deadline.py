"""The deadline: when to give up what has no best so far.

Loops that may take long look at it wherever they are. It holds for the task at hand and no other, so that two searches
in one process, each in its thread, know their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

from sfumato.errors import OutOfTime

_DEADLINE: ContextVar[float] = ContextVar("deadline", default=inf)


@contextmanager
def until(moment: float) -> Iterator[None]:
    """Within it, `in_time` refuses to go on after a moment."""
    before = _DEADLINE.set(min(moment, _DEADLINE.get()))
    try:
        yield
    finally:
        _DEADLINE.reset(before)


def in_time() -> None:
    """Go on, or `OutOfTime` after the deadline.

    >>> with until(-inf):
    ...     in_time()
    Traceback (most recent call last):
    ...
    sfumato.errors.OutOfTime: The method was not finished within its limit of seconds, and has no release until it is...
    """
    deadline = _DEADLINE.get()
    if deadline < inf and monotonic() > deadline:
        raise OutOfTime
