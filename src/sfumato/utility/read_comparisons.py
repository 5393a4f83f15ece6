"""Comparing: read every comparison off an original and its release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sfumato.progress import Tell, quiet
from sfumato.utility.catalogue import comparison, comparisons
from sfumato.utility.comparison_interface import CellComparison, Compared, Comparison, Read, read_cells
from sfumato.utility.paired.column_cells import Cells
from sfumato.utility.paired.label_levels import Change


def chosen_models(names: Iterable[str] = (), *, thorough: bool = False) -> tuple[Comparison, ...]:
    """The comparisons by name; without names all of them, those that fit models only if it is to be thorough."""
    named = tuple(comparison(name) for name in names)
    return named or tuple(cls() for cls in comparisons().values() if thorough or not cls.thorough)


def read_all(compared: Compared, models: Sequence[Comparison], tell: Tell = quiet) -> dict[Comparison, Read]:
    """What every comparison reads; those that add up cells do so in one pass over each column."""
    tell("Comparing values")
    added = read_cells([model for model in models if isinstance(model, CellComparison)], compared)
    found = {}
    for done, model in enumerate(models):
        tell(f"Comparing: {model.name()}", done, len(models))
        found[model] = added[model.name()] if isinstance(model, CellComparison) else model.of(compared)
    return found


def cautions(compared: Compared) -> tuple[str, ...]:
    """What to know about the columns before the numbers are quoted."""

    def where(holds: Callable[[Cells], bool]) -> str:
        return ", ".join(name for name, cells in compared.cells.items() if holds(cells))

    said = {
        "Not in the release, so that all values count as suppressed: {}.": where(lambda cells: cells.column.dropped),
        "Without a hierarchy, what a label stands for is taken from the data: {}.": where(_unplaced),
        "Recoded locally or suppressed in part: {}. There the conventional entropy (non_uniform_entropy) is too low; "
        "quote the generic one, which needs hierarchies.": where(_mixed),
        "Perturbed: {}. Models of generalisation do not apply; read the squared errors, il1s and the distributions.": (
            where(lambda cells: bool(cells.changes[Change.MOVED]))
        ),
    }
    return tuple(words.format(columns) for words, columns in said.items() if columns)


def _unplaced(cells: Cells) -> bool:
    return cells.hierarchy is None and bool(cells.changes[Change.BROADER])


def _mixed(cells: Cells) -> bool:
    return 0 < cells.changes[Change.GONE] < cells.records or len(cells.levels) > 1
