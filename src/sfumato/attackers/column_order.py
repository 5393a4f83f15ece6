"""Orders of columns: how many records are alone as one column after the other becomes known.

The codes of a place, in the order of the columns, are one number; the highest bit in which two numbers differ says how
many first columns their places share. Sorted, whoever shares most with a place stands beside it. So one sort answers
for all columns of an order, where refinement (see `class_refinement`) goes over the records once for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.coded_records import CodedRecords

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

BITS = 63  # of a number without its sign; the columns that do not fit into it come with the next one
APART = np.iinfo(np.int64).max  # how much whoever stands first or last differs from nobody beside it


def alone_in_order(records: CodedRecords, order: Sequence[int]) -> list[int]:
    """How many records are alone on no column, on the first of an order, on the first two, and so on."""
    places, ids = np.arange(len(records.n)), np.zeros(len(records.n), dtype=np.int64)
    alone = [0]
    while True:
        start = len(alone) - 1
        columns = _fitting(records, order[start:], ids)
        keys, differ = _keys(records, columns, ids, places if start else None)
        if start + len(columns) == len(order) and not records.persons:
            several = keys[records.crowded[places]]
            return _added(alone, _alone_of_records(np.append(keys, several) if len(several) else keys, differ))
        along = np.argsort(keys)
        places = places[along]
        crowded = records.crowded[places]
        shared = _shared_columns(keys[along], differ)
        most = _shared_with_others(shared, np.where(crowded, -1 - places, records.person[places]))
        most[crowded] = len(columns)
        counts = np.bincount(most + 1, weights=records.n[places], minlength=len(columns) + 2)
        alone = _added(alone, np.cumsum(counts)[:-1].astype(int).tolist())
        if len(alone) > len(order):
            return alone
        # Whoever is alone by now stays alone, and is in nobody's way.
        left = most == len(columns)
        places, ids = places[left], np.cumsum(shared < len(columns))[left]


def _added(alone: list[int], counts: list[int]) -> list[int]:
    """The counts of some columns more; those who were alone before have left."""
    return [*alone[:-1], *(alone[-1] + count for count in counts)]


def _fitting(records: CodedRecords, order: Sequence[int], ids: Whole) -> Sequence[int]:
    """The first columns whose codes fit into one number behind the class."""
    room, columns = BITS - int(ids.max(initial=0)).bit_length(), 0
    while columns < len(order) and (room := room - _width(records, order[columns])) >= 0:
        columns += 1
    return order[:columns]


def _width(records: CodedRecords, column: int) -> int:
    return (records.values[column] - 1).bit_length()


def _keys(records: CodedRecords, columns: Sequence[int], ids: Whole, places: Whole | None) -> tuple[Whole, list[int]]:
    """A number for each place, or for all; and for none, one, two, ... columns, from where on numbers so differ."""
    keys = ids.copy()
    for column in columns:
        keys <<= _width(records, column)
        keys |= records.codes[column] if places is None else records.codes[column][places]
    behind = [sum(_width(records, column) for column in columns[known:]) for known in range(len(columns) + 1)]
    return keys, [1 << bits for bits in behind]


def _alone_of_records(keys: Whole, differ: Sequence[int]) -> list[int]:
    """How many numbers differ from all others by none, one, two, ... of the columns; who is not alone comes twice."""
    keys.sort()
    beside = np.empty(len(keys) + 1, dtype=np.int64)
    beside[0] = beside[-1] = APART
    np.bitwise_xor(keys[1:], keys[:-1], out=beside[1:-1])
    nearest = np.minimum(beside[1:], beside[:-1], out=keys)
    return [int(np.count_nonzero(nearest >= least)) for least in differ]


def _shared_columns(keys: Whole, differ: Sequence[int]) -> Whole:
    """How many columns each of the sorted numbers shares with the one before it; -1 where the class is another."""
    beside = np.full(len(keys), APART)
    np.bitwise_xor(keys[1:], keys[:-1], out=beside[1:])
    shared = np.full(len(keys), -1)
    for least in differ:
        shared += beside < least
    return shared


def _shared_with_others(shared: Whole, person: Whole) -> Whole:
    """How many columns each place shares with some place of another person, at the most; -1 where none has its class.

    Between two places stand none that share less with them than they do with each other: what they share is the least
    of what neighbours share on the way. A run of one person's places is passed to find somebody else's.
    """
    before = _along_runs(shared, person)
    after = _along_runs(np.append(shared[1:], -1)[::-1], person[::-1])[::-1]
    most: Whole = np.maximum(before, after)
    return most


def _along_runs(shared: Whole, person: Whole) -> Whole:
    """The least that was shared since the run of a person began."""
    run = np.cumsum(np.append(True, person[1:] != person[:-1]))[: len(person)]
    # Lower by more than any difference with each further run, the least since the beginning is the least of the run.
    below = run * (int(shared.max(initial=0)) + 2)
    least: Whole = np.minimum.accumulate(shared - below) + below
    return least
