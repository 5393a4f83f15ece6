"""Shapes: the classes of an original and of its release, by size and by how much they stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sfumato.cells import Cells
from sfumato.engine import listed, same
from sfumato.pairing import Pairing
from sfumato.placing import Change


@dataclass(frozen=True)
class Shape:
    """Classes alike: how many records each holds, how many combinations of values it stands for, how many they are."""

    size: int
    bits: float  # log2 of the combinations
    classes: int

    @property
    def volume(self) -> float:
        """The combinations of values that such a class stands for."""
        return 2.0**self.bits if self.bits < 1023 else math.inf


@dataclass(frozen=True)
class Shapes:
    """The classes of the original, those of the release without suppressed records, and who was suppressed.

    >>> shapes = Shapes(records=6, suppressed=2, original=((1, 6),), released=(Shape(2, 1.0, 2),), domain_bits=3.0)
    >>> shapes.classes, shapes.released[0].volume, shapes.domain
    (2, 2.0, 8.0)
    """

    records: int
    suppressed: int
    original: tuple[tuple[int, int], ...]  # size, classes
    released: tuple[Shape, ...]
    domain_bits: float  # log2 of all combinations that there are
    perturbed: tuple[str, ...] = ()  # columns whose labels stand for other values than their own

    @classmethod
    def of(cls, pairing: Pairing, cells: Iterable[Cells]) -> Shapes:
        """Count the classes of both sides; the volume of a label is the leaves that it stands for."""
        found = list(cells)
        engine, columns = pairing.engine, [c.column.number for c in found]
        originals = f"SELECT sum(n) AS size FROM {pairing.table} GROUP BY {listed(f'o{i}' for i in columns)}"
        original = engine.fetch(f"SELECT size, count(*) FROM ({originals}) AS class GROUP BY size ORDER BY size")
        keys = listed(f"{part}{i}" for part in "lg" for i in columns)
        classes = engine.view(f"SELECT {keys}, sum(n) AS size FROM {pairing.table} WHERE kept GROUP BY {keys}")
        changed = [c for c in found if c.changes[Change.SAME] < c.records and not c.changes[Change.MOVED]]
        bits = " + ".join(f"log2(v{c.column.number}.leaves)" for c in changed) or "0.0"
        joins = " ".join(_leaves(c) for c in changed)
        released = engine.fetch(f"""
            SELECT size, bits, count(*) FROM (SELECT size, {bits} AS bits FROM {classes} AS class {joins}) AS shaped
            GROUP BY size, bits ORDER BY size, bits""")
        return cls(
            pairing.records,
            pairing.suppressed,
            tuple((int(size), int(n)) for size, n in original),
            tuple(Shape(int(size), float(bits), int(n)) for size, bits, n in released),
            math.fsum(math.log2(c.domain) for c in found if c.domain),
            tuple(c.column.name for c in found if c.changes[Change.MOVED]),
        )

    @property
    def classes(self) -> int:
        """Classes of the release, without suppressed records."""
        return sum(shape.classes for shape in self.released)

    @property
    def domain(self) -> float:
        """All combinations of values that there are."""
        return 2.0**self.domain_bits if self.domain_bits < 1023 else math.inf


def _leaves(cells: Cells) -> str:
    """A join of the released classes with the leaves of their labels."""
    i = cells.column.number
    leaves = f"SELECT label AS l{i}, gone AS g{i}, max(leaves) AS leaves FROM {cells.table} GROUP BY label, gone"
    return f"JOIN ({leaves}) AS v{i} ON {same(f'v{i}', 'class', [f'l{i}', f'g{i}'])}"
