"""Measures: what is read off the classes of a dataset, and which way is safer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from sfumato.errors import PolicyError
from sfumato.members import Named
from sfumato.privacy.bins import Bins
from sfumato.privacy.classes import EquivalenceClasses, Value
from sfumato.privacy.ordered_distance import transported
from sfumato.tables.engine import Table

INFINITY = "CAST('Infinity' AS DOUBLE)"


class Safer(StrEnum):
    """The direction in which a measure says a release is safer."""

    HIGHER = "higher"
    LOWER = "lower"


class Measure(Named, ABC):
    """A number read off each equivalence class; the reading of the table is that of its worst class.

    Subclasses are frozen dataclasses whose fields are the parameters of the model, one file each in `models/`. They say
    what is read off one class, in `by_class`; the reading of the table and the flags of the records follow from it.
    Whatever else the program must know of a model stands in its class, so that nothing knows it by its name: a search
    reads it by the rule below it in the same file (`coded/rule_interface`).
    """

    safer: ClassVar[Safer]
    monotone: ClassVar[bool]  # generalising further can only make the reading safer
    strict: ClassVar[bool] = False  # whether a reading exactly at its bound breaks it
    most: ClassVar[float | None] = None  # what no reading exceeds, so that no bound should either
    family: ClassVar[str]  # what the model is about: "k", "l", "t", ...
    column: ClassVar[str]  # what the reading is called in a file of records
    plainly: ClassVar[str]  # what the reading says, in plain words
    bounds: ClassVar[str] = "0 upwards"  # between which numbers it reads, in words
    counts: ClassVar[bool] = False  # whether it counts people or values, so that its bound is a whole number
    stands_for_size: ClassVar[bool] = False  # whether a bound is meant as a class size, the nearest to 1 / bound
    reads_population: ClassVar[bool] = False  # whether it asks how many members of the population a class has
    shorthand: ClassVar[str | None] = None  # the option that states a bound on it: "k", "l" or "t"
    distance: ClassVar[str | None] = None  # and where several are stated by one option, by which distance
    read_along: ClassVar[tuple[str, ...]] = ()  # measures of the same column, by name, without which it says little

    @abstractmethod
    def by_class(self, classes: EquivalenceClasses) -> str:
        """A SELECT of class_id and reading, one row per class; null where a class has none."""

    def readings(self, classes: EquivalenceClasses) -> Table:
        """What is read off each class, computed once."""
        return classes.held(self, lambda: self.by_class(classes))

    def of(self, classes: EquivalenceClasses) -> float | None:
        """The reading of the worst class; None where no class has one."""
        return classes.number(f"""
            SELECT {self.overall(self.disclosed("reading", classes), classes)} FROM {classes.table} AS class
            LEFT JOIN {self.readings(classes)} AS measured ON measured.class_id = class.class_id""")

    def overall(self, reading: str, classes: EquivalenceClasses) -> str:
        """The reading of the table, as an aggregate over its classes: that of the worst."""
        return f"min({reading})" if self.safer is Safer.HIGHER else f"max({reading})"

    def disclosed(self, reading: str, classes: EquivalenceClasses) -> str:
        """The reading as SQL beside the columns of a `class`; null where there is nothing to disclose."""
        return reading

    def allowed(self, bound: float) -> float:
        """The bound as it is compared."""
        return bound

    @property
    def counts_members(self) -> bool:
        """Whether it counts the members of a class, so that a bound on it is nothing but a class size."""
        return False


class SizeMeasure(Measure):
    """A measure of how many members the classes have."""

    @abstractmethod
    def of_size(self) -> str:
        """The reading of a class, as SQL over its `size`."""

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, {self.of_size()} AS reading FROM {classes.table}"

    @property
    def counts_members(self) -> bool:
        return self.counts


class RiskMeasure(SizeMeasure):
    """A measure of the chance of picking the right record of a class, 1 / |E|."""

    safer = Safer.LOWER
    monotone = True
    most = 1
    family = "risk"
    column = "risk"
    bounds = "0 to 1"

    def of_size(self) -> str:
        return "CAST(1 AS DOUBLE) / size"


@dataclass(frozen=True)
class SensitiveMeasure(Measure):
    """A measure of how a sensitive attribute is distributed within the classes.

    With `bins` a number is read as the interval it falls in. A missing value is no value: it is
    left out, or with `count_missing` a value of its own.
    """

    flags_missing: ClassVar[bool] = False  # whether a record without the value can be at risk
    places_missing: ClassVar[bool] = True  # whether a missing value can be counted as a value
    by_order: ClassVar[bool] = False  # whether it follows the order of the values, which somebody has to give

    sensitive: str
    bins: tuple[float, ...] = ()
    count_missing: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "bins", _edges(self))
        if self.count_missing and not self.places_missing:
            raise PolicyError(f"{self.name()}: a missing value has no place in an order and cannot be counted.")

    @property
    def value(self) -> Value:
        """The sensitive attribute as this measure reads it."""
        return Value(self.sensitive, self.bins, self.count_missing)

    def disclosed(self, reading: str, classes: EquivalenceClasses) -> str:
        # Where classes overlap, one whose own records all lack the value has a reading of others only.
        if classes.overlap is None or self.flags_missing or self.count_missing:
            return reading
        return f"CASE WHEN class.{classes.column(self.sensitive)} > 0 THEN {reading} END"

    def values_needed(self, bound: float) -> float:
        """How many different values a class needs at the least to keep to a bound."""
        return 0.0


class CellMeasure(SensitiveMeasure):
    """A measure that adds up what the cells of a class say: the values that occur in it, and how often."""

    otherwise: ClassVar[str | None] = None  # what a class reads in which nobody has a value
    transports: ClassVar[bool] = False  # whether it asks how far the cells must be moved (`ordered_distance`)

    @abstractmethod
    def of_cells(self, classes: EquivalenceClasses) -> str:
        """The reading of a class, as an aggregate over its cells: n, size, q, p and, if moved, their share."""

    def by_class(self, classes: EquivalenceClasses) -> str:
        of_cells = self.of_cells(classes)
        source = cells(classes, self.value, transports=self.transports)
        added_up = f"SELECT class_id, {of_cells} AS reading FROM {source} AS cell GROUP BY class_id"
        return classes.every_class(added_up, otherwise=self.otherwise) if self.otherwise else added_up


class DiversityMeasure(CellMeasure):
    """A measure of how many different values a class has, by some way of counting that never gives more."""

    safer = Safer.HIGHER
    monotone = True
    family = "l"
    flags_missing = True
    otherwise = "0"

    def values_needed(self, bound: float) -> float:
        return bound


class TransportMeasure(CellMeasure):
    """A measure of how far the values of a class must be moved to look like everybody's."""

    safer = Safer.LOWER
    monotone = True
    family = "t"
    column = "t_distance"
    places_missing = False
    transports = True


def cells(classes: EquivalenceClasses, value: Value, *, transports: bool) -> str:
    """The cells that measures of one value add up: the distribution and, where asked for, how far it is moved."""
    return transported(classes, value) if transports else classes.distribution(value)


def require_count(measure: Measure, parameter: str, value: object) -> None:
    """Refuse a parameter that is not a whole number from 1 on."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise PolicyError(f"{measure.name()}: {parameter} must be a whole number from 1 on.")


def _edges(measure: SensitiveMeasure) -> tuple[float, ...]:
    try:
        edges = tuple(float(edge) for edge in measure.bins)
    except (TypeError, ValueError):
        raise PolicyError(f"{measure.name()}: bins must be a list of numbers.") from None
    if edges:
        Bins(edges)
    return edges
