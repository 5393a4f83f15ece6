"""Losses: what every utility model reads off an original and its release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.progress import Tell, quiet
from sfumato.show.documents.losses import (
    ClassNumbersDocument,
    ColumnChangeDocument,
    LossesDocument,
    ModelNoteDocument,
    OutcomeDocument,
)
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.losses import losses_sheet
from sfumato.utility.model_interface import Figure, Figures, UtilityModel, read_models
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import ValueChange

if TYPE_CHECKING:
    from sfumato.show.charts.chart import Chart

TOO_LOW = (
    "There the conventional entropy (non_uniform_entropy) is too low; quote the generic one, which needs hierarchies."
)


@dataclass(frozen=True, repr=False)
class Losses(Presented):
    """What every utility model reads off a release and its original, by column and in total."""

    compared: Comparison = field(repr=False)
    figures: Mapping[UtilityModel, Figures]
    paired_by: str | None = None  # the key; None: by position
    source: str = "table"
    released: str = "table"
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        compared: Comparison,
        models: Sequence[UtilityModel],
        *,
        paired_by: str | None = None,
        source: str = "table",
        released: str = "table",
        tell: Tell = quiet,
    ) -> Losses:
        """Read the models, and say what to know before the numbers are quoted."""
        figures = read_models(compared, models, tell)
        return cls(compared, figures, paired_by=paired_by, source=source, released=released, notes=cautions(compared))

    def __getitem__(self, name: str) -> Figures:
        """What the model of that name read."""
        return next(figures for model, figures in self.figures.items() if model.name() == name)

    def content(self) -> LossesDocument:
        """Everything as plain values. It holds no cell value."""
        return self._content

    @cached_property
    def _content(self) -> LossesDocument:
        """Made once: a release says in its own document what this one says."""
        compared, names = self.compared, [column.name for column in self.compared.pairing.columns]
        return LossesDocument(
            original=self.source,
            released=self.released,
            records=compared.records,
            suppressed=compared.class_sizes.suppressed,
            paired_by=self.paired_by or "position",
            quasi_identifiers=names,
            target=compared.pairing.target,
            classes=ClassNumbersDocument(
                original=sum(classes for _, classes in compared.class_sizes.original),
                released=compared.class_sizes.classes,
            ),
            changes={name: _column_change(compared.cells[name]) for name in names},
            columns={
                name: {
                    model.name(): figures.columns[name].content()
                    for model, figures in self.figures.items()
                    if name in figures.columns
                }
                for name in names
            },
            total={model.name(): _total(figures) for model, figures in self.figures.items()},
            models={model.name(): _model_note(model) for model in self.figures},
            notes=self.notes,
        )

    @property
    def charts(self) -> Iterator[Chart]:
        """What every model reads for each column, and then each column before and after."""
        from sfumato.utility.distributions import distribution

        yield from super().charts
        for column in self.compared.pairing.columns:
            yield distribution(self.compared, column.name).chart()

    def sheet(self) -> Sheet:
        """The comparison for people."""
        return losses_sheet(self.content())


def _column_change(cells: ColumnCells) -> ColumnChangeDocument:
    return ColumnChangeDocument(
        words=cells.words,
        records={str(change): n for change, n in cells.changes.items()},
        levels=cells.levels,
        height=cells.hierarchy.height if cells.hierarchy else None,
    )


def _total(figures: Figures) -> OutcomeDocument:
    """The total, and of how many columns it was made: one that leaves some out must not pass for the whole."""
    applied = sum(isinstance(outcome, Figure) for outcome in figures.columns.values())
    return figures.total.content(applied if figures.columns else None)


def _model_note(model: UtilityModel) -> ModelNoteDocument:
    return ModelNoteDocument(
        means=model.plainly, better=model.better.value, bounds=model.bounds, applies_to=model.applies_to
    )


def cautions(compared: Comparison) -> tuple[str, ...]:
    """What to know about the columns before the numbers are quoted."""

    def where(holds: Callable[[ColumnCells], bool]) -> str:
        return ", ".join(name for name, cells in compared.cells.items() if holds(cells))

    notes = {
        "Not in the release, so that all values count as suppressed: {}.": where(lambda cells: cells.column.dropped),
        "Without a hierarchy, what a label stands for is taken from the data: {}.": where(_unplaced),
        "Recoded locally: {}. " + TOO_LOW: where(_local),
        "Suppressed in part: {}. " + TOO_LOW: where(lambda cells: _in_part(cells) and not _local(cells)),
        "Perturbed: {}. Models of generalisation do not apply; read the squared errors, il1s and the distributions.": (
            where(lambda cells: bool(cells.changes[ValueChange.MOVED]))
        ),
    }
    return tuple(words.format(columns) for words, columns in notes.items() if columns)


def _unplaced(cells: ColumnCells) -> bool:
    return cells.hierarchy is None and bool(cells.changes[ValueChange.BROADER])


def _local(cells: ColumnCells) -> bool:
    """Whether labels of kept values stand at several levels; one level for all is full-domain recoding."""
    height = cells.hierarchy.height if cells.hierarchy else 0
    return len([level for level in cells.levels if level < height or not cells.changes[ValueChange.GONE]]) > 1


def _in_part(cells: ColumnCells) -> bool:
    return 0 < cells.changes[ValueChange.GONE] < cells.records
