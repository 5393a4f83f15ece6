"""Comparisons: an original and its release, paired and counted, ready for every utility model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sfumato.utility.paired.class_sizes import ClassSizes
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.pairing import Pairing


@dataclass(frozen=True)
class Comparison:
    """An original and its release, ready to be read: the pairing, the cells of each column, the sizes of classes."""

    pairing: Pairing
    cells: Mapping[str, ColumnCells]
    class_sizes: ClassSizes
    seed: int = 0

    @classmethod
    def of(cls, pairing: Pairing, seed: int = 0) -> Comparison:
        """Count the cells and the classes of a pairing."""
        pairing.engine.expect(pairing.table)
        cells = ColumnCells.all_of(pairing, pairing.columns)
        return cls(pairing, cells, ClassSizes.of(pairing, cells.values()), seed)

    @property
    def records(self) -> int:
        """Records of the original."""
        return self.pairing.records
