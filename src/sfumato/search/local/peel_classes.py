"""Peel classes off: form the cheapest that is large enough, take its tuples away, and go on with the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sfumato.search.deadline import in_time
from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.remaining_tuples import LevelCombinations, PossibleClasses, RemainingTuples

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


# What these give on two tables is listed in docs/explanation/local-recoding.md. None changes the loss of the census by
# more than 0.5 %: they are about how much is looked at for nothing.
STEP = 0.05  # classes whose costs differ by less are formed in one go; the least loss of 0.01 to 0.2 at k = 5
WINDOW = 0.4  # classes that cost so much more are remembered until it is their turn; 0.1 to 0.8 take as long
AHEAD = 1 << 17  # combinations times tuples that are looked at together; a quarter takes half as long again
MOST_AHEAD = 32  # combinations, however few tuples are left; 8 and 128 take as long
UNSEEN, SEEN = 0, 1  # combinations whose cheapest class is not known, or is; other numbers are of classes
STALE = 0.9  # what was seen when fewer than this share is left now is looked at again; 0.8 loses 0.3 % more

# What exchanging minorities leaves of a loss at the least: it saved 0.1 to 3 % of the census and the hospital, and 17 %
# of the census with hierarchies that were inferred.
LEFT_BY_EXCHANGE = 0.75

Entry = tuple[float, int, int, int]  # the cost, the combination in both halves, and a number


@dataclass(frozen=True)
class PeelLimit:
    """When to give up: nothing may be looked at any more, or the loss cannot end below another one."""

    looks: float = inf  # combinations times the tuples that are left
    loss: float = inf


class PeeledClasses(NamedTuple):
    """The level of every tuple in each column, which tuples found a class, and whether it was given up before."""

    levels: Whole
    placed: Flags
    given_up: bool = False


def peel_classes(rules: GroupRules, limit: PeelLimit | None = None) -> PeeledClasses:
    """Classes peeled off one after the other, the cheapest first.

    A class is a combination of levels and a label in each column. Of all classes that the tuples which are left could
    form, the one whose labels cost least is formed first; the tuples that it takes are gone for the others. Which is
    the cheapest is known without listing all: a combination waits in a queue with the least that it can cost, and with
    what its cheapest class does cost once that is known. Tuples only go and never come back, so a class can fall below
    the policy but no new one can form, and what a combination costs at the least only rises: the first in the queue,
    once it is known for certain, is the cheapest of all. Greedy as it is, this is no proof of the best partition; what
    comes after it (`minorities`) saves another 0.1 to 3 %.

    With a limit it is given up where it takes too long, or cannot come to less: who is left costs no less each than the
    first in the queue.
    """
    limit = limit or PeelLimit()
    tuples = rules.tuples
    space = LevelCombinations.of(tuples)
    queue = _Queue.of(tuples, space)
    levels, placed = np.zeros(tuples.codes.shape, dtype=np.int64), np.zeros(len(tuples.counts), dtype=np.bool_)
    rest = RemainingTuples.of(tuples, space)
    lost, cells = 0.0, tuples.records * len(tuples.columns)
    while queue.entries and rest.left:
        in_time()
        # A label costs its weight, at most 1, to a power above 1: so what a class costs is no more than what it loses.
        open_at_least = lost + queue.entries[0][0] * rest.counts.sum() if limit.loss < inf else 0.0
        if queue.looks > limit.looks or LEFT_BY_EXCHANGE * open_at_least > limit.loss * cells:
            return PeeledClasses(levels, placed, given_up=True)
        if queue.uncertain(queue.entries[0], rest):
            queue.look_ahead(rest, rules.least)
            continue
        cost, left, right, number = heappop(queue.entries)
        if number == SEEN:
            queue.remember(cost, left, right, rest.classes(left, right, rules))
            continue
        classes = queue.known.pop(number)
        taken = classes.kept(rest.free, rules)
        levels[taken], placed[taken] = space.levels(left, right), True
        if limit.loss < inf:
            lost += _lost(tuples, taken, levels)
        rest.take(taken)
    return PeeledClasses(levels, placed)


def _lost(tuples: CountedTuples, places: Whole, levels: Whole) -> float:
    """What the labels of tuples leave open, added up over records and columns."""
    trees = [column for column in tuples.columns if isinstance(column, TreeColumn)]
    each = (tree.weights[levels[places, j], tuples.codes[places, j]] for j, tree in enumerate(trees))
    return float(tuples.counts[places] @ sum(each, np.zeros(len(places))))


@dataclass
class _Queue:
    """The queue of combinations by the least that a class of them costs, and of classes that were found already."""

    entries: list[Entry]
    known: dict[int, PossibleClasses] = field(default_factory=dict)
    last: int = SEEN
    looks: int = 0  # combinations times tuples
    left: dict[tuple[int, int], int] = field(default_factory=dict)  # how many tuples were left when it was looked at

    @classmethod
    def of(cls, tuples: CountedTuples, space: LevelCombinations) -> _Queue:
        least = [weights[:, tuples.codes[:, j]].min(axis=1) for j, weights in enumerate(space.weights)]
        costs = [
            [sum(float(least[j][level]) for j, level in zip(half, row, strict=True)) for row in rows.tolist()]
            for half, rows in zip(space.halves, space.rows, strict=True)
        ]
        entries = [(a + b, i, j, UNSEEN) for i, a in enumerate(costs[0]) for j, b in enumerate(costs[1]) if a + b < inf]
        heapify(entries)
        return cls(entries)

    def uncertain(self, entry: Entry, rest: RemainingTuples) -> bool:
        """Whether a combination was not looked at yet, or long ago."""
        _, left, right, number = entry
        return number == UNSEEN or (number == SEEN and rest.left < STALE * self.left[left, right])

    def look_ahead(self, rest: RemainingTuples, least: int) -> None:
        """Learn what the cheapest classes of the combinations that come next cost, and drop those that have none."""
        certain: list[Entry] = []
        looked: list[Entry] = []
        most = min(max(AHEAD // rest.left, 2), MOST_AHEAD)
        while self.entries and len(looked) < most and len(certain) < most:
            entry = heappop(self.entries)
            (looked if self.uncertain(entry, rest) else certain).append(entry)
        costs = rest.cheapest([entry[1] for entry in looked], [entry[2] for entry in looked], least)
        self.looks += len(looked) * rest.left
        for entry in certain:
            heappush(self.entries, entry)
        for (before, left, right, _), cost in zip(looked, costs, strict=True):
            if cost < inf:
                heappush(self.entries, (max(before, cost), left, right, SEEN))
                self.left[left, right] = rest.left

    def remember(self, cost: float, left: int, right: int, classes: PossibleClasses) -> None:
        """Let classes wait by their costs, those far away as a combination to be looked at again."""
        steps = np.minimum((classes.costs - cost) // STEP, WINDOW // STEP)
        for step in sorted(set(steps.tolist())):
            own = classes.where(steps == step)
            number = SEEN if step >= WINDOW // STEP else self.last + 1
            heappush(self.entries, (float(own.costs.min()), left, right, number))
            if number > SEEN:
                self.known[number], self.last = own, number
