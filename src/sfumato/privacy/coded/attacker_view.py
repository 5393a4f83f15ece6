"""Attacker views: the classes of a grouping as somebody sees them who knows some of its columns only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import UnknownColumn
from sfumato.privacy.coded.classes import Grouped

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True, eq=False)
class AttackerView:
    """A grouping by some of its columns: each class of all columns is in one class of these."""

    full: Grouped
    grouped: Grouped
    owner: Whole  # by class of all columns: its class here

    @classmethod
    def of(cls, full: Grouped, columns: Sequence[str]) -> AttackerView:
        """The view of somebody who knows these columns."""
        import numpy as np

        names = [column.name for column in full.table.columns]
        for name in columns:
            if name not in names:
                raise UnknownColumn(name, names)
        levels = tuple(level if name in columns else -1 for name, level in zip(names, full.levels, strict=True))
        nowhere, owner = tuple(-1 for _ in levels), np.zeros(full.space, dtype=np.int64)
        if len(full.ids):
            start = Grouped(full.table, nowhere, owner, 1, full.examples)
            owner = start.refined(levels).packed.ids
        space = int(owner.max(initial=0)) + 1
        return cls(full, Grouped(full.table, levels, owner.take(full.ids), space, full.rows), owner)

    def among(self, kept: Flags) -> Grouped:
        """The classes here, of the rows that are in some classes of all columns."""
        import numpy as np

        own = np.flatnonzero(kept.take(self.full.ids))
        rows = own if self.full.rows is None else self.full.rows.take(own)
        return replace(self.grouped, ids=self.grouped.ids.take(own), rows=rows, whole=self._whole)

    def marked(self, classes: Flags) -> Flags:
        """The classes of all columns that are in some classes here."""
        return classes.take(self.owner)

    @cached_property
    def _whole(self) -> Grouped | None:
        """All rows of the table in the classes here, where somebody needs to know what is missing."""
        table = self.full.table
        return None if table.population is None and table.persons is None else self.grouped.everything
