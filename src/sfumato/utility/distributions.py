"""Distributions: how the values of a column are spread in the original, and their labels in the release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite, log2
from typing import TYPE_CHECKING

from sfumato.errors import UnknownColumn
from sfumato.hierarchies.grid import Grid
from sfumato.show.charts.boxes import DensityBox
from sfumato.show.charts.categories import SMALLEST, CategoryCounts
from sfumato.show.charts.distribution import categories, numbers
from sfumato.show.sheet import counted
from sfumato.tables.engine import Row, Table, listed, literal
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.interval_label import IntervalLabel
from sfumato.utility.paired.label_levels import KEPT, ValueChange, interval_of

if TYPE_CHECKING:
    from sfumato.show.charts.chart import Chart
    from sfumato.utility.paired.column_cells import ColumnCells

# The first three are chosen, not measured: what a chart can show, and what is fetched quickly.
BINS = 60  # of a histogram, at most
NAMED = 1000  # categories that are fetched one by one
LABELS = 200  # of numbers, that are drawn as ranges of their own
# A number that can be drawn, and a difference as a share of numbers: a double has 15 to 16 digits, and the steps of the
# grid must differ in some of them.
LARGEST, FINEST = 1e15, 1e-12
DRAWN = f"value IS NOT NULL AND abs(x) < {literal(LARGEST)}"  # a missing value has a place, but no number


@dataclass(frozen=True)
class Categories:
    """The records that have each value or label, in the original and in the release."""

    name: str
    rows: tuple[CategoryCounts, ...]
    note: str = ""

    def chart(self, smallest: int = SMALLEST) -> Chart:
        """Both beside each other; categories of fewer than `smallest` records are shown together."""
        return categories(self.name, self.rows, note=self.note, smallest=smallest)


@dataclass(frozen=True)
class Numbers:
    """A histogram of the original, and the ranges that the labels of the release stand for with their records."""

    name: str
    original: tuple[DensityBox, ...]
    released: tuple[DensityBox, ...]
    moment: bool = False  # whether the numbers are days since 1970
    note: str = ""

    def chart(self, smallest: int = SMALLEST) -> Chart:
        """Their densities in one picture; boxes of fewer than `smallest` records are shown with their neighbours."""
        return numbers(self.name, self.original, self.released, moment=self.moment, note=self.note, smallest=smallest)


def distribution(compared: Comparison, name: str) -> Categories | Numbers:
    """How one column is spread, before and after; numbers and dates by how dense they lie, all else by value.

    The counts are those of the tables, few people or many: it is the chart that hides the small ones.

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> distribution(recoded_ages("full-domain"), "age").released
    (DensityBox(low=20, high=40, records=1), DensityBox(low=40, high=60, records=2), \
DensityBox(low=60, high=80, records=3))
    """
    if name not in compared.cells:
        raise UnknownColumn(name, compared.cells)
    cells = compared.cells[name]
    return _numbers(cells) if cells.numeric else Categories(name, _categories(cells.table), _note(cells))


def _categories(table: Table) -> tuple[CategoryCounts, ...]:
    """The commonest values and labels, and all others as one."""
    engine = table.engine
    texts = engine.view(f"""
        SELECT text, CAST(sum(before) AS BIGINT) AS before, CAST(sum(after) AS BIGINT) AS after
        FROM (SELECT value AS text, n AS before, 0 AS after FROM {table}
              UNION ALL SELECT label AS text, 0 AS before, n AS after FROM {table} WHERE NOT gone) AS counted
        GROUP BY text""")
    commonest = engine.fetch(f"""
        SELECT text, before, after FROM {texts}
        ORDER BY greatest(before, after) DESC, text NULLS LAST LIMIT {NAMED}""")
    named = tuple(CategoryCounts(text, int(before), int(after)) for text, before, after in commonest)
    everything = engine.fetch(f"SELECT count(*), sum(before), sum(after) FROM {texts}")[0]
    values, before, after = (int(n or 0) for n in everything)
    rest = values - len(named)
    if not rest:
        return named
    left = before - sum(row.before for row in named), after - sum(row.after for row in named)
    return (*named, CategoryCounts("other", *left, values=rest))


def _numbers(cells: ColumnCells) -> Numbers:
    """The histogram of the original, and the boxes of the release."""
    engine, grid = cells.table.engine, _grid(cells)
    original = _counted(grid, cells.table, "x", DRAWN)
    kept = f"change IN ({listed(map(literal, KEPT))}) AND lo IS NOT NULL"
    released = _counted(grid, cells.table, "lo", f"NOT gone AND label IS NOT NULL AND {kept}")
    own = f"CASE WHEN change = {literal(ValueChange.BROADER)} AND value IS NOT NULL THEN x END"
    ranges = engine.view(f"""
        SELECT label, min({own}) AS lo, max({own}) AS hi, CAST(sum(n) AS BIGINT) AS n FROM {cells.table}
        WHERE NOT gone AND label IS NOT NULL AND NOT ({kept}) GROUP BY label""")
    note = ""
    if int(engine.fetch(f"SELECT count(*) FROM {ranges}")[0][0]) <= LABELS:
        labels = engine.fetch(f"SELECT label, lo, hi, n FROM {ranges}")
        released += _boxes(labels, cells, grid, original)
        note = _contradicted(labels, cells)
    else:  # they are many, and so they are narrow
        released += _counted(grid, ranges, "(lo + hi) / 2", "TRUE")
    note = " ".join(filter(None, (_note(cells, {"original": original, "release": released}), note)))
    return Numbers(
        name=cells.column.name,
        original=tuple(original),
        released=tuple(sorted(released)),
        moment=cells.column.moment,
        note=note,
    )


def _grid(cells: ColumnCells) -> Grid:
    r"""Steps of a round width, not below that of Freedman and Diaconis and not more than 60 of them.

    .. math:: h = 2 \cdot IQR \cdot n^{-1/3}

    Without a spread in the middle half, about as many as Sturges has: :math:`1 + \log_2 n`.
    """
    held = f"SELECT x, sum(n) AS n FROM {cells.table} WHERE {DRAWN} GROUP BY x"
    below = f"SELECT x, sum(n) OVER (ORDER BY x) AS below, sum(n) OVER () AS records FROM ({held}) AS held"
    low, high, first, third, records = cells.table.engine.fetch(f"""
        SELECT min(x), max(x), min(CASE WHEN 4 * below >= records THEN x END),
            min(CASE WHEN 4 * below >= 3 * records THEN x END), max(records)
        FROM ({below}) AS cumulated""")[0]
    if low is None or low == high:
        return Grid(1)
    extent = max(float(high) - float(low), FINEST * max(abs(float(low)), abs(float(high))))
    usual = 2 * (float(third) - float(first)) / int(records) ** (1 / 3)
    parts = min(BINS, ceil(extent / usual) if usual else 1 + ceil(log2(int(records))))
    start = 0 if cells.column.whole else 0.5  # a grid is of whole numbers where its ends are
    return Grid.fitting([start, start + extent], parts)


def _counted(grid: Grid, table: Table, number: str, which: str) -> list[DensityBox]:
    """The records of each step of the grid; a number too large for its steps has none."""
    rows = table.engine.fetch(f"""
        SELECT step, CAST(sum(n) AS BIGINT)
        FROM (SELECT {grid.index_sql(f"({number})")} AS step, n FROM {table} WHERE {which}) AS placed
        WHERE step IS NOT NULL GROUP BY step ORDER BY step""")
    return [DensityBox(grid.edge(int(step)), grid.edge(int(step) + 1), int(n)) for step, n in rows]


def _boxes(rows: Iterable[Row], cells: ColumnCells, grid: Grid, original: Sequence[DensityBox]) -> list[DensityBox]:
    """The ranges of the labels: as they say it themselves, or else that of the values that they were given to.

    An open end reaches as far as the histogram of the original. A label that no number is known of has no box.
    """
    ends = (original[0].low, original[-1].high) if original else (inf, -inf)
    boxes = []
    for label, lo, hi, n in rows:
        interval = _interval(str(label), cells, lo, hi)
        low, high = (
            ends[0] if interval.low is None else interval.low,
            ends[1] if interval.high is None else interval.high,
        )
        step = grid.index(low) if isfinite(low) else None
        if high > low:
            boxes.append(DensityBox(low, high, int(n)))
        elif step is not None:  # one number, which is as wide as any other
            boxes.append(DensityBox(grid.edge(step), grid.edge(step + 1), int(n)))
    return boxes


def _interval(label: str, cells: ColumnCells, lo: float | None, hi: float | None) -> IntervalLabel:
    """From where to where a label reaches."""
    interval = interval_of(label, cells.column)
    if lo is None or hi is None or max(-lo, hi) >= LARGEST:
        return interval or IntervalLabel(inf, -inf)
    return interval if interval and interval.meets(lo, hi) else IntervalLabel(float(lo), float(hi) + cells.column.whole)


def _contradicted(rows: Iterable[Row], cells: ColumnCells) -> str:
    """How many labels say something else than the values that they were given to."""
    ranges = ((interval_of(str(label), cells.column), lo, hi) for label, lo, hi, _ in rows if lo is not None)
    wrong = sum(interval is not None and not interval.holds(lo, hi) for interval, lo, hi in ranges)
    hold = "holds values outside its range" if wrong == 1 else "hold values outside their range"
    return f"{counted(wrong, 'label')} of the release {hold}." if wrong else ""


def _note(cells: ColumnCells, boxes: Mapping[str, Sequence[DensityBox]] | None = None) -> str:
    """What the picture does not show."""
    if cells.column.dropped:
        return "The release does not have the column."
    gone = cells.changes[ValueChange.GONE]
    parts = [f"{_share(gone, cells.records)} of the values are suppressed."] if gone else []
    there = {"original": cells.records, "release": cells.records - gone}
    for side, drawn in (boxes or {}).items():
        left = there[side] - sum(box.records for box in drawn)
        if left:
            parts.append(f"{_share(left, there[side])} of those in the {side} are missing, or no numbers to draw.")
    return " ".join(parts)


def _share(n: int, records: int) -> str:
    """A share in per cent: 7.2 %, below 0.1 %."""
    percent = 100 * n / records
    return f"{percent:.1f} %" if percent >= 0.1 else "Below 0.1 %"
