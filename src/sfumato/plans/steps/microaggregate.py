"""Microaggregate: the mean of at least k records instead of each record's own value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.plans.blocks.parameters import choice, column_names, whole
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, listed, quoted

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole

METHODS = ("mdav", "univariate")
STATISTICS = ("mean", "median")
TOO_FEW = ("error", "clear")
# Up to so many records MDAV runs as published, on all of them together: a second or two of work.
WHOLE = 10_000
# Of more, so many groups come from one cell. On twelve tables of 20,000 records that lost 2 to 15 % more than MDAV on
# all of them; 192 groups lost 6 to 22 % in half the time, 1,536 at most 6 % in two and a half times the time.
CELL_GROUPS = 512
STACKED = 32_768  # records of cells that are grouped at once: NumPy's calls do not count then, and the cache holds them
ORDERED = (Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TIMESTAMP)


@dataclass(frozen=True)
class Microaggregate(Transformation):
    r"""Groups of at least k records that lie near each other; each record gets the mean of its group.

    .. math:: x'_i = \frac{1}{|G|} \sum_{j \in G} x_j, \quad i \in G, \quad |G| \ge k

    method
        `mdav`: groups over all columns together, by distance after each column is scaled to mean 0 and deviation 1.
        Every combination of the columns is then shared by k records at least. `univariate`: each column on its own,
        sorted and cut into groups of k. Less is lost, but combinations of columns may still be unique.
    statistic
        `mean` or `median` of the group. Whole numbers and dates are rounded to whole numbers and days.
    too_few
        A missing value stays missing and counts for no group: records that lack the same columns are grouped among
        themselves. Fewer than k of them are an `error`, or with `clear` become missing in all columns of the step.

    All records are taken together, several of one person too, so k records may be fewer persons. Nothing is drawn at
    random; of equal distances the record with the lower number comes first. The columns are brought into memory.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002). Practical data-oriented microaggregation for statistical disclosure control.
    IEEE Trans. Knowledge and Data Engineering 14(1), 189-201.

    Examples
    --------
    >>> Microaggregate("age", k=3, method="univariate").examples()
    (('23, 25, 27, 41, 44, 47, 51', '25, 25, 25, 46, 46, 46, 46'),)
    """

    columns: tuple[str, ...]
    k: int = 3
    method: str = "mdav"
    statistic: str = "mean"
    too_few: str = "error"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_names(self, self.columns))
        whole(self, "k", self.k, 2)
        choice(self, "method", self.method, METHODS)
        choice(self, "statistic", self.statistic, STATISTICS)
        choice(self, "too_few", self.too_few, TOO_FEW)

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        import pyarrow as pa

        for column in self.columns:
            if draft.kind(column) not in ORDERED:
                raise self.wrong(f"the column {column!r} holds {draft.kind(column).value}, neither numbers nor dates.")
        fetched = self._fetched(draft)
        aggregated = self._aggregated(np.column_stack([_numbers(column) for column in fetched.columns[1:]]))
        kinds = [draft.kind(column) for column in self.columns]
        typed = [_typed(v, c.type, kind) for v, c, kind in zip(aggregated.T, fetched.columns[1:], kinds, strict=True)]
        names = ["number", *(f"value_{i}" for i in range(len(typed)))]
        table = draft.engine.load(pa.table([fetched.columns[0], *typed], names=names))
        return draft.changed(
            {column: f"aggregated.value_{i}" for i, column in enumerate(self.columns)},
            join=f"JOIN {table} AS aggregated ON aggregated.number = {draft.number}",
        )

    def explained(self) -> str:
        together = "over all these columns together" if self.method == "mdav" else "in each column on its own"
        return (
            f"Puts records into groups of at least {self.k} that lie near each other, {together}, and replaces "
            f"{', '.join(self.columns)} by the {self.statistic} of the group."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        before = np.array([23.0, 25, 27, 41, 44, 47, 51])
        if len(before) < self.k or len(self.columns) > 1:
            return ()
        after = _whole(self._grouped(before[:, None])[:, 0])
        return ((listed(f"{value:g}" for value in before), listed(f"{value:g}" for value in after)),)

    def _fetched(self, draft: Draft) -> Any:
        columns = listed(f"record.{quoted(column)} AS value_{i}" for i, column in enumerate(self.columns))
        return draft.engine.arrow(f"SELECT {draft.number} AS number, {columns} FROM {draft.table} AS record ORDER BY 1")

    def _aggregated(self, values: Real) -> Real:
        """The new values, not a number where there is none."""
        endless = np.flatnonzero(np.isinf(values).any(axis=1))
        if len(endless):
            raise self.wrong(f"{len(endless)} records hold infinite numbers; clear or correct them first.")
        aggregated, short = np.full(values.shape, np.nan), 0
        for rows, columns in self._parts(np.isnan(values)):
            if len(rows) >= self.k:
                aggregated[np.ix_(rows, columns)] = self._grouped(values[np.ix_(rows, columns)])
            else:
                short += len(rows)
        if short and self.too_few == "error":
            raise self.wrong(
                f"{short} record{'s' * (short != 1)} cannot be grouped: fewer than {self.k} have values in the same "
                "columns. Take fewer columns or a smaller k, or clear these values with `too_few: clear`."
            )
        return aggregated

    def _parts(self, missing: Flags) -> Iterator[tuple[Any, Any]]:
        """Rows and columns that are grouped by themselves: those without a gap."""
        if self.method == "univariate":
            yield from ((np.flatnonzero(~missing[:, i]), np.array([i])) for i in range(missing.shape[1]))
            return
        patterns, members = np.unique(missing, axis=0, return_inverse=True)
        for i, pattern in enumerate(patterns):
            if not pattern.all():
                yield np.flatnonzero(members.ravel() == i), np.flatnonzero(~pattern)

    def _grouped(self, values: Real) -> Real:
        one = self.method == "univariate"
        labels = sorted_groups(values[:, 0], self.k) if one else mdav(standardised(values), self.k)
        statistic = means if self.statistic == "mean" else medians
        return np.column_stack([statistic(column, labels) for column in values.T])


def _numbers(column: Any) -> Real:
    """A column of Arrow as real numbers, days or microseconds; not a number where it is null."""
    import pyarrow as pa

    if pa.types.is_date(column.type):
        column = column.cast(pa.date32()).cast(pa.int32())
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", tz=column.type.tz), safe=False).cast(pa.int64())
    numbers: Real = column.cast(pa.float64(), safe=False).combine_chunks().to_numpy(zero_copy_only=False)
    return numbers


def _typed(values: Real, declared: Any, kind: Kind) -> Any:
    """New values in the type of the column they come from."""
    import pyarrow as pa

    null = np.isnan(values)
    if kind is Kind.REAL:
        return pa.array(values, mask=null)
    integers = pa.array(_whole(np.where(null, 0, values)).astype("int64"), mask=null)
    if kind is Kind.INTEGER:
        return integers.cast(declared) if pa.types.is_integer(declared) else integers
    if kind is Kind.DATE:
        return integers.cast(pa.int32()).cast(pa.date32())
    return integers.cast(pa.timestamp("us", tz=declared.tz))


def _whole(values: Real) -> Real:
    return np.floor(values + 0.5)


def mdav(points: Real, k: int, *, whole: int = WHOLE) -> Whole:
    r"""The group of each point, by maximum distance to the average vector (MDAV).

    While 3k points or more are left: the one farthest from their mean, r, and its k - 1 nearest are a group; then the
    one of the rest that is farthest from r, and its k - 1 nearest. Of 2k to 3k - 1 points, r and its nearest are a
    group and the others are another; fewer stay together. Equal distances: the lower number first.

    Each group holds k to 2k - 1 points. The time grows with the square of the number of points over k; more points
    than `whole` are therefore first cut into cells of points that lie near each other, and each cell is grouped by
    itself, so that the time grows with their number. What that loses is said in `docs/explanation/performance.md`.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002). Practical data-oriented microaggregation for statistical disclosure control.
    IEEE Trans. Knowledge and Data Engineering 14(1), 189-201.
    Domingo-Ferrer, Torra (2005). Ordinal, continuous and heterogeneous k-anonymity through microaggregation.
    Data Mining and Knowledge Discovery 11(2), 195-212, algorithm 5.1.
    """
    labels, used = np.zeros(len(points), dtype=np.int64), 0
    for stack in _stacks(cells(points, 1 if len(points) <= whole else -(-len(points) // (CELL_GROUPS * k)))):
        inside = _stack_groups(points[stack], k)
        in_each = int(inside.max(initial=0)) + 1
        labels[stack] = inside + used + in_each * np.arange(len(stack))[:, None]
        used += in_each * len(stack)
    return labels


def cells(points: Real, number: int) -> list[Whole]:
    """The places of the points in so many cells, of one size or one more, near each other: the leaves of a k-d tree.

    A cell is cut across the column in which its points differ most. The ends of all cells are laid out beforehand and
    each cut falls on one of them, so that sizes are even; of equal values the lower place goes to the lower side.

    References
    ----------
    Friedman, Bentley, Finkel (1977). An algorithm for finding best matches in logarithmic expected time.
    ACM Trans. Mathematical Software 3(3), 209-226.
    """
    ends = np.arange(number + 1) * len(points) // number
    places, uncut, whole = np.arange(len(points)), [(0, number)], []
    while uncut:
        first, last = uncut.pop()
        inside = slice(ends[first], ends[last])
        if last - first == 1:
            whole.append(np.sort(places[inside]))
            continue
        cell = places[inside]
        across = points[cell, np.argmax(points[cell].var(axis=0))]
        places[inside] = cell[np.lexsort((cell, across))]
        middle = (first + last) // 2
        uncut += [(middle, last), (first, middle)]
    return whole


def _stacks(separate: list[Whole]) -> Iterator[Whole]:
    """Cells of one size as the rows of an array, some at a time."""
    for size in sorted({len(cell) for cell in separate}):
        alike = [cell for cell in separate if len(cell) == size]
        many = max(1, STACKED // max(size, 1))
        yield from (np.stack(alike[i : i + many]) for i in range(0, len(alike), many))


def _stack_groups(points: Real, k: int) -> Whole:
    """MDAV in each cell of a stack at once: they have as many points, so they make their groups in the same steps."""
    every = np.arange(len(points))
    left, label = np.tile(np.arange(points.shape[1]), (len(points), 1)), 0
    labels = np.zeros(left.shape, dtype=np.int64)
    while left.shape[1] >= 2 * k:
        apart = _distances(points, points.mean(axis=1))
        for _ in range(1 if left.shape[1] < 3 * k else 2):
            apart = _distances(points, points[every, np.argmax(apart, axis=1)])
            near = _nearest(apart, k)
            labels[np.repeat(every, k), left[near]] = label
            left, points, apart = _without(near, left), _without(near, points), _without(near, apart)
            label += 1
    np.put_along_axis(labels, left, label, axis=1)
    return labels


def sorted_groups(values: Real, k: int) -> Whole:
    """The group of each value: k at a time from the lowest, the last group with what is left over."""
    labels = np.empty(len(values), dtype=np.int64)
    places = np.arange(len(values)) // k
    labels[np.argsort(values, kind="stable")] = np.minimum(places, max(len(values) // k - 1, 0))
    return labels


def standardised(points: Real) -> Real:
    """Each column with mean 0 and deviation 1, so that units do not matter; a constant column is 0."""
    deviation = points.std(axis=0)
    scaled: Real = (points - points.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    return scaled


def medians(values: Real, labels: Whole) -> Real:
    """The median of its group, for each value."""
    inside = values[np.lexsort((values, labels))]
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    low, high = inside[starts + (sizes - 1) // 2], inside[starts + sizes // 2]
    middle: Real = (low + (high - low) / 2)[labels]
    return middle


def means(values: Real, labels: Whole) -> Real:
    """The mean of its group, for each value; as distances from the median, so that equal values stay as they are."""
    middle = medians(values, labels)
    return middle + (np.bincount(labels, weights=values - middle) / np.bincount(labels))[labels]


def _distances(points: Real, centres: Real) -> Real:
    """Squared distances of the points of each cell from its centre."""
    apart = points - centres[:, None, :]
    squares: Real = np.einsum("cij,cij->ci", apart, apart)
    return squares


def _nearest(distances: Real, k: int) -> Flags:
    """Which k of each cell are nearest; of equal ones the first."""
    limit = np.partition(distances, k - 1, axis=1)[:, k - 1, None]
    near: Flags = distances <= limit
    tied = np.flatnonzero(near.sum(axis=1) > k)
    if len(tied):
        equal, room = (distances == limit)[tied], k - (distances < limit)[tied].sum(axis=1, keepdims=True)
        near[tied] &= ~equal | (np.cumsum(equal, axis=1) <= room)
    return near


def _without(near: Flags, values: Any) -> Any:
    """What is left of each cell without its group."""
    return values[~near].reshape(len(values), -1, *values.shape[2:])
