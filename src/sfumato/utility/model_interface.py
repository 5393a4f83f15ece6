"""Utility models: what is read off an original and its release together."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import Any, ClassVar

from sfumato.members import Named
from sfumato.progress import Tell, quiet
from sfumato.show.documents.losses import FigureDocument, NotApplicableDocument
from sfumato.utility.paired.class_sizes import ClassSizes
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import ValueChange


class Better(StrEnum):
    """The direction in which a model says that more of the original was kept."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True)
class Figure:
    """What was read, between what the original itself would read and what nothing at all would read.

    `normalised` is 0 for the original and 1 when all information is removed, whichever way the value points.

    >>> Figure(3.0, untouched=0.0, removed=12.0).normalised
    0.25
    >>> Figure(0.0, untouched=0.0, removed=0.0).normalised  # there was nothing to lose
    0.0
    """

    value: float | None
    untouched: float = 0.0
    removed: float = 1.0
    more: Mapping[str, Any] = field(default_factory=dict)  # the same in other units, an interval, a caveat

    @property
    def normalised(self) -> float | None:
        """The value as a share of all that could be lost."""
        if self.value is None or math.isnan(self.value):
            return None
        if self.removed == self.untouched:
            return 0.0
        return min(1.0, max(0.0, (self.value - self.untouched) / (self.removed - self.untouched)))

    def content(self, columns: int | None = None) -> FigureDocument:
        """The figure as plain values; an infinite value is null."""
        return FigureDocument(
            value=_finite(self.value),
            normalised=_finite(self.normalised),
            untouched=_finite(self.untouched),
            removed=_finite(self.removed),
            more=self.more,
            columns=columns,
        )


@dataclass(frozen=True)
class NotApplicable:
    """Why a model says nothing here."""

    why: str

    def content(self, columns: int | None = None) -> NotApplicableDocument:
        """The reason as plain values."""
        return NotApplicableDocument(why_not=self.why, columns=columns)


Outcome = Figure | NotApplicable


@dataclass(frozen=True)
class Figures:
    """What a model reads: off each column, and off the table as a whole."""

    columns: Mapping[str, Outcome]
    total: Outcome

    def aggregated(self, how: str = "arithmetic", *, normalised_first: bool = False) -> float | None:
        """The columns as one number from 0 to 1, by their arithmetic or geometric mean or their maximum.

        The columns are normalised first and then aggregated, or the other way round.
        """
        figures = [outcome for outcome in self.columns.values() if isinstance(outcome, Figure)]
        if not figures:
            return None
        aggregate = AGGREGATES[how]
        if normalised_first:
            return aggregate([figure.normalised or 0.0 for figure in figures])
        return _combined(figures, aggregate).normalised


AGGREGATES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "arithmetic": lambda numbers: math.fsum(numbers) / len(numbers),
    "geometric": lambda numbers: math.exp(math.fsum(math.log1p(n) for n in numbers) / len(numbers)) - 1,
    "maximum": max,
}


class Needs(Enum):
    """What a model must know of a column to judge it; the text is what it says where that lacks."""

    NOTHING = ""
    GENERALISED = "values were exchanged for others, not generalised"
    ORDERED = "its values have no order: they are no numbers, and there is no hierarchy"
    NUMBERS = "its values are no numbers and no dates"

    def met_by(self, cells: ColumnCells) -> bool:
        """Whether a column is such."""
        if self is Needs.GENERALISED:
            return not cells.changes[ValueChange.MOVED]
        ordered = self is Needs.NOTHING or cells.placed
        return ordered and (self is not Needs.NUMBERS or cells.numeric)


class UtilityModel(Named, ABC):
    """A number read off an original and its release; one file each in `utility/`.

    Subclasses are frozen dataclasses whose fields are the parameters of the model. They say what is read (`of`), or, if
    it adds up over the cells of a column or over the classes, how (`CellModel`, `ClassSizeModel`).
    """

    better: ClassVar[Better] = Better.LOWER
    bounds: ClassVar[str]  # between which numbers the value lies
    plainly: ClassVar[str]  # what the value says, in plain words
    applies_to: ClassVar[str] = "anything"  # the changes that it can judge
    needs: ClassVar[Needs] = Needs.NOTHING  # where it lacks, the model is not asked
    thorough: ClassVar[bool] = False  # whether it fits models or draws at random, and so is only read on demand

    @abstractmethod
    def of(self, compared: Comparison) -> Figures:
        """What is read, by column and in total."""


@dataclass(frozen=True)
class Sums:
    """The value, that of the untouched column and that of nothing left, each as SQL: an aggregate over the cells."""

    value: str
    untouched: str = "0"
    removed: str = "1"


NOTHING_TO_LOSE = Sums("0.0", removed="0.0")  # of a column in which all values are alike


class CellModel(UtilityModel):
    """A model that adds up what the cells of a column say: all such are one pass over the cells.

    With `shares` it adds up the values instead, with their shares in the original and in the release
    (`ColumnCells.shares`).
    """

    shares: ClassVar[bool] = False

    @abstractmethod
    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        """The figures of a column, as aggregates over its cells (see `ColumnCells` for what they have)."""

    def figure(self, value: float, untouched: float, removed: float) -> Figure:
        """The figure of a column from its three numbers."""
        return Figure(value, untouched, removed)

    def together(self, figures: Sequence[Figure]) -> Figure:
        """The figure of the table from those of its columns: their mean, before it is normalised."""
        return averaged(figures)

    def of(self, compared: Comparison) -> Figures:
        return read_cells([self], compared)[self.name()]


