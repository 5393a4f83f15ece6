"""Categories for a chart: the commonest by name, the others together, and none that is about a few people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sfumato.show.sheet import counted

SMALLEST = 11  # records: fewer than that are not shown by themselves
MOST = 15  # categories that are shown by name


class CategoryCounts(NamedTuple):
    """A value or label, and how many records have it in the original and in the release."""

    label: str | None
    before: int
    after: int
    values: int = 1  # how many values it stands for

    def small(self, smallest: int) -> bool:
        """Whether it is about a few people, in either table; nobody is nobody."""
        return 0 < self.before < smallest or 0 < self.after < smallest


def masked(rows: Iterable[CategoryCounts], *, smallest: int = SMALLEST, most: int = MOST) -> list[CategoryCounts]:
    """The commonest categories, those of the original first, then the others together, then the small ones together.

    No count that is left is below `smallest`, unless it is 0: where the small ones together are still few, the least
    common category joins them. Where there are fewer records than that in all, nothing is left.

    >>> rows = [("A", 40, 38), ("B", 20, 20), ("C", 9, 8), ("D", 3, 3)]
    >>> for row in masked((CategoryCounts(*row) for row in rows), most=1):
    ...     print(row.label, row.before, row.after, row.values)
    A 40 38 1
    other (1 value) 20 20 1
    fewer than 11 records (2 values) 12 11 2
    """
    ordered = sorted(rows, key=lambda row: (-max(row.before, row.after), row.label is None, row.label or ""))
    large = [row for row in ordered if not row.small(smallest) and row.values == 1]
    hidden = [row for row in ordered if row.small(smallest)]
    other = large[most:] + [row for row in ordered if not row.small(smallest) and row.values > 1]
    named = sorted(large[:most], key=lambda row: not row.before)
    few = _sum(f"fewer than {smallest} records", hidden)
    while few.small(smallest) and (other or named):
        few = _sum(f"fewer than {smallest} records and next", [few, _taken(other or named, few)])
    if few.small(smallest):
        return []
    ends = [_sum("other", other), few]
    return named + [end._replace(label=f"{end.label} ({counted(end.values, 'value')})") for end in ends if end.values]


def _taken(pool: list[CategoryCounts], few: CategoryCounts) -> CategoryCounts:
    """Take the least common category that has records in the table in which they lack."""
    helpful = [row for row in pool if (row.before or not few.before) and (row.after or not few.after)]
    row = (helpful or pool)[-1]
    pool.remove(row)
    return row


def _sum(label: str, rows: Sequence[CategoryCounts]) -> CategoryCounts:
    before, after = sum(row.before for row in rows), sum(row.after for row in rows)
    return CategoryCounts(label, before, after, sum(row.values for row in rows))
