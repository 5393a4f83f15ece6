"""The time after a search: what has to be kept free of a limit of seconds for all that follows.

A plan is written down and followed, the release read anew, compared and explained, and everything written. How long
that takes depends on the table, and can be told before the search by how long it took to read and to group that table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from time import monotonic

from sfumato.search.method_interface import SearchRequest

# In times what it took to read and group the table. On 24 quasi-identifiers with hierarchies of 150,000 lines, where
# that was 0.7 s, following took 1.1 s, explaining 0.4 s, writing 0.5 s and comparing 6.3 s.
FOLLOWING, EXPLAINING, WRITING, COMPARING_A_COLUMN = 1.7, 0.7, 0.8, 0.4
FOR_COMPARING = 0.25  # of the limit: where comparing would take more, it is left out rather than the search; chosen
MOST = 0.5  # of what is left of the limit: however long all that would take, a search has as much; chosen

NOT_COMPARED = (
    "What was lost was not measured: the limit of seconds left no time for it. Give more seconds, or measure it with "
    "`sfumato compare`."
)
NOT_EXPLAINED = (
    "Why these levels, and whom suppression hits, was not looked at: the limit of seconds left no time for it. Give "
    "more seconds."
)
TOO_LARGE_TO_COMPARE = (
    "What was lost was not measured: the records beside what became of them take more memory than was given. Give "
    "more, or measure it with `sfumato compare`."
)
IN_ENGINE = (
    "The different records would take more memory than there is for them, so that levels were searched in the engine. "
    "Why these levels, and whom suppression hits, was not looked at: give more memory."
)


@dataclass(frozen=True)
class TimeAfter:
    """The seconds that each part takes after the search."""

    following: float
    comparing: float
    explaining: float
    writing: float
    ends: float = inf  # when the limit is over

    @classmethod
    def of(cls, request: SearchRequest, columns: int) -> TimeAfter:
        """As it is estimated when a table of so many quasi-identifiers has been read and grouped."""
        spent = monotonic() - request.begun
        return cls(
            FOLLOWING * spent, COMPARING_A_COLUMN * columns * spent, EXPLAINING * spent, WRITING * spent,
            request.begun + request.seconds,
        )  # fmt: skip

    def kept_free(self, request: SearchRequest, *, compare: bool, explain: bool) -> SearchRequest:
        """The request whose search leaves the time that is needed after it."""
        if request.seconds == inf:
            return request
        needed = self.following + self.writing + (self.explaining if explain else 0.0)
        if compare and self.comparing <= FOR_COMPARING * request.seconds:
            needed += self.comparing
        return replace(request, reserved=min(needed, MOST * max(self.ends - monotonic(), 0.0)))

    @property
    def compares(self) -> bool:
        """Whether there is time to compare now."""
        return self._fits(self.comparing)

    @property
    def explains(self) -> bool:
        """Whether there is time to explain now."""
        return self._fits(self.explaining)

    def _fits(self, part: float) -> bool:
        return self.ends == inf or monotonic() + part + self.writing <= self.ends


UNLIMITED = TimeAfter(0.0, 0.0, 0.0, 0.0)
