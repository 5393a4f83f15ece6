"""Value cells: the round ends between which an ordered column may be cut, so that no end is somebody's value.

An interval from the lowest to the highest value of a class prints true values of its outermost people, and over all
classes those of the outermost people of all. Here values are first put into the steps of a grid of round numbers, or
of days, months or years; neighbouring steps are joined until each cell holds enough people; and a label goes from the
end of one cell to the end of another, or is open where there is none beyond. So of a person a label tells the cell,
which enough others share, and of the largest value that it is above a round number which enough people reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from sfumato.hierarchies.grid import Grid
from sfumato.hierarchies.hierarchy import TOP
from sfumato.hierarchies.ranges import FINEST, Style, interval, short

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

UNSIZED = 5  # people of a cell where the policy asks for no size of classes. Chosen, not measured


@dataclass(frozen=True, eq=False)
class ValueCells:
    """The cells of sorted values: by place, the first and the last place of its cell, and where that cell begins."""

    texts: tuple[str, ...]
    first: Whole
    last: Whole
    begins: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str], people: Sequence[int], least: int) -> ValueCells:
        """The cells of values in ascending order, with the people who have each.

        >>> cells = ValueCells.of(("3", "20", "21", "22", "98761"), (1, 2, 2, 2, 1), 3)
        >>> [cells.label(i, i) for i in range(5)], cells.label(0, 2)
        (['<21', '<21', '>=21', '>=21', '>=21'], '*')
        >>> ages = ValueCells.of(("20", "30", "40"), (5, 5, 5), 5)
        >>> ages.label(0, 0), ages.label(0, 1), ages.label(1, 2)
        ('20', '<40', '>=30')
        """
        steps = _steps(texts, people, least)
        starts, held = [0], 0
        for place in range(1, len(texts)):
            held += people[place - 1]
            if steps[place][0] != steps[place - 1][0] and held >= least:
                starts.append(place)
                held = 0
        if held + people[-1] < least and len(starts) > 1:  # what is left over joins the last cell
            starts.pop()
        ends = [*starts[1:], len(texts)]
        sizes = np.diff([*starts, len(texts)])
        begins = tuple(steps[start][1] for start, size in zip(starts, sizes.tolist(), strict=True) for _ in range(size))
        return cls(tuple(texts), np.repeat(starts, sizes), np.repeat(np.array(ends) - 1, sizes), begins)

    def label(self, low: int, high: int) -> str:
        """What the cells from one place to another are called: open where there is no cell beyond.

        The only value of a cell is called by itself: enough people have it.
        """
        first, last = int(self.first[low]), int(self.last[high])
        if first == last:
            return self.texts[first]
        opened, closed = first == 0, last == len(self.texts) - 1
        if opened and closed:
            return TOP
        if opened:
            return f"<{self.begins[last + 1]}"
        return (
            f">={self.begins[first]}" if closed else interval(self.begins[first], self.begins[last + 1], Style.BRACKETS)
        )


def _steps(texts: Sequence[str], people: Sequence[int], least: int) -> list[tuple[int, str]]:
    """The step of each value, and where it begins; of numbers a grid is too coarse for, that of their neighbour.

    How wide steps are follows from the values between which all but so many people on each side lie: not from the
    largest and the smallest, which may be one person's.
    """
    below = np.cumsum(people)
    within = [t for t, n, own in zip(texts, below, people, strict=True) if n > least and below[-1] - n + own > least]
    numbers = _number_steps(texts, within)
    placed = numbers if numbers is not None else _day_steps(texts, within)
    steps: list[tuple[int, str]] = []
    known = next((step for step in placed if step is not None), (0, texts[0]))
    for step in placed:
        known = step if step is not None else known
        steps.append(known)
    return steps


def _number_steps(texts: Sequence[str], within: Sequence[str]) -> list[tuple[int, str] | None] | None:
    """The steps of numbers; None where values are no numbers."""
    try:
        numbers = [float(Decimal(text)) for text in texts]
    except InvalidOperation:
        return None
    grid = Grid.fitting([number for number in (float(text) for text in within) if isfinite(number)], FINEST)
    indices = [grid.index(number) for number in numbers]
    return [None if index is None else (index, short(grid.edge(index))) for index in indices]


def _day_steps(texts: Sequence[str], within: Sequence[str]) -> list[tuple[int, str] | None]:
    """The steps of days and moments: minutes, hours, days, months or years, the finest that are not too many."""
    moments = [_moment(text) for text in texts]
    inner = [_moment(text) for text in within] or moments
    extent = inner[-1] - inner[0]
    day = timedelta(days=1)
    clock = any(moment != datetime.combine(moment.date(), time.min) for moment in moments)
    units = [*([(timedelta(minutes=1), "%Y-%m-%d %H:%M"), (timedelta(hours=1), "%Y-%m-%d %H:00")] if clock else []),
             (day, "%Y-%m-%d"), (day * 30, "%Y-%m-01"), (day * 365, "%Y-01-01")]  # fmt: skip
    form = next((form for unit, form in units if extent <= unit * FINEST), units[-1][1])
    named = [moment.strftime(form) for moment in moments]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(named))}
    return [(numbers[text], text) for text in named]


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
