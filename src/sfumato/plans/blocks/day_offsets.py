"""Offsets: by how many days the dates of one person are shifted."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from sfumato.plans.blocks.draws import whole, whole_number
from sfumato.tables.engine import literal

YEAR = 365.25
SLACK = 3  # days around the same day of another year, so that each year offers a whole week


@dataclass(frozen=True)
class Offsets:
    r"""The offsets of at most `days` either way among which one is drawn, each as likely.

    Each is numbered by :math:`i \in \{-r, \dots, r\}` for the largest `r` that stays within `days`:

    .. math::
        \text{any day: } i \qquad \text{weekday kept: } 7 i \qquad
        \text{season kept: } \lfloor 365.25\, y + \tfrac12 \rfloor + i - 7 y,\ y = \lfloor (i + 3) / 7 \rfloor \\
        \text{both kept: } 7 \lfloor 365.25\, i / 7 + \tfrac12 \rfloor

    A season is kept by whole years and at most three days more or less, so with leap years a date ends at most four
    days from where it was in its year (five when the weekday is kept as well). Zero is number 0 of each.

    >>> Offsets(days=15, weekday=True).all()
    [-14, -7, 0, 7, 14]
    >>> Offsets(days=800, weekday=True, season=True, without_zero=True).all()
    [-728, -364, 364, 728]
    >>> [len(Offsets(days=1830, season=True, weekday=weekday).all()) for weekday in (False, True)]
    [77, 11]
    """

    days: int
    weekday: bool = False
    season: bool = False
    without_zero: bool = False

    @property
    def reach(self) -> int:
        """The largest number of an offset; 0 when none but zero lies within the days, or within another year."""
        if not self.season:
            return self.days // (7 if self.weekday else 1)
        numbers = range(1, self.days // 364 + 1)
        if self.weekday:
            return max((i for i in numbers if self.of(i) <= self.days), default=0)
        return max((7 * y + SLACK for y in numbers if self.of(7 * y + SLACK) <= self.days), default=0)

    def of(self, i: int) -> int:
        """The offset of a number, in days."""
        if not self.season:
            return 7 * i if self.weekday else i
        if self.weekday:
            return 7 * floor(YEAR * i / 7 + 0.5)
        year = (i + SLACK) // 7
        return floor(YEAR * year + 0.5) + i - 7 * year

    def all(self) -> list[int]:
        """Every offset, lowest first."""
        numbers = range(-self.reach, self.reach + 1)
        return [self.of(i) for i in numbers if i or not self.without_zero]

    def drawn(self, uniform: float) -> int:
        """The offset that a number from 0 to below 1 chooses."""
        return self.of(whole_number(uniform, -self.reach, self.reach, without_zero=self.without_zero))

    def number(self, uniform: str) -> str:
        """SQL for the number of an offset, chosen by a number from 0 to below 1."""
        return whole(uniform, -self.reach, self.reach, without_zero=self.without_zero)

    def sql(self, i: str) -> str:
        """SQL for the offset of a number, in days."""
        if not self.season:
            return f"7 * {i}" if self.weekday else i
        if self.weekday:
            return f"7 * floor({literal(YEAR)} * {i} / 7 + 0.5)"
        year = f"floor(({i} + {SLACK}) / 7)"
        return f"(floor({literal(YEAR)} * {year} + 0.5) + {i} - 7 * {year})"
