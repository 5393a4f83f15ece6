"""Cells, counted: how many persons are in each, what they add up to, and the largest parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from sfumato.errors import EmptyTable, PolicyError, UnusableInput, WrongScale
from sfumato.privacy.bins import Bins
from sfumato.privacy.dataset import Dataset
from sfumato.statistics.lattice import CellLattice, with_totals
from sfumato.tables.engine import Engine, Table, listed, total

if TYPE_CHECKING:
    from sfumato.statistics.lattice import Flags, Places, Real

MOST_CELLS = 250_000  # of all tables together, totals included: what fits into memory many times over
LARGEST_NUMBER = 1e12  # that is added exactly: in decimals of 38 digits, 18 of them places, a hundred million of them
MISSING, SEVERAL = "missing", "several"  # what a row says of a person without a value, or with several


@dataclass(frozen=True)
class Statistic:
    """A sum or a mean of a column: every person has one part in it."""

    column: str
    kind: str  # "sum" or "mean": of several records of a person their sum, or their mean, is that person's part

    @property
    def name(self) -> str:
        """What its column is called in a table."""
        return f"{self.kind} {self.column}"


@dataclass(frozen=True)
class Parts:
    """What persons add to a statistic, cell by cell, totals included."""

    statistic: Statistic
    sums: Real
    absolute: Real  # the sum of all parts without their sign
    persons: Places  # how many have a part
    largest: Real  # a row for each cell: the largest parts without their sign, the largest first
    alike: Flags  # whether all persons of a cell, and more than one, have the same part
    negative: bool  # whether any part is below nothing

    @property
    def usual(self) -> float:
        """The mean part without its sign, over everybody."""
        return float(self.absolute[-1] / self.persons[-1]) if self.persons[-1] else 0.0


@dataclass(frozen=True)
class CountedCells:
    """Every cell of some columns, with all totals."""

    columns: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]  # for each column its values as they are shown, without the total
    counts: Places
    parts: tuple[Parts, ...]
    counted: str = "records"  # or persons

    @cached_property
    def lattice(self) -> CellLattice:
        """The places of the cells."""
        return CellLattice(tuple(len(labels) + 1 for labels in self.labels))


def count_cells(dataset: Dataset, statistics: Sequence[Statistic], largest: int, source: str) -> CountedCells:
    """Count the persons of every combination of the quasi-identifiers, and add up the sensitive columns."""
    import numpy as np

    records, engine, columns = dataset.records(), dataset.table.engine, dataset.quasi_identifiers
    values = {name: f"v{i}" for i, name in enumerate(dataset.sensitive, 1)}
    _check_numbers(records, values)
    persons = _persons(records, len(columns), [(s, values[s.column]) for s in statistics], dataset.subject is not None)
    keys = listed(f"k{i}, s{i}" for i in range(1, len(columns) + 1))
    sums = [
        f"{total(f'x{i}')} AS t{i}, {total(f'abs(x{i})')} AS a{i}, count(x{i}) AS n{i}, "
        f"min(x{i}) AS l{i}, max(x{i}) AS h{i}"
        for i in range(1, len(statistics) + 1)
    ]
    grouped = engine.query(f"SELECT {listed([keys, 'count(*) AS n', *sums])} FROM {persons} GROUP BY {keys}")
    _check_size(grouped.count())
    rows = engine.fetch(f"SELECT * FROM {grouped}")
    if not rows:
        raise EmptyTable(source)
    axes = [_Axis.of(dataset, name, {row[2 * i : 2 * i + 2] for row in rows}) for i, name in enumerate(columns)]
    shape = tuple(len(axis.labels) for axis in axes)
    _check_size(CellLattice(tuple(length + 1 for length in shape)).cells)
    places = _places(rows, axes)
    numbers = np.array([[0 if n is None else n for n in row[2 * len(axes) :]] for row in rows], dtype=float)
    counts = np.zeros(shape, dtype=np.int64)
    counts[places] = numbers[:, 0].astype(np.int64)
    parts = []
    for i, statistic in enumerate(statistics):
        inner: Any = np.zeros((5, *shape))
        inner[(slice(None), *places)] = numbers[:, 1 + 5 * i : 6 + 5 * i].T
        top = _largest(engine, persons, keys, f"x{i + 1}", largest)
        parts.append(_parts(statistic, inner, _placed(top, axes, shape, largest)))
    labels = tuple(axis.labels for axis in axes)
    counted = "persons" if dataset.subject is not None else "records"
    return CountedCells(columns, labels, with_totals(counts).ravel(), tuple(parts), counted)


def _persons(records: Table, columns: int, wanted: Sequence[tuple[Statistic, str]], several: bool) -> Table:  # noqa: FBT001
    """A row for each person: k1, s1, ... the values, or that there are several; x1, ... the parts."""
    engine = records.engine
    numbers = range(1, columns + 1)
    if not several:
        keys = [f"k{i}, 0 AS s{i}" for i in numbers]
        values = [f"CAST({column} AS DOUBLE) AS x{i}" for i, (_, column) in enumerate(wanted, 1)]
        return engine.query(f"SELECT {listed([*keys, *values])} FROM {records}")
    rows = engine.numbered(f"SELECT * FROM {records}", number="row")
    whose = "CASE WHEN person IS NULL THEN concat('row ', row) ELSE concat('person ', CAST(person AS VARCHAR)) END"
    more = {i: f"(count(DISTINCT k{i}) + max(CASE WHEN k{i} IS NULL THEN 1 ELSE 0 END) > 1)" for i in numbers}
    keys = [
        f"CASE WHEN {more[i]} THEN NULL ELSE min(k{i}) END AS k{i}, CASE WHEN {more[i]} THEN 1 ELSE 0 END AS s{i}"
        for i in numbers
    ]
    values = [
        f"{total(f'CAST({column} AS DOUBLE)')}{f' / count({column})' if statistic.kind == 'mean' else ''} AS x{i}"
        for i, (statistic, column) in enumerate(wanted, 1)
    ]
    named = engine.view(f"SELECT *, {whose} AS whose FROM {rows}")
    return engine.query(f"SELECT {listed([*keys, *values])} FROM {named} GROUP BY whose")


def _largest(engine: Engine, persons: Table, keys: str, part: str, largest: int) -> list[tuple[Any, ...]]:
    """The largest parts of each cell without their sign: the keys, the rank, the part."""
    ranked = f"""
        SELECT {keys}, abs({part}) AS part, row_number() OVER (PARTITION BY {keys} ORDER BY abs({part}) DESC) AS rank
        FROM {persons}
        WHERE {part} IS NOT NULL"""
    return engine.fetch(f"SELECT {keys}, rank, part FROM ({ranked}) AS ranked WHERE rank <= {largest}")


def _places(rows: Sequence[tuple[Any, ...]], axes: Sequence[_Axis]) -> tuple[Places, ...]:
    """Where the cells of some rows stand on each axis, by the keys that rows begin with."""
    import numpy as np

    return tuple(np.array([axis.places[row[2 * i : 2 * i + 2]] for row in rows]) for i, axis in enumerate(axes))


def _placed(top: Sequence[tuple[Any, ...]], axes: Sequence[_Axis], shape: tuple[int, ...], largest: int) -> Any:
    """The largest parts by cell, totals included: of a total they are the largest of its cells."""
    import numpy as np

    array = np.zeros((*shape, largest))
    if top:
        places = _places(top, axes)
        array[(*places, np.array([int(row[-2]) - 1 for row in top]))] = [row[-1] for row in top]
    for axis in range(len(shape)):
        together = np.moveaxis(array, axis, -2)
        together = together.reshape(*together.shape[:-2], -1)
        merged = np.sort(together, axis=-1)[..., ::-1][..., :largest]
        array = np.concatenate([array, np.expand_dims(merged, axis)], axis=axis)
    return array.reshape(-1, largest)


def _parts(statistic: Statistic, inner: Any, largest: Real) -> Parts:
    import numpy as np

    sums, absolute, persons, lowest, highest = inner
    low, high = _ends(np.where(persons > 0, lowest, np.inf)), -_ends(np.where(persons > 0, -highest, np.inf))
    with_part = with_totals(persons.astype(np.int64)).ravel()
    return Parts(
        statistic=statistic,
        sums=with_totals(sums).ravel(),
        absolute=with_totals(absolute).ravel(),
        persons=with_part,
        largest=largest,
        alike=(low == high) & (with_part > 1),
        negative=bool((lowest < 0).any()),
    )


def _ends(lowest: Any) -> Any:
    """The lowest of each cell, totals included."""
    import numpy as np

    for axis in range(lowest.ndim):
        lowest = np.concatenate([lowest, lowest.min(axis=axis, keepdims=True)], axis=axis)
    return lowest.ravel()


@dataclass(frozen=True)
class _Axis:
    """The values of a column in their order, and the place of each."""

    labels: tuple[str, ...]
    places: dict[tuple[Any, Any], int]

    @classmethod
    def of(cls, dataset: Dataset, name: str, values: set[tuple[Any, Any]]) -> _Axis:
        attribute = dataset.schema[name]
        bins = Bins(attribute.bins, dataset.separator).labels if attribute.bins else ()
        known = [value for value, several in values if value is not None and not several]
        order = {label: number for number, label in enumerate(bins)}
        known.sort(key=order.__getitem__ if bins else None)
        places = {(value, 0): number for number, value in enumerate(known)}
        labels = [shown_value(value) for value in known]
        for label, key in ((MISSING, (None, 0)), (SEVERAL, (None, 1))):
            if key in values:
                places[key] = len(labels)
                labels.append(unmistakable(label, labels))
        return cls(tuple(labels), places)


def unmistakable(word: str, values: Sequence[str]) -> str:
    """A word that is none of the values, in whatever letters: in brackets where one is the word itself.

    >>> unmistakable("total", ["a", "b"]), unmistakable("total", ["Total", "(total)"])
    ('total', '((total))')
    """
    taken = {value.casefold().strip() for value in values}
    while word.casefold() in taken:
        word = f"({word})"
    return word


def shown_value(value: Any) -> str:
    """A value as a table shows it, the same from every engine.

    >>> shown_value(1.0), shown_value(0.5), shown_value(float("inf")), shown_value(True), shown_value("x")
    ('1', '0.5', 'inf', 'true', 'x')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | Decimal):
        return str(int(value)) if isfinite(value) and value == int(value) else repr(float(value))
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _check_numbers(records: Table, values: dict[str, str]) -> None:
    """Refuse what cannot be added up exactly, and what has two values only: that is a count, and not a sum."""
    for name, column in values.items():
        ends = f"SELECT min({column}) AS least, max({column}) AS most FROM {records}"
        others = (
            f"SELECT 1 AS other FROM {records}, ({ends}) AS ends WHERE {column} <> least AND {column} <> most LIMIT 1"
        )
        # Not by counting different values: of a million that takes longer than all the rest.
        several, largest = records.engine.fetch(
            f"SELECT (SELECT count(*) FROM ({others}) AS others), max(abs(CAST({column} AS DOUBLE))) FROM {records}"
        )[0]
        if largest is not None and not float(largest) <= LARGEST_NUMBER:
            raise WrongScale(f"Column {name!r} has numbers beyond {LARGEST_NUMBER:g}, which do not add up exactly.")
        if largest is not None and not int(several):
            raise PolicyError(
                f"Column {name!r} has no more than two different values: its sum is a count of persons, of which small "
                f"ones would not be hidden. Name it with --by instead."
            )


def _check_size(cells: int) -> None:
    if cells > MOST_CELLS:
        raise UnusableInput(
            f"The columns have {cells:,} combinations of values, and {MOST_CELLS:,} can be protected together. Choose "
            f"fewer columns, read numbers in intervals (--bins), or make several tables in calls of their own."
        )
