"""The passes over rows within the compiled loop of a proof.

What numba keeps of `proof_loop` contains these: after a change here, change that module too, or clear its cache.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from sfumato.privacy.coded.kernels import SMALL_SPACE, compiled
from sfumato.search.levels.proof_arrays import CROWDED, ROOMY, WHOLE


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


def steps_of_rows(table: Any, room: Any, column: int, level: int) -> Any:
    """The place of each row's label among those that are one a level higher; looked up once."""
    line = table.step_line[column, level]
    steps = room.row_steps[line]
    if not room.filled[line]:
        values, codes = table.steps[table.step_start[column, level] :], table.codes[column]
        for i in range(len(steps)):
            steps[i] = values[codes[i]]
        room.filled[line] = True
    return steps


def number_parts(room: Any, n: int) -> int:
    """Number the parts of classes without gaps, in the order in which they first occur; say how many there are."""
    parts, counts, used, different = room.parts, room.counts, room.used, 0
    for i in range(n):
        part = parts[i]
        used[different] = part
        different += counts[part] == 0  # no branch, which nobody could foresee
        counts[part] = 1
    for place in range(different):
        counts[used[place]] = place
    for i in range(n):
        parts[i] = counts[parts[i]]
    forget_counts(room, different)
    return different


def split_classes(table: Any, places: Any, at: int, room: Any, split: Any, classes: Any, space: int) -> int:
    """Split classes by the labels that their rows have in a column; say how many numbers the parts have."""
    column, before, level = split
    n, rows, codes, parts = places.numbers[at, 0], places.rows[at], table.codes[column], room.parts
    whole, all_steps = places.numbers[at, 3] == WHOLE, 1.0
    for step in range(level, before):
        all_steps = all_steps * table.step_count[column, step] if table.step_line[column, step] >= 0 else np.inf
    if level + 1 == before:
        count, values = table.step_count[column, level], table.steps[table.step_start[column, level] :]
    else:
        count, values = table.label_count[column, level], table.labels[table.label_start[column, level] :]
    if space * min(all_steps, float(count)) > CROWDED * n and space > n:
        for i in range(n):
            parts[i] = classes[i]
        space, classes = number_parts(room, n), parts
    if space * all_steps <= ROOMY * n + SMALL_SPACE:
        own = classes
        for step in range(before - 1, level - 1, -1):
            times, steps = np.uint32(table.step_count[column, step]), steps_of_rows(table, room, column, step)
            if whole:  # row after row as they stand, which takes half as long
                for i in range(n):
                    parts[i] = own[i] * times + steps[i]
            else:
                for i in range(n):
                    parts[i] = own[i] * times + steps[rows[i]]
            own, space = parts, space * table.step_count[column, step]
    elif space * count > ROOMY * n + SMALL_SPACE:
        for i in range(n):
            row = i if whole else rows[i]
            room.keys[i] = np.uint64(classes[i]) * np.uint64(count) + values[codes[row]]
        space = hash_numbers(room.keys, n, room.known, room.place_of)
        for i in range(n):
            parts[i] = room.keys[i]
    else:
        space, times = space * count, np.uint32(count)
        for i in range(n):
            row = i if whole else rows[i]
            parts[i] = classes[i] * times + values[codes[row]]
    return space


def count_parts(places: Any, at: int, room: Any, space: int, fewest: int) -> tuple[int, int, int, float]:
    """Count the records of each part of the classes.

    Says how many numbers of parts are used (they are listed in the room), how many records are in parts that are too
    small, and of the others how many there are and their squares, added up. What it takes follows the rows, and not the
    numbers.
    """
    n, weights, parts, counts, used = places.numbers[at, 0], places.weights[at], room.parts, room.counts, room.used
    different, lost, large, squares = 0, 0, 0, 0.0
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
            different += (size == 0) & (weights[i] > 0)
            counts[part] = size + weights[i]
    for place in range(different):
        size = counts[used[place]]
        if size < fewest:
            lost += size
        else:
            large += 1
            squares += float(size) * size
    return different, lost, large, squares


def forget_counts(room: Any, different: int) -> None:
    """Make all counts 0 again."""
    for place in range(different):
        room.counts[room.used[place]] = 0


LOOPS = (forget_counts, hash_numbers, steps_of_rows, number_parts, split_classes, count_parts)
for _loop in LOOPS:  # each calls the others by their names
    globals()[_loop.__name__] = compiled(numba, _loop)
