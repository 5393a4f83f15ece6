"""Ranges: the interval that a number falls in, at each level."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from math import isfinite, isnan
from typing import Any, ClassVar

from sfumato.errors import HierarchyError, did_you_mean
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.grid import EXACT, Grid
from sfumato.hierarchies.hierarchy import Counts
from sfumato.tables.engine import literal

NO_NUMBER = "are no numbers"
# Records on either side that say nothing about a grid: as many as classes usually have at least. Chosen, not measured.
OUTERMOST = 5
FINEST = 1000  # steps between the ends: a cut is a round number, and not somebody's value


class Style(StrEnum):
    """How an interval is written. It holds its lower end and not its upper one, however it is written."""

    BRACKETS = "brackets"  # [18, 40)
    DASHES = "dashes"  # 18--40
    INTEGERS = "integers"  # 18-39, for whole numbers


@dataclass(frozen=True)
class Ranges(Formula):
    """Ranges between cuts, one row of cuts per level; below the first cut and from the last one on are ranges too.

    >>> ages = Ranges(((18, 40, 65), (40,)))
    >>> [ages.label("39", level) for level in range(4)]
    ['39', '[18, 40)', '<40', '*']
    """

    cuts: tuple[tuple[float, ...], ...]
    style: str = Style.BRACKETS
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the builder, if that needs no data; else the cuts

    expects: ClassVar[str] = NO_NUMBER

    def __post_init__(self) -> None:
        object.__setattr__(self, "style", style_named(self.style))
        for row in self.cuts:
            if not row or not all(map(isfinite, row)) or any(a >= b for a, b in pairwise(row)):
                raise HierarchyError("Edges must be finite numbers in increasing order, each of them once.")
            if self.style is Style.INTEGERS and not all(float(cut).is_integer() for cut in row):
                raise HierarchyError("The style integers (18-39) needs edges that are whole numbers.")
        if any(not set(upper) <= set(lower) for lower, upper in pairwise(self.cuts)):
            raise HierarchyError("Ranges overlap: every edge of a level must be an edge of the level below it too.")

    @property
    def height(self) -> int:
        return len(self.cuts) + 1

    def settled(self) -> dict[str, Any]:
        if self.settings:
            return dict(self.settings)
        if not self.cuts:
            return {"kind": "priority", "kept": []}  # nothing between the values and the top
        style = {} if self.style is Style.BRACKETS else {"style": str(self.style)}
        return {"kind": "intervals", "cuts": [list(row) for row in self.cuts], **style}

    def places(self, text: str) -> bool:
        return number_in(text) is not None

    def unplaced(self, value: str) -> str:
        return f"({value} IS NOT NULL AND {number_sql(value)} IS NULL)"

    def _label(self, text: str, level: int) -> str | None:
        number = number_in(text)
        return None if number is None else self.labels(level)[bisect_right(self.cuts[level - 1], number)]

    def labels(self, level: int) -> tuple[str, ...]:
        """Every range of a level, lowest first."""
        cuts = self.cuts[level - 1]
        last = f"{short(cuts[-1])}+" if self.style is Style.INTEGERS else f">={short(cuts[-1])}"
        return (f"<{short(cuts[0])}", *(interval(short(a), short(b), self.style) for a, b in pairwise(cuts)), last)

    def _sql(self, value: str, level: int) -> str:
        number, cuts, labels = number_sql(value), self.cuts[level - 1], self.labels(level)
        below = " ".join(f"WHEN {number} < {literal(float(cut))} THEN {literal(label)}"
                         for cut, label in zip(cuts, labels, strict=False))  # fmt: skip
        return f"CASE {below} WHEN {number} >= {literal(float(cuts[-1]))} THEN {literal(labels[-1])} END"


def interval(low: str, high: str, style: str) -> str:
    """An interval in words; with integers the upper end is the last number inside.

    >>> [interval("18", "40", style) for style in Style]
    ['[18, 40)', '18--40', '18-39']
    """
    if style == Style.BRACKETS:
        return f"[{low}, {high})"
    if style == Style.DASHES:
        return f"{low}--{high}"
    last = str(int(high) - 1)
    return low if low == last else f"{low}-{last}"


def style_named(style: str) -> Style:
    """The style by its name."""
    if style not in list(Style):
        raise HierarchyError(f"There is no style {style!r}.{did_you_mean(str(style), list(Style))}")
    return Style(style)


def number_in(text: str) -> float | None:
    """The number that a text is; None where it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return None if isnan(number) or "_" in text else number


