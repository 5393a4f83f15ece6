"""Leaves as bits of whole numbers, of which a mask leaves what the labels at a node say.

A hierarchy is a tree. The bits of a leaf say which of the labels below the top it belongs to, then which of those below
that one, and so on; leaves have the same label at a level where the bits down to that level are the same. So a record
is one number or a few, and what it becomes at a node are these numbers under masks: no label is looked up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import CodedColumn

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole

ROOM = 62  # bits of a number: every engine has it among its whole numbers of 64, and it is never negative
DENSE = 16  # bits up to which there is a place for each number that they make: half a megabyte. Chosen


@dataclass(frozen=True)
class Bits:
    """Neighbouring bits of one of the numbers."""

    number: int  # which of them, from 0 on
    first: int
    wide: int

    @property
    def mask(self) -> int:
        """A number that has these bits only."""
        return ((1 << self.wide) - 1) << self.first


@dataclass(frozen=True, eq=False)
class PackedColumn:
    """The bits of a column: those of a level say its label together with those of the levels above."""

    levels: tuple[Bits, ...]
    codes: tuple[tuple[Bits, Whole], ...]  # what bits that stand together are for each leaf; the first tell all leaves

    @classmethod
    def of(cls, column: CodedColumn, used: list[int]) -> PackedColumn:
        """In the first numbers that have room for it: `used` are the bits of each that are taken."""
        steps = [(places, (count - 1).bit_length()) for places, count in column.parts]
        groups = [[_apart(column), *steps]]
        if _wide(groups[0]) > ROOM:  # a tree of very many levels: each has its labels, whatever is above
            own = [[(column.labels[i], (column.count(i) - 1).bit_length())] for i in range(column.height)]
            groups = [[_apart(column), *own[0]], *own[1:]]
        levels, codes = [], []
        for group in groups:
            bits, first = _room_for(_wide(group), used), 0
            code = np.zeros(column.width, dtype=np.int64)
            for places, wide in group:
                code |= places.astype(np.int64) << first
                levels.append(Bits(bits.number, bits.first + first, wide))
                first += wide
            codes.append((bits, code))
        return cls(tuple(levels[1:]), tuple(codes))

    def counted(self, numbers: Sequence[Whole] | Mapping[int, Whole], weights: Real) -> Real:
        """How much the records with each leaf weigh together."""
        bits, own = self.codes[0]
        places = (numbers[bits.number] >> bits.first) & ((1 << bits.wide) - 1)
        if bits.wide > DENSE:
            known = np.sort(own)
            places, own = np.searchsorted(known, places), np.searchsorted(known, own)
        counts = np.bincount(places, weights=weights, minlength=int(own.max()) + 1).astype(float)
        return counts[own]


def _apart(column: CodedColumn) -> tuple[Whole, int]:
    """What tells leaves apart that have one label at the lowest level: the missing value may be called as another."""
    labels = column.labels[0]
    shared = int((labels == labels[-1]).sum() > 1)
    return np.arange(column.width) // max(column.width - 1, 1) * shared, shared


def _wide(steps: Sequence[tuple[Whole, int]]) -> int:
    return sum(wide for _, wide in steps)


def _room_for(wide: int, used: list[int]) -> Bits:
    """Bits of the first number that has as many left."""
    number = next((i for i, taken in enumerate(used) if taken + wide <= ROOM), len(used))
    if number == len(used):
        used.append(0)
    used[number] += wide
    return Bits(number, used[number] - wide, wide)


@dataclass(frozen=True, eq=False)
class PackedLeaves:
    """How the leaves of some columns are written as numbers."""

    columns: tuple[PackedColumn, ...]
    numbers: int  # how many it takes

    @classmethod
    def of(cls, columns: Sequence[CodedColumn]) -> PackedLeaves:
        """In as few numbers as columns fit into, one after the other."""
        used = [0]
        packed = tuple(PackedColumn.of(column, used) for column in columns)
        return cls(packed, len(used))

    def masks(self, levels: Node) -> list[int]:
        """By number: the bits that say the labels at a node."""
        masks = [0] * self.numbers
        for column, level in zip(self.columns, levels, strict=True):
            for bits in column.levels[level:]:
                masks[bits.number] |= bits.mask
        return masks

    def counted(self, numbers: Sequence[Whole], weights: Real) -> Real:
        """How much the records with each leaf weigh together, in one line over all columns."""
        return np.concatenate([column.counted(numbers, weights) for column in self.columns])