class TableModel(UtilityModel):
    """A model that reads one figure off the table as a whole, and none off its columns."""

    @abstractmethod
    def of_table(self, compared: Comparison) -> Outcome:
        """The figure of the table."""

    def of(self, compared: Comparison) -> Figures:
        return Figures({}, self.of_table(compared))


class ClassSizeModel(TableModel):
    """A model of the table that is read off the sizes of its classes and what they stand for."""

    @abstractmethod
    def of_class_sizes(self, sizes: ClassSizes) -> Outcome:
        """The figure of the table."""

    def of_table(self, compared: Comparison) -> Outcome:
        if self.needs is Needs.GENERALISED and compared.class_sizes.perturbed:
            return NotApplicable(self.needs.value)
        return self.of_class_sizes(compared.class_sizes)


class EntropyModel(CellModel):
    """A model in bits, which add up over the columns."""

    def figure(self, value: float, untouched: float, removed: float) -> Figure:
        return in_units(Figure(value, untouched, removed))

    def together(self, figures: Sequence[Figure]) -> Figure:
        return in_units(summed(figures))


def in_units(figure: Figure) -> Figure:
    """Bits, with the same in nats and in per cent of all that could be lost.

    >>> in_units(Figure(1.0, removed=4.0)).more
    {'nats': 0.6931471805599453, 'percent': 25.0}
    """
    bits, span = figure.value or 0.0, figure.removed - figure.untouched
    return replace(figure, more={"nats": bits * math.log(2), "percent": bits / span * 100 if span else 0.0})


def averaged(figures: Sequence[Figure]) -> Figure:
    """The mean of values, and of what they lie between."""
    return _combined(figures, AGGREGATES["arithmetic"])


def summed(figures: Sequence[Figure]) -> Figure:
    """The sum of values, and of what they lie between."""
    return _combined(figures, AGGREGATES["sum"])


def read_models(
    compared: Comparison, models: Sequence[UtilityModel], tell: Tell = quiet
) -> dict[UtilityModel, Figures]:
    """What every model reads; those that add up cells do so in one pass over each column."""
    tell("Comparing values")
    of_cells = read_cells([model for model in models if isinstance(model, CellModel)], compared)
    figures = {}
    for number, model in enumerate(models):
        tell(f"Comparing: {model.name()}", number, len(models))
        figures[model] = of_cells[model.name()] if isinstance(model, CellModel) else model.of(compared)
    return figures


def read_cells(models: Sequence[CellModel], compared: Comparison) -> dict[str, Figures]:
    """What several models read off the cells, in one pass over those of each column."""
    outcomes: dict[str, dict[str, Outcome]] = {model.name(): {} for model in models}
    for name, cells in compared.cells.items():
        for model, figure in _column(models, cells).items():
            outcomes[model.name()][name] = figure
    return {c.name(): Figures(outcomes[c.name()], _total(c, list(outcomes[c.name()].values()))) for c in models}


def with_columns(model: CellModel, figures: Figures, others: Figures) -> Figures:
    """What a model of cells reads where some columns are others: the rest of them say what they said before."""
    columns = {**figures.columns, **others.columns}
    return Figures(columns, _total(model, list(columns.values())))


def _column(models: Sequence[CellModel], cells: ColumnCells) -> dict[CellModel, Outcome]:
    """What the models read off one column: one pass over its cells, and one over its values."""
    sums = {
        model: model.of_cells(cells) if model.needs.met_by(cells) else NotApplicable(model.needs.value)
        for model in models
    }
    outcomes: dict[CellModel, Outcome] = {c: s for c, s in sums.items() if isinstance(s, NotApplicable)}
    for shares in (False, True):
        asked = {c: s for c, s in sums.items() if isinstance(s, Sums) and c.shares is shares}
        if asked:
            items = [sql for s in asked.values() for sql in (s.value, s.untouched, s.removed)]
            source = cells.shares if shares else cells.table
            row = iter(source.engine.fetch(f"SELECT {', '.join(items)} FROM {source}")[0])
            outcomes |= {c: _figure(c, [next(row) for _ in range(3)]) for c in asked}
    return outcomes


def _figure(model: CellModel, numbers: Sequence[Any]) -> Outcome:
    value, untouched, removed = (None if number is None else float(number) for number in numbers)
    if value is None or untouched is None or removed is None:
        return NotApplicable("no record has a value")
    return model.figure(value, untouched, removed)


def _total(model: CellModel, columns: Sequence[Outcome]) -> Outcome:
    figures = [outcome for outcome in columns if isinstance(outcome, Figure)]
    if figures:
        return model.together(figures)
    return NotApplicable("no column that it applies to")


def _combined(figures: Sequence[Figure], combine: Callable[[Sequence[float]], float]) -> Figure:
    parts = ([f.value or 0.0 for f in figures], [f.untouched for f in figures], [f.removed for f in figures])
    value, untouched, removed = (combine(numbers) for numbers in parts)
    return Figure(value, untouched, removed)


def _finite(number: float | None) -> float | None:
    return None if number is None or not math.isfinite(number) else number
