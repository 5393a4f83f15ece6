"""Class sizes: the classes of an original and of its release, by their records and by how much they stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.tables.engine import Table, listed, same, total
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.label_levels import ValueChange
from sfumato.utility.paired.pairing import Pairing


@dataclass(frozen=True)
class ReleasedClasses:
    """Classes of a release that are alike: the records of each, the combinations it stands for, how many they are."""

    size: int
    bits: float  # log2 of the combinations
    classes: int

    @property
    def volume(self) -> float:
        """The combinations of values that such a class stands for."""
        return 2.0**self.bits if self.bits < 1023 else math.inf


@dataclass(frozen=True)
class ClassSizes:
    """The classes of the original, those of the release without suppressed records, and who was suppressed.

    >>> pairs = ReleasedClasses(size=2, bits=1.0, classes=2)
    >>> sizes = ClassSizes(records=6, suppressed=2, original=((1, 6),), released=(pairs,), domain_bits=3.0)
    >>> sizes.classes, sizes.released[0].volume, sizes.domain
    (2, 2.0, 8.0)
    """

    records: int
    suppressed: int
    original: tuple[tuple[int, int], ...]  # size, classes
    released: tuple[ReleasedClasses, ...]
    domain_bits: float  # log2 of all combinations that there are
    perturbed: tuple[str, ...] = ()  # columns whose labels stand for other values than their own

    @classmethod
    def of(cls, pairing: Pairing, cells: Iterable[ColumnCells]) -> ClassSizes:
        """Count the classes of both sides; the volume of a label is the leaves that it stands for."""
        columns = list(cells)
        engine, numbers = pairing.engine, [c.column.number for c in columns]
        originals = f"SELECT sum(n) AS size FROM {pairing.counted} GROUP BY {listed(f'o{i}' for i in numbers)}"
        original = engine.fetch(f"SELECT size, count(*) FROM ({originals}) AS class GROUP BY size ORDER BY size")
        keys = listed(f"{part}{i}" for part in "lg" for i in numbers)
        classes = engine.numbered(
            f"SELECT {keys}, sum(n) AS size FROM {pairing.counted} WHERE kept GROUP BY {keys}", "class_id"
        )
        changed = [c for c in columns if c.changes[ValueChange.SAME] < c.records and not c.changes[ValueChange.MOVED]]
        # Column by column: no planner likes a join of two hundred tables.
        bits = " UNION ALL ".join(
            [f"SELECT class_id, 0.0 AS bits FROM {classes}", *(_bits(classes, c) for c in changed)]
        )
        released = engine.fetch(f"""
            SELECT size, bits, count(*) FROM {classes} AS class
            JOIN (SELECT class_id, {total("bits")} AS bits FROM ({bits}) AS by_column GROUP BY class_id) AS summed
                ON summed.class_id = class.class_id
            GROUP BY 1, 2 ORDER BY 1, 2""")
        return cls(
            records=pairing.records,
            suppressed=pairing.suppressed,
            original=tuple((int(size), int(n)) for size, n in original),
            released=tuple(ReleasedClasses(int(size), float(bits), int(n)) for size, bits, n in released),
            domain_bits=math.fsum(math.log2(c.domain) for c in columns if c.domain),
            perturbed=tuple(c.column.name for c in columns if c.changes[ValueChange.MOVED]),
        )

    @property
    def classes(self) -> int:
        """Classes of the release, without suppressed records."""
        return sum(alike.classes for alike in self.released)

    @property
    def domain(self) -> float:
        """All combinations of values that there are."""
        return 2.0**self.domain_bits if self.domain_bits < 1023 else math.inf


def _bits(classes: Table, cells: ColumnCells) -> str:
    """How many bits of its values one column of each class leaves open."""
    i = cells.column.number
    leaves = f"SELECT label AS l{i}, gone AS g{i}, max(leaves) AS leaves FROM {cells.table} GROUP BY label, gone"
    return f"""
        SELECT class.class_id, log2(released.leaves) AS bits FROM {classes} AS class
        JOIN ({leaves}) AS released ON {same("released", "class", [f"l{i}", f"g{i}"])}"""
