"""Released labels: what may be shown of the values of a column."""

from __future__ import annotations

from dataclasses import replace

from sfumato.proof.report.reported_release import ReportedRelease
from sfumato.proof.report.small_numbers import SmallNumberMask
from sfumato.show.charts.boxes import DensityBox, joined
from sfumato.show.charts.categories import CategoryCounts, masked
from sfumato.tables.engine import quoted
from sfumato.utility.distributions import Categories, Numbers, distribution
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import ValueChange

NAMED = 12  # categories that are shown by name: what a chart of one screen can label. Chosen, not measured


def common_labels(released: ReportedRelease | None, name: str, mask: SmallNumberMask) -> set[str]:
    """The labels of a released column that at least as many records share as may be shown."""
    if released is None or name not in released.columns:
        return set()
    key = ("labels", name, mask.least)
    if key not in released.known:  # three parts of the report ask for them
        table, column = released.dataset.table, quoted(name)
        rows = table.engine.fetch(
            f"SELECT CAST({column} AS VARCHAR) FROM {table} WHERE {column} IS NOT NULL "
            f"GROUP BY {column} HAVING count(*) >= {mask.least}"
        )
        released.known[key] = frozenset(str(label) for (label,) in rows)
    return set(released.known[key])


def shown_distribution(
    compared: Comparison, name: str, labels: set[str], mask: SmallNumberMask
) -> Categories | Numbers:
    """A column before and after, in labels of the release only.

    A value of the original that is no label which enough released records share is shown with others, without a name.
    Ranges of numbers and dates end on a round grid. Counts are rounded to multiples of the smallest group that may be
    shown: the difference of two would tell how many were left out.
    """
    spread = distribution(compared, name)
    note = _note(compared, name, mask)
    if isinstance(spread, Categories):
        rows = masked(_named(spread.rows, labels), smallest=mask.least, most=NAMED)
        return replace(spread, rows=tuple(_rounded_row(row, mask) for row in rows), note=note)
    original, released = (
        tuple(box._replace(records=rounded(box.records, mask)) for box in joined(boxes, mask.least))
        for boxes in (spread.original, _placed(spread))
    )
    return replace(spread, original=original, released=released, note=note)


def rounded(n: int, mask: SmallNumberMask) -> int:
    """A count as a multiple of the smallest group that may be shown.

    >>> [rounded(n, SmallNumberMask(11)) for n in (0, 11, 16, 17, 1000)], rounded(7, SmallNumberMask(1))
    ([0, 11, 11, 22, 1001], 7)
    """
    return mask.least * ((2 * n + mask.least) // (2 * mask.least))


def _rounded_row(row: CategoryCounts, mask: SmallNumberMask) -> CategoryCounts:
    return row._replace(before=rounded(row.before, mask), after=rounded(row.after, mask), values=1)


def _named(rows: tuple[CategoryCounts, ...], labels: set[str]) -> tuple[CategoryCounts, ...]:
    """The rows that are labels of the release, and all others as one."""
    kept = tuple(row for row in rows if row.label is None or (row.label in labels and row.values == 1))
    others = [row for row in rows if row not in kept]
    if not others:
        return kept
    before, after = sum(row.before for row in others), sum(row.after for row in others)
    # two values or more, so that the chart does not give them a name of their own
    return (*kept, CategoryCounts("other", before, after, max(2, sum(row.values for row in others))))


def _placed(numbers: Numbers) -> list[DensityBox]:
    """The boxes of the release with their ends on the round grid of the original: a label may end at a value."""
    if not numbers.original:
        return []
    start, step = numbers.original[0].low, min(box.high - box.low for box in numbers.original)
    placed = []
    for box in numbers.released:
        low, high = (start + step * round((end - start) / step) for end in (box.low, box.high))
        placed.append(DensityBox(low, max(high, low + step), box.records))
    return placed


def _note(compared: Comparison, name: str, mask: SmallNumberMask) -> str:
    """What the picture does not show."""
    cells = compared.cells[name]
    if cells.column.dropped:
        return "The release does not have the column."
    gone = cells.changes[ValueChange.GONE]
    share = f"{mask.share(gone / cells.records, cells.records)} of the values are suppressed. " if gone else ""
    return share + (f"Counts are rounded to multiples of {mask.least}." if mask.least > 1 else "")
