"""Drivers: which columns the risk is due to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, pairwise
from math import ceil, comb, fsum, sqrt
from statistics import NormalDist, variance

from sfumato.attackers.class_refinement import Refinement, RefinementPath
from sfumato.attackers.coded_records import CodedRecords, coded_records
from sfumato.attackers.column_order import alone_in_order
from sfumato.attackers.sampled_cells import SampledCells
from sfumato.chance import Chance
from sfumato.errors import PolicyError
from sfumato.privacy.dataset import Dataset
from sfumato.progress import Tell, quiet
from sfumato.show.documents.exposure import DriverDocument, DriversDocument

# Columns up to which contributions are exact: all sets of ten are 1,024, fewer than the 2,000 that 200 sampled orders
# look at; of eleven columns they are 2,048, about as many, and with each further one they double.
EXACT = 10
CONFIDENCE = 0.95
# Columns up to which a refinement for each of them takes less than one sort: on 1.2 million records 5 to 15 ms of CPU
# for a column, and 65 ms for the sort.
FEW = 4
# Times the orders where each is looked at in some cells only: what that adds to the standard error, up to a fifth of it
# on 1.2 million records by twelve columns, these take away.
FURTHER = 1.5


class Risk(StrEnum):
    """The risk that is shared out among the columns."""

    SINGLED_OUT = "singled_out"  # share of records in classes of one person
    AVERAGE = "average"  # the chance of finding somebody picked at random: classes by members

    def of(self, classes: Refinement) -> float:
        """The risk when the columns of a refinement are known."""
        if self is Risk.SINGLED_OUT:
            return classes.alone / classes.records.records
        return classes.classes / classes.members


@dataclass(frozen=True)
class Driver:
    r"""What one column does to the risk.

    `contribution` is its Shapley value: what the column adds to the risk when it becomes known, averaged over all
    orders in which the columns can become known.

    .. math:: \phi_i = \frac{1}{m!} \sum_\pi \bigl( v(P_i^\pi \cup \{i\}) - v(P_i^\pi) \bigr)

    v(S) is the risk when the columns S are known, and P the columns before i in the order. Contributions add up to
    the risk by all columns, less that by none. Columns that say the same share what they say, where leaving out one
    of them would show no effect at all.

    References
    ----------
    Shapley (1953). A value for n-person games. Contributions to the theory of games II, 307-317.
    Castro, Gómez, Tejada (2009). Polynomial calculation of the Shapley value based on sampling. Computers and
    Operations Research 36(5), 1726-1730.
    """

    column: str
    by_itself: float  # the risk by this column only
    without: float  # the risk by all others
    contribution: float
    error: float  # the standard error of a sampled contribution; 0 where it is exact
    low: float  # of the interval that holds the contribution with 95 % confidence
    high: float

    def content(self) -> DriverDocument:
        """The column and its numbers as plain values."""
        return DriverDocument(
            column=self.column,
            alone=self.by_itself,
            without=self.without,
            contribution=self.contribution,
            standard_error=self.error,
            interval=(self.low, self.high),
        )


@dataclass(frozen=True)
class Drivers:
    """What every column does to the risk, the one with the largest contribution first."""

    risk: Risk
    whole: float  # by all columns
    nothing: float  # by none: not 0 where all records are of one person, or the risk is the average one
    orders: int | None  # that were sampled; None where all were taken into account
    columns: tuple[Driver, ...]

    def content(self) -> DriversDocument:
        """The drivers as plain values."""
        return DriversDocument(
            risk=self.risk.value,
            whole=self.whole,
            nothing=self.nothing,
            orders=self.orders,
            columns=[driver.content() for driver in self.columns],
        )


def drivers(
    dataset: Dataset,
    *,
    risk: str = Risk.SINGLED_OUT,
    orders: int = 200,
    seed: int = 0,
    records: CodedRecords | None = None,
    alone: Mapping[frozenset[int], int] | None = None,
    tell: Tell = quiet,
) -> Drivers:
    """Share the risk out among the quasi-identifiers; up to ten of them exactly, more by sampled orders.

    Orders come in pairs, one the reverse of the other: what comes early in one comes late in the other, and their
    mean varies less. Of a large table each order is looked at in some cells (see `sampled_cells`), in half as many
    orders more. The standard error is from the spread of the means of pairs, which holds both: that of the orders, and
    that of the cells. `records` are those of the dataset, where they are coded already; `alone` how many are known to
    be so on sets of their columns.

    >>> from sfumato.studies.printed_tables import rows
    >>> people = rows([(30, "F", 1), (30, "M", 1), (40, "F", 1), (50, "F", 1)], ["age", "sex", "unit"],
    ...               age="quasi", sex="quasi", unit="quasi")
    >>> [(d.column, d.by_itself, d.without, round(d.contribution, 3)) for d in drivers(people).columns]
    [('age', 0.5, 0.25, 0.625), ('sex', 0.25, 0.5, 0.375), ('unit', 0.0, 1.0, 0.0)]
    """
    if risk not in tuple(Risk):
        raise PolicyError(f"The risk that columns share is one of {', '.join(Risk)}.")
    if orders < 4:
        raise PolicyError("An interval needs at least four sampled orders.")
    kind = Risk(risk)
    apart = kind is Risk.AVERAGE and dataset.subject is not None
    if records is None or apart:
        records, alone = coded_records(dataset, apart=apart), None
    game = _Game(records, kind, dict(alone or {}))
    exact, chance = len(records.columns) <= EXACT, Chance.of(seed)
    cells = None if exact or kind is not Risk.SINGLED_OUT else SampledCells.of(records, game.alone, chance)
    pairs = ceil(orders * (FURTHER if cells else 1) / 2)
    shares = game.exactly(tell) if exact else game.sampled(pairs, chance, cells, tell)
    places, margin = range(len(records.columns)), NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    columns = [
        Driver(
            column=records.columns[i],
            by_itself=game.known([i]),
            without=game.known([other for other in places if other != i]),
            contribution=contribution,
            error=error,
            low=contribution - margin * error,
            high=contribution + margin * error,
        )
        for i, (contribution, error) in enumerate(shares)
    ]
    return Drivers(
        risk=kind,
        whole=game.known(places),
        nothing=game.known([]),
        orders=None if exact else pairs * 2,
        columns=tuple(sorted(columns, key=lambda each: (-each.contribution, -each.by_itself, each.column))),
    )


Share = tuple[float, float]  # the value, and its standard error


@dataclass(frozen=True)
class _Game:
    """The risk as a function of the columns that are known, given by their places."""

    records: CodedRecords
    risk: Risk
    alone: dict[frozenset[int], int] = field(default_factory=dict)  # records that are so on sets of columns, if known

    def known(self, columns: Sequence[int]) -> float:
        """The risk by some columns; those of many values first, since they leave the fewest records to look at."""
        order = sorted(columns, key=lambda column: (-self.records.values[column], column))
        if len(order) > FEW:
            return self._risks(order)[-1]
        return self.risk.of(Refinement.of(self.records, tuple(order)))

    def exactly(self, tell: Tell) -> list[Share]:
        """The contribution of each column from all sets of the others."""
        width, path = len(self.records.columns), RefinementPath(self.records)
        tell(f"Contributions of {width} columns, from all sets of them")
        sets = sorted(s for size in range(width + 1) for s in combinations(range(width), size))
        values = {columns: self.risk.of(path.to(columns)) for columns in sets}
        return [(_shapley(column, width, values), 0.0) for column in range(width)]

    def sampled(self, pairs: int, chance: Chance, cells: SampledCells | None, tell: Tell) -> list[Share]:
        """The mean of what each column adds, over orders and their reverses."""
        width = len(self.records.columns)
        whole = self.known(range(width))
        added: list[list[float]] = [[] for _ in range(width)]
        for pair in range(pairs):
            tell(f"Contributions of {width} columns, in sampled orders", pair, pairs)
            draws = [chance.random.random() for _ in range(width)]
            order = sorted(range(width), key=draws.__getitem__)
            there, back = (self._steps(way, cells, whole) for way in (order, order[::-1]))
            for column in range(width):
                added[column].append((there[column] + back[column]) / 2)
        return [_mean(steps) for steps in added]

    def _steps(self, order: Sequence[int], cells: SampledCells | None, whole: float) -> list[float]:
        """What each column adds in one order, by all records or by those of some cells."""
        if cells is None:
            risks = self._risks(order)
        else:
            risks = [alone / self.records.records for alone in cells.alone(order, whole * self.records.records)]
        steps = [0.0] * len(order)
        for column, (before, now) in zip(order, pairwise(risks), strict=True):
            steps[column] = now - before
        return steps

    def _risks(self, order: Sequence[int]) -> list[float]:
        """The risk by none, one, two, ... of the columns in one order."""
        if self.risk is Risk.SINGLED_OUT:
            return [alone / self.records.records for alone in alone_in_order(self.records, order)]
        classes = [Refinement.of(self.records)]
        for column in order:
            classes.append(classes[-1].by(column))
        return [self.risk.of(each) for each in classes]


def _shapley(column: int, width: int, values: dict[tuple[int, ...], float]) -> float:
    """The average of what a column adds to sets of each size."""
    return fsum(
        (values[columns] - values[tuple(c for c in columns if c != column)])
        / (width * comb(width - 1, len(columns) - 1))
        for columns in values
        if column in columns
    )


def _mean(steps: Sequence[float]) -> Share:
    """The mean of independent steps, and by how much it is off: the standard deviation of such means."""
    return fsum(steps) / len(steps), sqrt(variance(steps) / len(steps))
