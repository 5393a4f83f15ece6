"""Losses: what an original and its release read on every comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.losses import losses_sheet
from sfumato.utility.comparison_interface import Compared, Comparison, Figure, Read


@dataclass(frozen=True, repr=False)
class Losses(Presented):
    """Every comparison of a release with its original, by column and in total."""

    compared: Compared = field(repr=False)
    read: Mapping[Comparison, Read]
    paired_by: str | None = None  # the key; None: by position
    source: str = "table"
    released: str = "table"
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Read:
        """What the comparison of that name read."""
        return next(read for comparison, read in self.read.items() if comparison.name() == name)

    def document(self) -> dict[str, Any]:
        """Everything as plain values, for machines. It holds no cell value."""
        names = [column.name for column in self.compared.pairing.columns]
        return {
            "original": self.source,
            "released": self.released,
            "records": self.compared.records,
            "suppressed": self.compared.shapes.suppressed,
            "paired_by": self.paired_by or "position",
            "quasi_identifiers": names,
            "target": self.compared.pairing.target,
            "classes": {
                "original": sum(classes for _, classes in self.compared.shapes.original),
                "released": self.compared.shapes.classes,
            },
            "changes": {name: self._change(name) for name in names},
            "columns": {
                name: {c.name(): read.columns[name].document() for c, read in self.read.items() if name in read.columns}
                for name in names
            },
            "total": {c.name(): read.total.document() | _of(read) for c, read in self.read.items()},
            "models": {c.name(): _described(c) for c in self.read},
            "normalised": "0 is the original itself, 1 is all information removed",
            "notes": list(self.notes),
        }

    def sheet(self) -> Sheet:
        """The comparison for people."""
        return losses_sheet(self.document())

    def _change(self, name: str) -> dict[str, Any]:
        cells = self.compared.cells[name]
        return {
            "words": cells.words,
            "records": {str(change): n for change, n in cells.changes.items()},
            "levels": list(cells.levels),
            "height": cells.hierarchy.height if cells.hierarchy else None,
        }


def _of(read: Read) -> dict[str, Any]:
    """Of how many columns a total was made: one that leaves some out must not pass for the whole."""
    figures = sum(isinstance(found, Figure) for found in read.columns.values())
    return {"columns": figures} if read.columns else {}


def _described(comparison: Comparison) -> dict[str, Any]:
    return {
        "means": comparison.plainly,
        "better": comparison.better.value,
        "bounds": comparison.bounds,
        "applies_to": comparison.applies_to,
    }
