"""Attacker views: the classes at a node as somebody sees them who knows some of its columns only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import UnknownColumn
from sfumato.privacy.coded.classes import CodedClasses

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True, eq=False)
class AttackerView:
    """Classes by some of the columns: each class of all columns is in one class of these."""

    full: CodedClasses
    classes: CodedClasses
    owner: Whole  # by class of all columns: its class here

    @classmethod
    def of(cls, full: CodedClasses, columns: Sequence[str]) -> AttackerView:
        """The view of somebody who knows these columns."""
        names = [column.name for column in full.table.columns]
        for name in columns:
            if name not in names:
                raise UnknownColumn(name, names)
        levels = tuple(level if name in columns else -1 for name, level in zip(names, full.levels, strict=True))
        nowhere, owner = tuple(-1 for _ in levels), np.zeros(full.space, dtype=np.int64)
        if len(full.ids):
            start = CodedClasses(table=full.table, levels=nowhere, ids=owner, space=1, rows=full.examples)
            owner = start.refined(levels).packed.ids
        space = int(owner.max(initial=0)) + 1
        ids = owner.take(full.ids)
        own = CodedClasses(table=full.table, levels=levels, ids=ids, space=space, rows=full.rows)
        return cls(full, own, owner)

    def among(self, kept: Flags) -> CodedClasses:
        """The classes here, of the rows that are in some classes of all columns."""
        return replace(self.classes.with_rows(np.flatnonzero(kept.take(self.full.ids))), whole=self._whole)

    def marked(self, classes: Flags) -> Flags:
        """The classes of all columns that are in some classes here."""
        return classes.take(self.owner)

    @cached_property
    def _whole(self) -> CodedClasses | None:
        """All rows of the table in the classes here, where somebody needs to know what is missing."""
        table = self.full.table
        return None if table.population is None and table.persons is None else self.classes.everything
