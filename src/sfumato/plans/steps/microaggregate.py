"""Microaggregate: the mean of at least k records instead of each record's own value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sfumato.plans.blocks.microaggregation import mdav, means, medians, numpy, sorted_groups, standardised
from sfumato.plans.blocks.parameters import choice, column_names, whole
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, listed, quoted

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real


METHODS = ("mdav", "univariate")
STATISTICS = {"mean": means, "median": medians}
TOO_FEW = ("error", "clear")
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
        found = self._aggregated(numpy().column_stack([_numbers(column) for column in fetched.columns[1:]]))
        kinds = [draft.kind(column) for column in self.columns]
        typed = [_typed(v, c.type, kind) for v, c, kind in zip(found.T, fetched.columns[1:], kinds, strict=True)]
        names = ["number", *(f"value_{i}" for i in range(len(typed)))]
        table = draft.engine.load(pa.table([fetched.columns[0], *typed], names=names))
        return draft.changed(
            {column: f"found.value_{i}" for i, column in enumerate(self.columns)},
            join=f"JOIN {table} AS found ON found.number = {draft.number}",
        )

    def explained(self) -> str:
        together = "over all these columns together" if self.method == "mdav" else "in each column on its own"
        return (
            f"Puts records into groups of at least {self.k} that lie near each other, {together}, and replaces "
            f"{', '.join(self.columns)} by the {self.statistic} of the group."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        before = numpy().array([23.0, 25, 27, 41, 44, 47, 51])
        if len(before) < self.k or len(self.columns) > 1:
            return ()
        after = _whole(self._grouped(before[:, None])[:, 0])
        return ((listed(f"{value:g}" for value in before), listed(f"{value:g}" for value in after)),)

    def _fetched(self, draft: Draft) -> Any:
        columns = listed(f"record.{quoted(column)} AS value_{i}" for i, column in enumerate(self.columns))
        return draft.engine.arrow(f"SELECT {draft.number} AS number, {columns} FROM {draft.table} AS record ORDER BY 1")

    def _aggregated(self, values: Real) -> Real:
        """The new values, not a number where there is none."""
        np = numpy()
        endless = np.flatnonzero(np.isinf(values).any(axis=1))
        if len(endless):
            raise self.wrong(f"{len(endless)} records hold infinite numbers; clear or correct them first.")
        found, short = np.full(values.shape, np.nan), 0
        for rows, columns in self._parts(np.isnan(values)):
            if len(rows) >= self.k:
                found[np.ix_(rows, columns)] = self._grouped(values[np.ix_(rows, columns)])
            else:
                short += len(rows)
        if short and self.too_few == "error":
            raise self.wrong(
                f"{short} record{'s' * (short != 1)} cannot be grouped: fewer than {self.k} have values in the same "
                "columns. Take fewer columns or a smaller k, or clear these values with `too_few: clear`."
            )
        return cast("Real", found)

    def _parts(self, missing: Flags) -> Iterator[tuple[Any, Any]]:
        """Rows and columns that are grouped by themselves: those without a gap."""
        np = numpy()
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
        statistic = STATISTICS[self.statistic]
        found: Real = numpy().column_stack([statistic(column, labels) for column in values.T])
        return found


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

    null = numpy().isnan(values)
    if kind is Kind.REAL:
        return pa.array(values, mask=null)
    integers = pa.array(_whole(numpy().where(null, 0, values)).astype("int64"), mask=null)
    if kind is Kind.INTEGER:
        return integers.cast(declared) if pa.types.is_integer(declared) else integers
    if kind is Kind.DATE:
        return integers.cast(pa.int32()).cast(pa.date32())
    return integers.cast(pa.timestamp("us", tz=declared.tz))


def _whole(values: Real) -> Real:
    found: Real = numpy().floor(values + 0.5)
    return found
