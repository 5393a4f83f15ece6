"""Comparisons: an original and its release, paired and counted, ready for every utility model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sfumato.utility.paired import pair_codes
from sfumato.utility.paired.class_sizes import ClassSizes
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.pair_codes import PairCodes
from sfumato.utility.paired.pairing import Pairing


@dataclass(frozen=True)
class Comparison:
    """An original and its release, ready to be read: the pairing, the cells of each column, the sizes of classes."""

    pairing: Pairing
    cells: Mapping[str, ColumnCells]
    seed: int = 0

    @classmethod
    def of(cls, pairing: Pairing, seed: int = 0) -> Comparison:
        """Count the cells of a pairing."""
        pairing.engine.expect(pairing.table)
        return cls(pairing, ColumnCells.all_of(pairing, pairing.columns), seed)

    @cached_property
    def class_sizes(self) -> ClassSizes:
        """The classes of both sides, counted when a model asks for them: models of cells never do."""
        return ClassSizes.of(self.pairing, self.cells.values())

    @cached_property
    def pair_codes(self) -> PairCodes | None:
        """The pairs as arrays, where they are not too many for that."""
        pairing, pairs = self.pairing, self.pairing.table.count()
        many = pairs > pair_codes.HELD or pairing.engine.cannot_hold(pairs * pair_codes.CELL * len(pairing.columns))
        return None if many else PairCodes.of(pairing)

    def forget(self) -> None:
        """Let go of the pairs and cells, which may be as many as the records, when all has been read."""
        cells = {each.cell_table.table for each in self.cells.values()}
        pairs = (self.pairing.table, *([self.pairing.short] if self.pairing.short else []))
        self.pairing.engine.drop(*pairs, *sorted(cells, key=str))

    @property
    def records(self) -> int:
        """Records of the original."""
        return self.pairing.records
