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

from sfumato.attackers.matching.tuple_distance import Category, Feature, Number, Space

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole

BLOCK = 512  # tuples of both sides in a block
SLOTS = 1024  # into which the categories of a column fall; two that share a slot count as equal for bounds
SEVERAL = 64  # blocks for which bounds are computed at a time


@dataclass(frozen=True)
class Nearest:
    """By original tuple, what the nearest released tuples cost, and their records: 0 where none is near enough."""

    cost: Real
    records: Whole


def nearest(space: Space, originals: int, releases: Whole, *, farthest: float = inf) -> Nearest:
    """Search for all original tuples; `releases` says how many records each released tuple has.

    Nothing is found that costs more than `farthest`.
    """
    import numpy as np

    found = Nearest(np.full(originals, farthest), np.zeros(originals, dtype=np.int64))
    blocks = list(_blocks(space.features, originals, len(releases)))
    held = [block for block in blocks if len(block.held)]
    search = _Search(space, held, [_edges(feature, held) for feature in space.features], releases, found)
    for block in blocks:
        if held and len(block.sought):
            search.of(block.sought)
    return found


@dataclass(frozen=True)
class _Block:
    """Tuples that are alike: numbers of original ones, and of released ones."""

    sought: Whole
    held: Whole


def _blocks(features: Sequence[Feature], originals: int, released: int) -> Iterator[_Block]:
    """Cut where tuples differ most, until blocks are small."""
    import numpy as np

    waiting = [_Block(np.arange(originals), np.arange(released))]
    while waiting:
        block = waiting.pop()
        if len(block.sought) + len(block.held) <= BLOCK:
            yield block
        else:
            waiting += _halves(features, block)


def _halves(features: Sequence[Feature], block: _Block) -> tuple[_Block, _Block]:
    import numpy as np

    columns = [np.concatenate([f.sought[block.sought], f.held[block.held]]) for f in features]
    spreads = [_spread(feature, column) for feature, column in zip(features, columns, strict=True)]
    if max(spreads, default=0.0) > 0:
        chosen = int(np.argmax(spreads))
        left = _commoner(columns[chosen]) if isinstance(features[chosen], Category) else _lower(columns[chosen])
    else:  # tuples that differ in nothing that counts
        left = np.arange(len(block.sought) + len(block.held)) % 2 == 0
    first, second = left[: len(block.sought)], left[len(block.sought) :]
    return _Block(block.sought[first], block.held[second]), _Block(block.sought[~first], block.held[~second])


def _spread(feature: Feature, values: Whole | Real) -> float:
    """About what two tuples of a block cost each other on a column."""
    import numpy as np

    if isinstance(feature, Category):
        shares = np.unique(values, return_counts=True)[1] / len(values)
        return float(feature.weight * (1 - (shares**2).sum()))
    known = values[~np.isnan(values)]
    return float(known.std() * feature.scale) if isinstance(feature, Number) and len(known) else 0.0


def _commoner(values: Whole | Real) -> Flags:
    """Which tuples have one of the commonest values that are together at most half of them, or the commonest one."""
    import numpy as np

    different, place, n = np.unique(values, return_inverse=True, return_counts=True)
    order = np.argsort(-n, kind="stable")
    common = np.zeros(len(different), dtype=np.bool_)
    common[order[np.cumsum(n[order]) <= len(values) / 2]] = True
    common[order[0]] = True
    return common[place]


def _lower(values: Whole | Real) -> Flags:
    """Which tuples lie below the median (those that lack the value do not)."""
    import numpy as np

    middle = np.nanmedian(values)
    below: Flags = values < middle
    return below if below.any() else values <= middle


