"""Intervals: numbers in steps of one width, or between given edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.columns.profile import ColumnProfile
from sfumato.errors import HierarchyError
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.grid import Grid
from sfumato.hierarchies.hierarchy import Counts
from sfumato.hierarchies.ranges import (
    NO_NUMBER,
    Ranges,
    Style,
    as_numbers,
    between_outermost,
    check_factor,
    check_whole,
    interval,
    number_in,
    number_sql,
    numbers_in,
    style_named,
)

FEW = 100  # records: fewer than that, ten to a range (`density`), say little about where people are dense
WIDEST = 10**12  # of an interval, whose edges SQL writes with 18 digits. Chosen, not measured
STEPS = 10  # about so many steps where nothing is known. Chosen, not measured


@dataclass(frozen=True)
class Intervals(Builder):
    """Numbers by the interval that they fall in; at each further level `factor` neighbours become one.

    Give one of: `width`, with an `origin` where a step begins; `edges`, lowest first; or `cuts`, the edges of every
    level. An interval holds its lower edge and not its upper one. With a width, `levels` is the number of levels
    below the top; without it, as many as leave more than one or two intervals.

    >>> Intervals(width=5).build(["23", "25", "32", None]).lines
    (('23', '[20, 25)', '[20, 30)', '*'), ('25', '[25, 30)', '[20, 30)', '*'), ('32', '[30, 35)', '[30, 40)', '*'))
    >>> Intervals(edges=(18, 40, 70), style="dashes").build(["39", "41", "80"]).lines
    (('39', '18--40', '18--70', '*'), ('41', '40--70', '18--70', '*'), ('80', '>=70', '>=70', '*'))
    """

    plainly: ClassVar[str] = "numbers in intervals of one width, or between given edges"
    rules: ClassVar[tuple[str, ...]] = ("edges",)  # people give them; cuts are found in the data
    width: float | None = None
    origin: float = 0
    edges: tuple[float, ...] = ()
    cuts: tuple[tuple[float, ...], ...] = ()
    factor: int = 2
    levels: int | None = None
    style: str = Style.BRACKETS

    def __post_init__(self) -> None:
        check_factor(self.factor)
        object.__setattr__(self, "style", style_named(self.style))
        object.__setattr__(self, "edges", as_numbers(self.edges))
        object.__setattr__(self, "cuts", tuple(as_numbers(row) for row in self.cuts))
        if (self.width is not None) + bool(self.edges) + bool(self.cuts) != 1:
            raise HierarchyError("Intervals need either a width (width=5) or edges (edges=0,18,65), and not both.")
        if self.levels is not None and self.levels < 1:
            raise HierarchyError("Intervals need at least one level below the top.")
        if self.width is None:
            self._ranges()

    def formula(self, counts: Counts) -> Formula:
        check_whole(self.style, counts)
        if self.width is None:
            return self._ranges()
        grid = Grid(*as_numbers((self.width, self.origin)))
        return EqualIntervals(grid, self.factor, self.levels or _needed(grid, self.factor, counts), self.style)

    def _ranges(self) -> Ranges:
        rows = self.cuts or _merged(self.edges, self.factor)
        return Ranges(rows[: self.levels], self.style, self.settings())

    def sql(self, value: str, level: int) -> str:
        if self.width is not None and self.levels is None:
            raise self.unfitted()
        return super().sql(value, level)

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        numbers = [number for number in map(number_in, column.sample) if number is not None]
        if not column.kind.numeric or column.known <= 2 or len(set(numbers)) < 3:
            return None
        inner = between_outermost([(number, 1) for number in sorted(set(numbers))])
        width = Grid.fitting(inner, STEPS).width
        why = f"It holds numbers, of too few records to see where people are dense: steps of {width}."
        return Offer(cls(width=width), why, 0.5 if column.present < FEW else 0.3)


@dataclass(frozen=True)
class EqualIntervals(Formula):
    """Steps of a grid; at each further level `factor` of them become one."""

    grid: Grid
    factor: int
    levels: int
    style: str

    expects: ClassVar[str] = NO_NUMBER + ", or too large for intervals of this width"

    def __post_init__(self) -> None:
        if self.style == Style.INTEGERS and self.grid.places:
            raise HierarchyError("The style integers (18-39) needs a width and an origin that are whole numbers.")
        if self._merged(self.levels) * self.grid.width >= WIDEST:
            raise HierarchyError("There are too many levels: the intervals of the last one are wider than any number.")

    @property
    def height(self) -> int:
        return self.levels + 1

    def settled(self) -> dict[str, Any]:
        return Intervals(
            width=self.grid.width, origin=self.grid.origin, factor=self.factor, levels=self.levels, style=self.style
        ).settings()

    def _label(self, text: str, level: int) -> str | None:
        number = number_in(text)
        step = None if number is None else self.grid.index(number)
        if step is None:
            return None
        low = step // self._merged(level) * self._merged(level)
        first, second = (self.grid.text(self.grid.edge(low + more)) for more in (0, self._merged(level)))
        return interval(first, second, self.style)

    def _sql(self, value: str, level: int) -> str:
        merged, step = float(self._merged(level)), self.grid.index_sql(number_sql(value))
        low = step if merged == 1 else f"(floor(({step}) / {merged!r}) * {merged!r})"
        first = self.grid.text_sql(self.grid.edge_sql(f"({low})"))
        if self.style == Style.INTEGERS:
            last = self.grid.text_sql(f"({self.grid.edge_sql(f'({low} + {merged!r})')} - 1)")
            return f"'' || {first}" if merged * self.grid.width == 1 else f"{first} || '-' || {last}"
        second = self.grid.text_sql(self.grid.edge_sql(f"({low} + {merged!r})"))
        return (
            f"'[' || {first} || ', ' || {second} || ')'"
            if self.style == Style.BRACKETS
            else f"{first} || '--' || {second}"
        )

    def _merged(self, level: int) -> int:
        """How many steps are one at a level."""
        return int(self.factor ** (level - 1))


def _merged(edges: Sequence[float], factor: int) -> tuple[tuple[float, ...], ...]:
    """The edges of each level; the outermost ones stay, so that what lies outside stays apart."""
    if len(edges) < 2:
        raise HierarchyError("Intervals need at least two edges.")
    rows = [tuple(edges)]
    while len(rows[-1]) > 2:
        row = rows[-1]
        rows.append((*row[:-1:factor], row[-1]))
    return tuple(rows)


def _needed(grid: Grid, factor: int, counts: Counts) -> int:
    """The levels after which no more than two intervals are left."""
    steps = [step for step in (grid.index(number) for number, _ in numbers_in(counts)) if step is not None]
    levels = 1
    while steps and max(steps) // factor ** (levels - 1) - min(steps) // factor ** (levels - 1) > 1:
        levels += 1
    return levels
