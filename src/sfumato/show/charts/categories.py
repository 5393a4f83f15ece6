"""Categories for a chart: the commonest by name, the others together, and none that is about a few people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sfumato.show.sheet import counted

SMALLEST = 11  # records: fewer than that are not shown by themselves
MOST = 15  # categories that are shown by name


class Category(NamedTuple):
    """A value or label, and how many records have it in the original and in the release."""

    label: str | None
    before: int
    after: int
    values: int = 1  # how many values it stands for

    def small(self, smallest: int) -> bool:
        """Whether it is about a few people, in either table; nobody is nobody."""
        return 0 < self.before < smallest or 0 < self.after < smallest


def masked(rows: Iterable[Category], *, smallest: int = SMALLEST, most: int = MOST) -> list[Category]:
    """The commonest categories, those of the original first, then the others together, then the small ones together.

    No count that is left is below `smallest`, unless it is 0: where the small ones together are still few, the least
    common category joins them. Where there are fewer records than that in all, nothing is left.

    >>> masked([Category("A", 40, 38), Category("B", 20, 20), Category("C", 9, 8), Category("D", 3, 3)], most=1)
    [Category(label='A', before=40, after=38, values=1), Category(label='other (1 value)', before=20, after=20, \
values=1), Category(label='fewer than 11 records (2 values)', before=12, after=11, values=2)]
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


def _taken(pool: list[Category], few: Category) -> Category:
    """Take the least common category that has records in the table in which they lack."""
    helpful = [row for row in pool if (row.before or not few.before) and (row.after or not few.after)]
    found = (helpful or pool)[-1]
    pool.remove(found)
    return found


def _sum(label: str, rows: Sequence[Category]) -> Category:
    before, after = sum(row.before for row in rows), sum(row.after for row in rows)
    return Category(label, before, after, sum(row.values for row in rows))