def number_sql(value: str) -> str:
    """The number that a SQL expression is, as its text says: 0.7 in single precision is 0.7, and not 0.699999988."""
    plain = f"nullif(TRY_CAST({value} AS DOUBLE), CAST('NaN' AS DOUBLE))"
    return f"CASE WHEN upper(typeof({value})) = 'FLOAT' THEN TRY_CAST(concat('', {value}) AS DOUBLE) ELSE {plain} END"


def numbers_in(counts: Counts) -> list[tuple[float, int]]:
    """The different finite numbers among values, lowest first, and how many records hold each."""
    held: Counter[float] = Counter()
    for text, n in counts.items():
        number = None if text is None else number_in(text)
        if number is not None and isfinite(number):
            held[number] += n
    return sorted(held.items())


def held_by_step(counts: Counts, width: float | None) -> dict[float, int]:
    """How many records each step of a grid holds, by its lower edge; None: a grid of a fine but round width.

    How fine is decided without the outermost records: one person with a large value must not be seen in the width.
    """
    numbers = numbers_in(counts)
    grid = Grid.fitting(between_outermost(numbers), FINEST) if width is None else Grid(width)
    held: Counter[float] = Counter()
    for number, n in numbers:
        step = grid.index(number)
        held[number if step is None else grid.edge(step)] += n
    return dict(sorted(held.items()))


def between_outermost(numbers: Sequence[tuple[float, int]]) -> list[float]:
    """The numbers, lowest first, without those of the outermost records on either side: five, or a tenth of few.

    >>> between_outermost([(1, 30), (2, 30), (98761, 1)]), between_outermost([(1, 1), (7, 1)])
    ([1, 2], [1, 7])
    """
    records, below, inner = sum(n for _, n in numbers), 0, []
    least = min(OUTERMOST, records // 10)
    for number, n in numbers:
        if below + n > least and records - below > least:
            inner.append(number)
        below += n
    return inner


def check_whole(style: str, counts: Counts) -> None:
    """Refuse to write real numbers in the style of whole ones: 39.5 is neither in 18-39 nor in 40-64."""
    real = sum(not number.is_integer() for number, _ in numbers_in(counts))
    if style == Style.INTEGERS and real:
        raise HierarchyError(
            f"The style integers (18-39) is for whole numbers, and {real} different value{'s' * (real != 1)} "
            f"{'is' if real == 1 else 'are'} not whole. Use the style brackets or dashes."
        )


def thinned(cuts: Sequence[float], factor: int) -> tuple[tuple[float, ...], ...]:
    """Rows of cuts for rising levels: so many neighbouring ranges become one, until all are.

    >>> thinned((1, 2, 3, 4, 5, 6, 7), 2)
    ((1, 2, 3, 4, 5, 6, 7), (2, 4, 6), (4,))
    """
    check_factor(factor)
    rows = []
    while cuts:
        rows.append(tuple(cuts))
        cuts = cuts[factor - 1 :: factor]
    return tuple(rows)


def check_factor(factor: int) -> None:
    """Whether so many ranges can become one."""
    if factor < 2:
        raise HierarchyError("The factor must be 2 or more: that many neighbours become one at the next level.")


def short(number: float) -> str:
    """A number as people write it: 18, 0.5.

    >>> short(18.0), short(0.5)
    ('18', '0.5')
    """
    return str(int(number)) if float(number).is_integer() and abs(number) < EXACT else repr(float(number))


def as_numbers(numbers: Iterable[float]) -> tuple[float, ...]:
    """Whole numbers whole, so that they are written as people write them."""
    return tuple(int(n) if float(n).is_integer() and abs(n) < EXACT else float(n) for n in numbers)
