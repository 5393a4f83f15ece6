"""Leaves as bits: under the mask of a node two leaves are the same where their labels are, and only there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.packed_leaves import ROOM, PackedLeaves
from sfumato.privacy.coded.table import CodedColumn

TOWNS = Hierarchy((("a", "x", "u", "*"), ("b", "x", "u", "*"), ("c", "y", "u", "*"), ("d", "z", "v", "*")))
CALLED = Hierarchy((("unknown", "*"), ("f", "*"), ("m", "*")), missing=("unknown", "*"))
ALIKE = Hierarchy((("all", "all", "all"),))


def tall(levels: int) -> Hierarchy:
    """A tree that parts in two at each of very many levels, each time below another branch."""
    lines = [
        tuple(["*" if i <= level else f"{i} of {level}" for level in range(levels)] + ["*"]) for i in range(levels)
    ]
    return Hierarchy(tuple((f"leaf {i}", *line[1:]) for i, line in enumerate(lines)))


def numbers(packed: PackedLeaves, leaves: tuple[int, ...]) -> list[int]:
    """The numbers of a record that has these leaves."""
    made = [0] * packed.numbers
    for column, leaf in zip(packed.columns, leaves, strict=True):
        for bits, code in column.codes:
            made[bits.number] |= int(code[leaf]) << bits.first
    return made


@pytest.mark.parametrize("hierarchies", [[TOWNS], [TOWNS, CALLED, ALIKE], [CALLED, tall(70), TOWNS], [TOWNS] * 20])
def test_records_are_the_same_under_the_mask_of_a_node_where_their_labels_are(hierarchies: list[Hierarchy]) -> None:
    columns = [CodedColumn.of(f"c{j}", hierarchy) for j, hierarchy in enumerate(hierarchies)]
    packed = PackedLeaves.of(columns)
    draw = np.random.Generator(np.random.PCG64(5))
    for _ in range(300):
        node = tuple(int(draw.integers(0, column.height + 1)) for column in columns)
        one, other = (tuple(int(draw.integers(0, column.width)) for column in columns) for _ in "ab")
        same = all(
            c.labels[level][a] == c.labels[level][b] for c, level, a, b in zip(columns, node, one, other, strict=True)
        )
        masked = (
            [n & mask for n, mask in zip(numbers(packed, r), packed.masks(node), strict=True)] for r in (one, other)
        )
        assert (next(masked) == next(masked)) is same


@pytest.mark.parametrize("hierarchies", [[TOWNS, CALLED, ALIKE], [tall(70), TOWNS], [tall(40)]])
def test_the_leaves_of_records_are_counted_by_their_numbers(hierarchies: list[Hierarchy]) -> None:
    columns = [CodedColumn.of(f"c{j}", hierarchy) for j, hierarchy in enumerate(hierarchies)]
    packed, draw = PackedLeaves.of(columns), np.random.Generator(np.random.PCG64(6))
    rows = np.stack([draw.integers(0, column.width, 500) for column in columns])
    weights = draw.integers(1, 9, 500).astype(float)
    held = np.array([numbers(packed, tuple(row)) for row in rows.T]).T
    counted = packed.counted(list(held), weights)
    there = [np.bincount(leaves, weights=weights, minlength=c.width) for leaves, c in zip(rows, columns, strict=True)]
    assert counted.tolist() == np.concatenate(there).tolist()


def test_no_number_has_more_bits_than_every_engine_has_and_no_bit_says_two_things() -> None:
    packed = PackedLeaves.of([CodedColumn.of(f"c{j}", h) for j, h in enumerate([tall(70), *[TOWNS] * 30, CALLED])])
    taken = [0] * packed.numbers
    for bits, _ in (codes for column in packed.columns for codes in column.codes):
        assert not taken[bits.number] & bits.mask
        taken[bits.number] |= bits.mask
    assert max(taken) < 1 << ROOM
    assert packed.numbers > 2


def test_leaves_that_have_one_label_at_the_lowest_level_stay_two_leaves() -> None:
    packed = PackedLeaves.of([CodedColumn.of("sex", CALLED)])
    each = [numbers(packed, (leaf,))[0] for leaf in range(4)]
    assert len(set(each)) == 4
    [mask] = packed.masks((0,))
    assert each[0] & mask == each[3] & mask
    assert all(each[i] & mask != each[j] & mask for i, j in product((0, 1, 2), repeat=2) if i != j)
