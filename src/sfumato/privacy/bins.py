"""Bins: the interval that a number falls in."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import isfinite

from sfumato.errors import SchemaError
from sfumato.tables.engine import literal

MOST = 1000  # each is a comparison in a query for every record; a column in a thousand intervals is hardly coarser
EXACT = 2**53  # whole numbers below it survive being stored as a real number


@dataclass(frozen=True)
class Bins:
    """Intervals between edges: left-closed, the last one closed on both sides, and one bin outside each end.

    >>> ages = Bins((0, 6, 12, 18))
    >>> [ages.label(age) for age in (-1, 0, 5.9, 6, 18, 19, None)]
    ['<0', '0--6', '0--6', '6--12', '12--18', '>=18', None]

    A missing value stays missing: it is a bin of its own, shown as `missing`.
    """

    edges: tuple[float, ...]
    separator: str = "--"

    def __post_init__(self) -> None:
        if len(self.edges) < 2 or not all(map(isfinite, self.edges)) or any(a >= b for a, b in pairwise(self.edges)):
            raise SchemaError("Bins need at least two edges, finite numbers in increasing order.")
        if len(self.edges) > MOST:
            raise SchemaError(f"Bins may have {MOST} edges, and these are {len(self.edges)}. Choose wider bins.")

    @property
    def labels(self) -> tuple[str, ...]:
        """Every bin, lowest first."""
        inside = (f"{_short(a)}{self.separator}{_short(b)}" for a, b in pairwise(self.edges))
        return (f"<{_short(self.edges[0])}", *inside, f">={_short(self.edges[-1])}")

    def label(self, value: float | None) -> str | None:
        """The bin of one value."""
        if value is None:
            return None
        if value == self.edges[-1]:
            return self.labels[-2]
        return self.labels[sum(value >= edge for edge in self.edges)]

    def of(self, expression: str) -> str:
        """The bin of a SQL expression; null stays null."""
        below = [f"WHEN {expression} < {_sql(edge)} THEN {literal(label)}"
                 for edge, label in zip(self.edges[:-1], self.labels, strict=False)]  # fmt: skip
        return (
            f"CASE WHEN {expression} IS NULL THEN NULL {' '.join(below)} "
            f"WHEN {expression} <= {_sql(self.edges[-1])} THEN {literal(self.labels[-2])} "
            f"ELSE {literal(self.labels[-1])} END"
        )

    def outside(self, expression: str) -> str:
        """Whether a SQL expression lies beyond either end."""
        return f"({expression} < {_sql(self.edges[0])} OR {expression} > {_sql(self.edges[-1])})"


def _short(number: float) -> str:
    return str(int(number)) if float(number).is_integer() and abs(number) < EXACT else repr(float(number))


def _sql(number: float) -> str:
    return _short(number) if abs(number) < EXACT else literal(float(number))
