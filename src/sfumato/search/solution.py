"""Solutions: how the quasi-identifiers are recoded and which records go, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.person_counts import members_by_class
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.suppress_until_met import broken_among_themselves
from sfumato.privacy.coded.table import CodedTable
from sfumato.privacy.policy import Policy
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.local.counted_tuples import OrderedColumn
from sfumato.search.local.recoding import Recoding

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Flags, Whole


@dataclass(frozen=True, eq=False)
class Solution:
    """What a method found: one level for each column, or what every combination of values becomes."""

    records: int
    suppressed: int  # records that are left out
    classes: int
    sizes: tuple[int, int]  # of the smallest and the largest class that is kept; zeros where none is
    score: float
    normalised: float  # from 0 where nothing is lost to 1 where everything is
    levels: Mapping[str, int] | None = None
    lines: pa.Table | None = field(default=None, repr=False)  # the values of every combination, then what each becomes
    optimal: bool = False
    bound: float | None = None  # nothing that this method could find scores less; None where nobody knows
    examined: int | None = None
    pruned: int | None = None
    tied: int | None = None
    lattice: int | None = None  # combinations of levels
    intervals: tuple[str, ...] = ()  # columns whose labels are intervals of values, whatever their hierarchy
    levels_found: LevelsFound | None = None  # where levels were searched
    gone: Flags | None = None  # rows of the condensed table that are left out
    groups: Whole | None = None  # and the class of each row, where every class has its own labels
    losses: Mapping[str, float] | None = None  # of each column, where every class has its own labels
    bare: Whole | None = None  # of each row: the cells of which a class of its own kept nothing

    @classmethod
    def of(cls, best: LevelsFound, gone: Flags | None) -> Solution:
        """The solution of a search for levels, and the rows that are left out, where they are here."""
        return cls(
            records=best.records,
            suppressed=best.suppressed,
            classes=best.classes,
            sizes=best.sizes,
            score=best.score,
            normalised=best.normalised,
            levels=best.levels,
            optimal=best.optimal,
            bound=best.bound,
            examined=best.examined,
            pruned=best.pruned,
            tied=best.tied,
            lattice=best.lattice,
            levels_found=best,
            gone=gone,
        )

    @classmethod
    def recoded(cls, recoding: Recoding) -> Solution:
        """The solution of a recoding that gives every class its own labels."""
        import pyarrow.compute as pc

        lines, sizes = recoding.lines(), recoding.sizes[~recoding.gone]
        kept = lines.filter(pc.invert(lines["suppressed"])).drop_columns(["suppressed"])
        ends = (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)
        gone = recoding.gone[recoding.group][recoding.tuples.owner]
        # Groups that are written alike are one class. A union of safe ones is safe unless persons are in several.
        groups = recoding.group if recoding.tuples.table.persons is None else recoding.released
        return cls(
            records=recoding.tuples.records,
            suppressed=recoding.suppressed,
            classes=recoding.classes,
            sizes=ends,
            score=recoding.loss,
            normalised=recoding.loss,
            lines=kept,
            gone=gone,
            groups=groups[recoding.tuples.owner],
            losses=recoding.losses,
            bare=recoding.bare[recoding.group][recoding.tuples.owner],
            intervals=tuple(column.name for column in recoding.tuples.columns if isinstance(column, OrderedColumn)),
        )  # fmt: skip

    def keeps(self, table: CodedTable, policy: Policy) -> bool:
        """Whether the classes that stay keep to a policy among themselves."""
        assert self.gone is not None
        assert self.groups is not None
        rows = np.flatnonzero(~self.gone)
        classes = CodedClasses(table, (), self.groups.take(rows), int(self.groups.max()) + 1, rows)
        return not (broken_among_themselves(PolicyRules.of(policy), classes) & (classes.records > 0)).any()

    def smallest(self, table: CodedTable) -> int:
        """The members of the smallest class that is kept: persons where the subject is known; 0 where none is.

        `sizes` count records, and one person may have all records of a class.
        """
        if table.one_record_each:
            return self.sizes[0]
        ids = self.groups
        if self.levels is not None:
            ids = CodedClasses.at(table, tuple(self.levels[column.name] for column in table.columns)).ids
        assert ids is not None
        kept = table.records > 0 if self.gone is None else ~self.gone & (table.records > 0)
        rows = np.flatnonzero(kept)
        whose = None if table.persons is None else table.persons.take(rows)
        members = members_by_class(ids.take(rows), table.member_weights.take(rows), whose, int(ids.max(initial=0)) + 1)
        return int(members[members > 0].min()) if len(rows) else 0

    def cells_left_out(self, table: CodedTable) -> int:
        """Cells of records that stay of which nothing is left: taken out, or at the top of the hierarchy."""
        if self.levels is not None:
            tops = sum(self.levels[column.name] == column.height > 0 for column in table.columns)
            return tops * (self.records - self.suppressed)
        kept = table.records if self.gone is None else np.where(self.gone, 0, table.records)
        return 0 if self.bare is None else int(kept @ self.bare)

    def hit(self, table: CodedTable) -> Flags:
        """The rows of a table whose records are left out, or lose a cell that not everybody loses."""
        gone: Flags = np.zeros(table.rows, dtype=np.bool_) if self.gone is None else self.gone
        return gone if self.bare is None else gone | (self.bare > self.bare.min())

    @property
    def gap(self) -> float | None:
        """By how much something better could undercut the score at the most, as a share of it; None: nobody knows."""
        if self.optimal or not self.score:
            return 0.0
        return None if self.bound is None else max(self.score - self.bound, 0.0) / abs(self.score)

    @property
    def average_size(self) -> float | None:
        """Records of a class that is kept, on average; None where there is none."""
        return (self.records - self.suppressed) / self.classes if self.classes else None
