"""Columns as places in a sorted list of their values, which take less room than the values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShortColumn:
    """A column whose values are places in a sorted list: the places, and the values in little room, as SQL."""

    column: str
    short: str
    place: str  # from 0 on, over the short column
    count: int  # of places, without that of the missing value
    lacking: bool

    @classmethod
    def of(cls, column: str, short: str, place: str, count: int, *, lacking: bool) -> ShortColumn:
        """The missing value has the place after the last."""
        return cls(column, short, f"coalesce({place}, {count})" if lacking else place, count, lacking)
