"""Nearest neighbours: for every original tuple the released ones that cost least, exactly, and how many records.

Both sides are cut into blocks by the same cuts, so that a block holds tuples that are alike. What a tuple costs against
any tuple of another block is at least what it costs against the edge of that block; blocks that cannot be as near as
what was found already are not looked into. Memory is that of one block against another, whatever the size of the table.
In the worst case (many real columns, in which everything is equally far) all blocks are looked into.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.matching.tuple_distance import CategoryDistance, ColumnDistance, NumberDistance, TupleDistance

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole

# Measured on the census (adult.csv, eight columns, ages moved by up to three years; 18,755 original and 19,076 released
# tuples), one run each, in seconds of CPU. None changes an answer, only how soon it is there.
BLOCK = 512  # tuples of both sides in a block; 128: 0.62, 256: 0.40, 512: 0.28, 1,024: 0.36, 2,048: 0.52
# Into which the categories of a column fall; two that share a slot count as equal for bounds. 16: 0.25, 128: 0.21,
# 1,024: 0.20, hardly a difference: columns of the census have few categories, and those of many need the slots.
SLOTS = 1024
# Pairs of tuples that are held at a time while it is said who is nearest: some ten megabytes. Chosen, not measured.
TIES = 2**20
SEVERAL = 64  # blocks for which bounds are computed at a time; 8: 0.29, 64: 0.23, 512: 0.25


@dataclass(frozen=True)
class Nearest:
    """By original tuple, what the nearest released tuples cost, and their records: 0 where nobody is named."""

    cost: Real
    records: Whole


def nearest(distance: TupleDistance, originals: int, releases: Whole, *, farthest: float = inf) -> Nearest:
    """Search for all original tuples; `releases` says how many records each released tuple has.

    Nothing is named that costs more than `farthest`.
    """
    near = Nearest(np.full(originals, farthest), np.zeros(originals, dtype=np.int64))
    blocks, search = _search(distance, releases, near)
    for block in blocks:
        search.update(block.originals)
    return near


def tied(distance: TupleDistance, releases: Whole, near: Nearest) -> Iterator[tuple[int, Whole]]:
    """Every original tuple for which somebody is named, and the released tuples that are nearest to it, in order.

    What is nearest is known by then: blocks are looked into once more where their bound does not rule it out.
    """
    blocks, search = _search(distance, releases, near)
    for block in blocks:
        named = block.originals[near.records[block.originals] > 0]
        held = np.cumsum(np.minimum(near.records[named], len(releases)))
        for some in np.split(named, np.flatnonzero(np.diff(held // TIES)) + 1):
            if len(some):
                yield from search.tied(some)


def _search(distance: TupleDistance, releases: Whole, near: Nearest) -> tuple[list[_Block], _BlockSearch]:
    """The blocks that have originals, and the search among those that have released tuples."""
    blocks = list(_blocks(distance.columns, len(near.cost), len(releases)))
    released = [block for block in blocks if len(block.released)]
    edges = [_edges(column, released) for column in distance.columns]
    search = _BlockSearch(distance=distance, blocks=released, edges=edges, releases=releases, near=near)
    return [block for block in blocks if released and len(block.originals)], search


@dataclass(frozen=True)
class _Block:
    """Tuples that are alike: numbers of original ones, and of released ones."""

    originals: Whole
    released: Whole


def _blocks(columns: Sequence[ColumnDistance], originals: int, released: int) -> Iterator[_Block]:
    """Cut where tuples differ most, until blocks are small."""
    waiting = [_Block(np.arange(originals), np.arange(released))]
    while waiting:
        block = waiting.pop()
        if len(block.originals) + len(block.released) <= BLOCK:
            yield block
        else:
            waiting += _halves(columns, block)


def _halves(columns: Sequence[ColumnDistance], block: _Block) -> tuple[_Block, _Block]:
    values = [np.concatenate([c.original[block.originals], c.released[block.released]]) for c in columns]
    spreads = [_spread(column, own) for column, own in zip(columns, values, strict=True)]
    if max(spreads, default=0.0) > 0:
        chosen = int(np.argmax(spreads))
        left = _commoner(values[chosen]) if isinstance(columns[chosen], CategoryDistance) else _lower(values[chosen])
    else:  # tuples that differ in nothing that counts
        left = np.arange(len(block.originals) + len(block.released)) % 2 == 0
    first, second = left[: len(block.originals)], left[len(block.originals) :]
    return (
        _Block(block.originals[first], block.released[second]),
        _Block(block.originals[~first], block.released[~second]),
    )


def _spread(column: ColumnDistance, values: Whole | Real) -> float:
    """About what two tuples of a block cost each other on a column."""
    if isinstance(column, CategoryDistance):
        shares = np.unique(values, return_counts=True)[1] / len(values)
        return float(column.weight * (1 - (shares**2).sum()))
    known = values[~np.isnan(values)]
    return float(known.std() * column.scale) if isinstance(column, NumberDistance) and len(known) else 0.0


def _commoner(values: Whole | Real) -> Flags:
    """Which tuples have one of the commonest values that are together at most half of them, or the commonest one."""
    different, place, n = np.unique(values, return_inverse=True, return_counts=True)
    order = np.argsort(-n, kind="stable")
    common = np.zeros(len(different), dtype=np.bool_)
    common[order[np.cumsum(n[order]) <= len(values) / 2]] = True
    common[order[0]] = True
    return common[place]


def _lower(values: Whole | Real) -> Flags:
    """Which tuples lie below the median (those that lack the value do not)."""
    middle = np.nanmedian(values)
    below: Flags = values < middle
    return below if below.any() else values <= middle


@dataclass(frozen=True)
class _CategoryEdges:
    """Which categories the released tuples of each block have."""

    column: CategoryDistance
    present: Flags  # by block and slot

    def of_block(self, originals: Whole) -> Real:
        slots = np.unique(self.column.original[originals] % SLOTS)
        return np.where(self.present[:, slots].any(axis=1), 0.0, self.column.weight)

    def of_tuples(self, originals: Whole, blocks: Whole) -> Real:
        slots = self.column.original[originals] % SLOTS
        return np.where(self.present[blocks][:, slots].T, 0.0, self.column.weight)


@dataclass(frozen=True)
class _NumberEdges:
    """The lowest and highest number of each block; infinite where one lacks, so that nothing is ruled out."""

    column: NumberDistance
    low: Real
    high: Real

    def of_block(self, originals: Whole) -> Real:
        low, high = _ends(self.column.original[originals])
        return self._apart(low, high, self.low, self.high)

    def of_tuples(self, originals: Whole, blocks: Whole) -> Real:
        values = self.column.original[originals][:, None]
        missing = np.isnan(values)
        low, high = np.where(missing, -inf, values), np.where(missing, inf, values)
        return self._apart(low, high, self.low[blocks], self.high[blocks])

    def _apart(self, low: Real | float, high: Real | float, lowest: Real, highest: Real) -> Real:
        return self.column.price(np.maximum(np.maximum(lowest - high, low - highest), 0.0))


def _edges(column: ColumnDistance, blocks: Sequence[_Block]) -> _CategoryEdges | _NumberEdges:
    if isinstance(column, NumberDistance):
        ends = np.array([_ends(column.released[block.released]) for block in blocks]).reshape(-1, 2)
        return _NumberEdges(column, ends[:, 0], ends[:, 1])
    assert isinstance(column, CategoryDistance)
    present = np.zeros((len(blocks), min(column.codes, SLOTS)), dtype=np.bool_)
    for place, block in enumerate(blocks):
        present[place, column.released[block.released] % SLOTS] = True
    return _CategoryEdges(column, present)


def _ends(values: Real) -> tuple[float, float]:
    """The lowest and the highest of some numbers, or anything if one lacks."""
    return (-inf, inf) if np.isnan(values).any() else (float(values.min()), float(values.max()))


@dataclass(frozen=True)
class _BlockSearch:
    """Looks for what is nearest, block by block, and writes it down in `near`.

    A block is left out where its bound is above what is nearest so far. The bound of a block adds, over the columns,
    what the originals cost at least against anything in it: 0 where they share a category (or only its slot) or their
    ranges overlap, else the weight, or the price of the gap between the ranges, which never falls with a wider gap. So
    no released tuple of the block costs less than the bound, and what is left out can be neither nearer nor as near.
    """

    distance: TupleDistance
    blocks: Sequence[_Block]  # those with released tuples
    edges: Sequence[_CategoryEdges | _NumberEdges]
    releases: Whole
    near: Nearest

    def update(self, originals: Whole) -> None:
        """Look into the blocks that may hold what is nearest to some originals that are alike, the likeliest first."""
        for active, released in self._likely(originals):
            self._compare(active, released)

    def tied(self, originals: Whole) -> Iterator[tuple[int, Whole]]:
        """The released tuples that are nearest to some originals, by original."""
        pairs = []
        for active, released in self._likely(originals):
            costs = self.distance.cost(active[:, None], released[None, :])
            original, place = np.nonzero(costs == self.near.cost[active][:, None])
            pairs.append(np.stack([active[original], released[place]]))
        joined = np.concatenate(pairs, axis=1)
        joined = joined[:, np.lexsort((joined[1], joined[0]))]
        for group in np.split(joined, np.flatnonzero(np.diff(joined[0])) + 1, axis=1):
            yield int(group[0, 0]), group[1]

    def _likely(self, originals: Whole) -> Iterator[tuple[Whole, Whole]]:
        """The originals and released tuples of the blocks that may hold what is nearest, the likeliest first."""
        at_least = np.zeros(len(self.blocks))
        for edge in self.edges:
            at_least += edge.of_block(originals)
        order = np.argsort(at_least, kind="stable")
        for start in range(0, len(order), SEVERAL):
            several = order[start : start + SEVERAL]
            if at_least[several[0]] > self.near.cost[originals].max():
                return
            bounds = np.zeros((len(originals), len(several)))
            for edge in self.edges:
                bounds += edge.of_tuples(originals, several)
            for place in np.argsort(bounds.min(axis=0), kind="stable"):
                active = originals[bounds[:, place] <= self.near.cost[originals]]
                if len(active):
                    yield active, self.blocks[several[place]].released

    def _compare(self, originals: Whole, released: Whole) -> None:
        """Compare some originals with the released tuples of a block, and keep what is nearest."""
        near, costs = self.near, self.distance.cost(originals[:, None], released[None, :])
        least = costs.min(axis=1)
        records = np.where(costs == least[:, None], self.releases[released], 0).sum(axis=1)
        nearer, equal = least < near.cost[originals], least == near.cost[originals]
        near.records[originals] = np.where(nearer, records, near.records[originals] + np.where(equal, records, 0))
        near.cost[originals] = np.where(nearer, least, near.cost[originals])
