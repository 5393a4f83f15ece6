"""Kernels of local recoding: the same numbers by whole arrays in NumPy, and by loops that numba compiles.

The loops are used where numba is installed (`sfumato[fast]`) and the table is large enough to be worth its import.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.privacy.coded.arrays import Real, Whole

    Share = NDArray[np.float32]
    Units = NDArray[np.uint16]

# Tuples from which on loops are compiled. On the census (19,502 tuples) they save 0.3 of 1.3 s
# (benchmarks/RESULTS-local.md), and importing numba alone takes 0.26 s.
WORTH = 50_000
SPARSE = 5  # where one slot in 2**5 could be taken, sorting is faster than counting; 3 and 7 take as long
ROWS = 32  # compared with all columns at once in NumPy; 8 and 128 take as long


@dataclass(frozen=True, eq=False)
class LocalKernels:
    """What takes most of the time of local recoding.

    `cheapest`: what the cheapest class of each combination of levels costs that may be large enough; infinity where
    there is none. `large`: the tuples in classes that are large enough, one class after the other. `nearest`: for each
    row the column whose node costs least together with that of the row, and what is paid for it; columns with the
    number of the row are left out, and where the column has too few records for the row, one of another number more.
    """

    cheapest: Callable[..., Real]
    large: Callable[..., Whole]
    nearest: Callable[..., tuple[Whole, Real]]


def kernels_for(tuples: int) -> LocalKernels:
    """The kernels for a table of so many tuples; SFUMATO_FAST=0 never compiles, 1 always does."""
    asked = os.environ.get("SFUMATO_FAST", "")
    return kernels(fast=asked == "1" or (asked != "0" and tuples >= WORTH))


@cache
def kernels(*, fast: bool) -> LocalKernels:
    """The kernels; the compiled ones where they are asked for and numba is installed."""
    if fast:
        try:
            from numba import njit
        except ImportError:
            return kernels(fast=False)
        try:
            return _compiled(njit(cache=True))
        except RuntimeError:  # nowhere to keep what was compiled
            return _compiled(njit)
    return LocalKernels(cheapest, large, nearest)


def _compiled(compiler: Callable[[Any], Any]) -> LocalKernels:
    return LocalKernels(compiler(_cheapest_loop), compiler(_large_loop), compiler(_nearest_loop))


def cheapest(  # noqa: PLR0917
    first: Any, lefts: Whole, second: Any, rights: Whole, first_costs: Real, second_costs: Real,
    counts: Real, bits: int, least: int,
) -> Real:  # fmt: skip
    """By slots of both halves, which different classes may share. Who costs infinity is in no class."""
    costs = first_costs[lefts] + second_costs[rights]
    which, where = np.nonzero(costs < np.inf)
    slots = first[lefts[which], where] + second[rights[which], where]
    slots = (slots & ((1 << bits) - 1)) + (which << bits)
    if len(slots) < len(lefts) << bits - SPARSE:
        _, slots = np.unique(slots, return_inverse=True)
    enough = np.flatnonzero(np.bincount(slots, weights=counts[where])[slots] >= least)
    best = np.full(len(lefts), np.inf)
    np.minimum.at(best, which[enough], costs[which[enough], where[enough]])
    return best


def _cheapest_loop(first, lefts, second, rights, first_costs, second_costs, counts, bits, least):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    n, mask = len(counts), (1 << bits) - 1
    costs, loads, slots = np.empty(len(lefts)), np.zeros(1 << bits), np.empty(n, np.int64)
    for c in range(len(lefts)):
        left, right, best = lefts[c], rights[c], np.inf
        for i in range(n):
            if first_costs[left, i] + second_costs[right, i] < np.inf:
                slots[i] = (first[left, i] + second[right, i]) & mask
                loads[slots[i]] += counts[i]
            else:
                slots[i] = -1
        for i in range(n):
            if slots[i] >= 0 and loads[slots[i]] >= least:
                best = min(best, first_costs[left, i] + second_costs[right, i])
        for i in range(n):
            if slots[i] >= 0:
                loads[slots[i]] = 0
        costs[c] = best
    return costs


def large(slots: Any, keys: Any, others: Any, counts: Real, bits: int, least: int) -> Whole:  # noqa: PLR0917
    """By slots first, and then by the keys of those who are left."""
    slots = slots & ((1 << bits) - 1)
    enough = np.bincount(slots, weights=counts) >= least
    where = np.flatnonzero(enough[slots])
    where = where[counts[where] > 0]
    keys = keys[where] + others[where]
    order = keys.argsort(kind="stable")
    where, keys = where[order], keys[order]
    owner = np.cumsum(np.append(False, keys[1:] != keys[:-1])[: len(keys)])
    kept: Whole = where[(np.bincount(owner, weights=counts[where]) >= least)[owner]]
    return kept


def _large_loop(slots, keys, others, counts, bits, least):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    mask = (1 << bits) - 1
    loads, many = np.zeros(1 << bits), 0
    where = np.empty(len(counts), np.int64)
    for i in range(len(counts)):
        loads[slots[i] & mask] += counts[i]
    for i in range(len(counts)):
        if counts[i] > 0 and loads[slots[i] & mask] >= least:
            where[many] = i
            many += 1
    own = keys[where[:many]] + others[where[:many]]
    order = np.argsort(own, kind="mergesort")
    kept, start, count = np.empty(many, np.int64), 0, 0
    while start < many:
        end, records = start, 0.0
        while end < many and own[order[end]] == own[order[start]]:
            records += counts[where[order[end]]]
            end += 1
        if records >= least:
            for i in range(start, end):
                kept[count] = where[order[i]]
                count += 1
        start = end
    return kept[:count]


def nearest(  # noqa: PLR0917
    steps: Units, starts: Whole, widths: Whole, first: Whole, second: Whole, unit: Any, size: Share, records: Share,
    paid: Share, own: Whole, number: Whole, needed: Whole,
) -> tuple[Whole, Real]:  # fmt: skip
    """By blocks of rows; `first` and `second` are codes of nodes by table and row or column."""
    nearest_two, costs = np.full((first.shape[1], 2), -1, dtype=np.int64), np.full(first.shape[1], np.inf)
    for start in range(0, first.shape[1] if second.shape[1] else 0, ROWS):
        some = np.arange(start, min(start + ROWS, first.shape[1]))
        total = np.zeros((len(some), second.shape[1]), dtype=np.uint16)
        for at, width, rows, columns in zip(starts.tolist(), widths.tolist(), first, second, strict=True):
            table = steps[at : at + width * width].reshape(width, width)
            total += table[rows[some]].take(columns, axis=1)
        extra = (total * unit) * (size[some, None] + records) - paid
        extra[number == own[some, None]] = np.inf
        nearest_two[some], costs[some] = _two_best(extra, number, records, needed[some])
    return nearest_two, costs


def _two_best(extra: Share, number: Whole, records: Share, needed: Whole) -> tuple[Whole, Real]:
    """The cheapest column of each row, and one of another number more where that has too few records."""
    every = np.arange(len(extra))
    first = extra.argmin(axis=1)
    cost, two = extra[every, first].astype(np.float64), np.full((len(extra), 2), -1, dtype=np.int64)
    two[:, 0] = first
    short = np.flatnonzero(records[first] < needed)
    if len(short):
        others = np.where(number == number[first[short]][:, None], np.inf, extra[short])
        second = others.argmin(axis=1)
        two[short, 1] = second
        cost[short] += others[np.arange(len(short)), second]
        cost[short[records[first[short]] + records[second] < needed[short]]] = np.inf
    return two, cost


def _nearest_loop(steps, starts, widths, first, second, unit, size, records, paid, own, number, needed):  # type: ignore[no-untyped-def]  # noqa: PLR0917, C901
    rows, columns = first.shape[1], second.shape[1]
    two, costs = np.full((rows, 2), -1, np.int64), np.full(rows, np.inf)
    extra = np.empty(columns, np.float32)
    for i in range(rows):
        reach = np.zeros(columns, np.uint16)
        for k in range(len(starts)):
            at = starts[k] + first[k, i] * widths[k]
            row, codes = steps[at : at + widths[k]], second[k]
            for j in range(columns):
                reach[j] += row[codes[j]]
        best, least = -1, np.float32(np.inf)
        for j in range(columns):
            extra[j] = (np.float32(reach[j]) * unit) * (size[i] + records[j]) - paid[j]
            if extra[j] < least and number[j] != own[i]:
                best, least = j, extra[j]
        if best < 0:
            continue
        two[i, 0], costs[i] = best, least
        if records[best] >= needed[i]:
            continue
        second_best, next_least = -1, np.float32(np.inf)
        for j in range(columns):
            if extra[j] < next_least and number[j] != own[i] and number[j] != number[best]:
                second_best, next_least = j, extra[j]
        two[i, 1] = second_best
        enough = second_best >= 0 and records[best] + records[second_best] >= needed[i]
        costs[i] = np.float64(least) + np.float64(next_least) if enough else np.inf
    return two, costs