@dataclass(frozen=True)
class _CategoryEdges:
    """Which categories the released tuples of each block have."""

    feature: Category
    present: Flags  # by block and slot

    def of_block(self, sought: Whole) -> Real:
        import numpy as np

        slots = np.unique(self.feature.sought[sought] % SLOTS)
        return np.where(self.present[:, slots].any(axis=1), 0.0, self.feature.weight)

    def of_tuples(self, sought: Whole, blocks: Whole) -> Real:
        import numpy as np

        slots = self.feature.sought[sought] % SLOTS
        return np.where(self.present[blocks][:, slots].T, 0.0, self.feature.weight)


@dataclass(frozen=True)
class _NumberEdges:
    """The lowest and highest number of each block; infinite where one lacks, so that nothing is ruled out."""

    feature: Number
    low: Real
    high: Real

    def of_block(self, sought: Whole) -> Real:
        low, high = _ends(self.feature.sought[sought])
        return self._apart(low, high, self.low, self.high)

    def of_tuples(self, sought: Whole, blocks: Whole) -> Real:
        import numpy as np

        values = self.feature.sought[sought][:, None]
        missing = np.isnan(values)
        low, high = np.where(missing, -inf, values), np.where(missing, inf, values)
        return self._apart(low, high, self.low[blocks], self.high[blocks])

    def _apart(self, low: Real | float, high: Real | float, lowest: Real, highest: Real) -> Real:
        import numpy as np

        return self.feature.price(np.maximum(np.maximum(lowest - high, low - highest), 0.0))


def _edges(feature: Feature, held: Sequence[_Block]) -> _CategoryEdges | _NumberEdges:
    import numpy as np

    if isinstance(feature, Number):
        ends = np.array([_ends(feature.held[block.held]) for block in held]).reshape(-1, 2)
        return _NumberEdges(feature, ends[:, 0], ends[:, 1])
    assert isinstance(feature, Category)
    present = np.zeros((len(held), min(feature.codes, SLOTS)), dtype=np.bool_)
    for place, block in enumerate(held):
        present[place, feature.held[block.held] % SLOTS] = True
    return _CategoryEdges(feature, present)


def _ends(values: Real) -> tuple[float, float]:
    """The lowest and the highest of some numbers, or anything if one lacks."""
    import numpy as np

    return (-inf, inf) if np.isnan(values).any() else (float(values.min()), float(values.max()))


@dataclass(frozen=True)
class _Search:
    """Looks for what is nearest, block by block, and writes it down in `found`."""

    space: Space
    held: Sequence[_Block]
    edges: Sequence[_CategoryEdges | _NumberEdges]
    releases: Whole
    found: Nearest

    def of(self, sought: Whole) -> None:
        """Look into the blocks that may hold what is nearest to some originals that are alike, the likeliest first."""
        import numpy as np

        at_least = np.zeros(len(self.held))
        for edge in self.edges:
            at_least += edge.of_block(sought)
        order = np.argsort(at_least, kind="stable")
        for start in range(0, len(order), SEVERAL):
            several = order[start : start + SEVERAL]
            if at_least[several[0]] > self.found.cost[sought].max():
                return
            self._in_blocks(sought, several)

    def _in_blocks(self, sought: Whole, several: Whole) -> None:
        import numpy as np

        bounds = np.zeros((len(sought), len(several)))
        for edge in self.edges:
            bounds += edge.of_tuples(sought, several)
        for place in np.argsort(bounds.min(axis=0), kind="stable"):
            active = sought[bounds[:, place] <= self.found.cost[sought]]
            if len(active):
                self._compare(active, self.held[several[place]].held)

    def _compare(self, sought: Whole, held: Whole) -> None:
        """Compare some originals with the released tuples of a block, and keep what is nearest."""
        import numpy as np

        found, costs = self.found, self.space.cost(sought[:, None], held[None, :])
        least = costs.min(axis=1)
        records = np.where(costs == least[:, None], self.releases[held], 0).sum(axis=1)
        nearer, equal = least < found.cost[sought], least == found.cost[sought]
        found.records[sought] = np.where(nearer, records, found.records[sought] + np.where(equal, records, 0))
        found.cost[sought] = np.where(nearer, least, found.cost[sought])
