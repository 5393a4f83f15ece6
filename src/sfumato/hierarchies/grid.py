"""Grids: numbers as steps of one width from an origin, exactly as people write them in decimals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import floor, isfinite, log10

from sfumato.errors import HierarchyError
from sfumato.tables.engine import literal

EXACT = 2**53  # whole numbers up to it survive being stored as a real number


@dataclass(frozen=True)
class Grid:
    """Steps of one width. Step i holds the numbers from its edge up to, and without, the edge of step i + 1.

    0.3 belongs to [0.3, 0.4) although 0.3 / 0.1 is below 3 in binary: a number is at an edge when it is so within a
    millionth of the last decimal of the width.

    >>> tenths = Grid(0.1)
    >>> tenths.index(0.3), tenths.edge(3), tenths.text(tenths.edge(3))
    (3, 0.3, '0.3')
    """

    width: float
    origin: float = 0

    def __post_init__(self) -> None:
        if not (isfinite(self.width) and isfinite(self.origin) and self.width > 0):
            raise HierarchyError("Steps need a width above 0 and an origin, both finite numbers.")
        if self.places > 12 or max(self._w, abs(self._o)) >= EXACT:
            raise HierarchyError("The width and the origin need 12 decimals at most, and 15 digits at most.")

    @classmethod
    def fitting(cls, numbers: Sequence[float], parts: int) -> Grid:
        """A grid of a round width (1, 2 or 5 and noughts) with at most so many steps between the ends.

        >>> Grid.fitting([20.25, 41.5], 10).width, Grid.fitting([1, 300], 1000).width
        (5, 1)
        """
        extent = max(numbers) - min(numbers) if numbers else 0.0
        whole = all(float(number).is_integer() for number in numbers)
        if not 0 < extent < EXACT:
            return cls(1)
        power = max(floor(log10(extent / parts)), -12)
        widths = (Decimal(digit).scaleb(power) for digit in (1, 2, 5, 10))
        width = float(next(w for w in widths if float(w) * parts >= extent * (1 - 1e-9)))
        return cls(max(1, int(width)) if whole or width >= 1 else width)

    @property
    def places(self) -> int:
        """Decimals of the edges."""
        return max(_places(self.width), _places(self.origin))

    def index(self, number: float) -> int | None:
        """The step of a number; None where it is too large to tell steps apart."""
        if not abs(number) < EXACT / self._p:
            return None
        return floor((number * self._p - self._o + self._slack) / self._w)

    def edge(self, step: float) -> float:
        """Where a step begins."""
        return (self._o + step * self._w) / self._p

    def text(self, edge: float) -> str:
        """An edge in words: all its decimals, and no others."""
        return f"{edge + 0.0:.{self.places}f}"

    def index_sql(self, number: str) -> str:
        """The step of a SQL expression that is a real number, as a real number; null where there is none."""
        units = number if self._p == 1 else f"{number} * {literal(float(self._p))}"
        moved = f"({units} - {literal(float(self._o))} + {literal(self._slack)})"
        step = f"floor({moved} / {literal(float(self._w))})"
        return f"CASE WHEN abs({number}) < {literal(EXACT / self._p)} THEN {step} END"

    def edge_sql(self, step: str) -> str:
        """Where a step begins, as SQL."""
        units = f"({literal(float(self._o))} + {step} * {literal(float(self._w))})"
        return units if self._p == 1 else f"({units} / {literal(float(self._p))})"

    def text_sql(self, edge: str) -> str:
        """An edge in words, as SQL: a decimal number, which both engines write with all its places."""
        return f"CAST({edge} AS DECIMAL(18, {self.places}))"

    @property
    def _slack(self) -> float:
        """A millionth of the last decimal: 0.29 * 100 is a little less than 29 in binary, and is meant to be 29."""
        return 1e-6 if self.places else 0.0

    @property
    def _p(self) -> int:
        return int(10**self.places)

    @property
    def _w(self) -> int:
        return int(_decimal(self.width) * self._p)

    @property
    def _o(self) -> int:
        return int(_decimal(self.origin) * self._p)


def _decimal(number: float) -> Decimal:
    try:
        return Decimal(str(number))
    except InvalidOperation:
        raise HierarchyError("Steps need a width and an origin that are numbers.") from None


def _places(number: float) -> int:
    exponent = _decimal(number).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
