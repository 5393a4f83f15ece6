"""The passes over rows within the compiled loop of a proof.

What numba keeps of `proof_loop` contains these: after a change here, change that module too, or clear its cache.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from sfumato.privacy.coded.kernels import SMALL_SPACE, compiled
from sfumato.search.levels.proof_arrays import ROOMY


def hash_numbers(keys: Any, n: int, known: Any, place_of: Any) -> int:
    """Put in the place of each key its number, in the order in which they first occur; say how many there are."""
    bits = 1
    while (1 << bits) < 2 * n:
        bits += 1
    mask, shift, different = np.uint64((1 << bits) - 1), np.uint64(64 - bits), 0
    golden, one = np.uint64(11400714819323198485), np.uint64(1)  # 2**64 over the golden ratio, as in `hash_keys`
    place_of[: 1 << bits] = -1
    for i in range(n):
        key = keys[i]
        slot = (key * golden) >> shift
        while place_of[slot] >= 0 and known[slot] != key:
            slot = (slot + one) & mask
        if place_of[slot] < 0:
            known[slot], place_of[slot] = key, different
            different += 1
        keys[i] = place_of[slot]
    return different


def count_split(
    table: Any, places: Any, at: int, room: Any, split: Any, classes: Any, space: int, fewest: int
) -> tuple[int, int, int, int, float]:
    """Split classes by the labels that their rows have in a column, and count the records of each part.

    Says how many numbers the parts have, how many of these are used (they are listed in the room), how many records
    are in parts that are too small, and of the others how many there are and their squares, added up. What it takes
    follows the rows, and not the numbers.
    """
    column, before, level = split
    n, rows, weights, codes = places.numbers[at, 0], places.rows[at], places.weights[at], table.codes[column]
    parts, counts, used, different = room.parts, room.counts, room.used, 0
    lost, large, squares = 0, 0, 0.0
    if level + 1 == before:
        count, values = table.step_count[column, level], table.steps[table.step_start[column, level] :]
    else:
        count, values = table.label_count[column, level], table.labels[table.label_start[column, level] :]
    if space * count > ROOMY * n + SMALL_SPACE:
        for i in range(n):
            room.keys[i] = np.uint64(classes[i]) * np.uint64(count) + values[codes[rows[i]]]
        space = hash_numbers(room.keys, n, room.known, room.place_of)
        for i in range(n):
            parts[i] = room.keys[i]
    else:
        space, times = space * count, np.uint32(count)
        for i in range(n):
            parts[i] = classes[i] * times + values[codes[rows[i]]]
    if space <= n:
        for i in range(n):
            counts[parts[i]] += weights[i]
        for number in range(space):
            used[different] = number
            different += counts[number] > 0  # no branch, which nobody could foresee
    else:
        for i in range(n):
            part = parts[i]
            size = counts[part]
            used[different] = part
            different += size == 0
            counts[part] = size + weights[i]
    for place in range(different):
        size = counts[used[place]]
        if size < fewest:
            lost += size
        else:
            large += 1
            squares += float(size) * size
    return space, different, lost, large, squares


def forget_counts(room: Any, different: int) -> None:
    """Make all counts 0 again."""
    for place in range(different):
        room.counts[room.used[place]] = 0


for _loop in (hash_numbers, count_split, forget_counts):  # each calls the others by their names
    globals()[_loop.__name__] = compiled(numba, _loop)
