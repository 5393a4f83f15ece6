"""Peeling: form the cheapest class that is large enough, take its tuples away, and go on with the rest."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import inf
from typing import TYPE_CHECKING

from sfumato.search.local.counted_tuples import CountedTuples
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.remaining_tuples import Classes, LevelCombinations, RemainingTuples

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


STEP = 0.05  # classes whose costs differ by less are formed in one go
WINDOW = 0.4  # classes that cost so much more are remembered until it is their turn
AHEAD = 1 << 15  # combinations times tuples that are looked at together
MOST_AHEAD = 32
UNSEEN, SEEN = 0, 1  # combinations whose cheapest class is not known, or is; other numbers are of classes
STALE = 0.9  # what was seen when fewer than this share is left now is looked at again

Entry = tuple[float, int, int, int]  # the cost, the combination in both halves, and a number


def peel_classes(rules: GroupRules) -> tuple[Whole, Flags]:
    """The level of every tuple in each column, and which tuples found a class.

    A class is a combination of levels and a label in each column. Of all classes that the tuples which are left could
    form, the one whose labels cost least is formed first; the tuples that it takes are gone for the others. Which is
    the cheapest is known without listing all: a combination waits in a queue with the least that it can cost, and with
    what its cheapest class does cost once that is known, which only rises as tuples go.
    """
    import numpy as np

    tuples = rules.tuples
    space = LevelCombinations.of(tuples)
    waiting = _Waiting.of(tuples, space)
    levels, housed = np.zeros(tuples.codes.shape, dtype=np.int64), np.zeros(len(tuples.counts), dtype=np.bool_)
    rest = RemainingTuples.of(tuples, space)
    while waiting.queue and rest.left:
        if waiting.uncertain(waiting.queue[0], rest):
            waiting.look_ahead(rest, rules.least)
            continue
        cost, left, right, number = heappop(waiting.queue)
        if number == SEEN:
            waiting.remember(cost, left, right, rest.classes(left, right, rules))
            continue
        classes = waiting.found.pop(number)
        taken = classes.kept(rest.free, rules)
        levels[taken], housed[taken] = space.levels(left, right), True
        rest.take(taken)
    return levels, housed


@dataclass
class _Waiting:
    """The queue of combinations by the least that a class of them costs, and of classes that were found already."""

    queue: list[Entry]
    found: dict[int, Classes] = field(default_factory=dict)
    last: int = SEEN
    seen: dict[tuple[int, int], int] = field(default_factory=dict)  # how many tuples were left when it was looked at

    @classmethod
    def of(cls, tuples: CountedTuples, space: LevelCombinations) -> _Waiting:
        least = [weights[:, tuples.codes[:, j]].min(axis=1) for j, weights in enumerate(space.weights)]
        costs = [
            [sum(float(least[j][level]) for j, level in zip(half, row, strict=True)) for row in rows.tolist()]
            for half, rows in zip(space.halves, space.rows, strict=True)
        ]
        queue = [(a + b, i, j, UNSEEN) for i, a in enumerate(costs[0]) for j, b in enumerate(costs[1])]
        heapify(queue)
        return cls(queue)

    def uncertain(self, entry: Entry, rest: RemainingTuples) -> bool:
        """Whether a combination was not looked at yet, or long ago."""
        _, left, right, number = entry
        return number == UNSEEN or (number == SEEN and rest.left < STALE * self.seen[left, right])

    def look_ahead(self, rest: RemainingTuples, least: int) -> None:
        """Learn what the cheapest classes of the combinations that come next cost, and drop those that have none."""
        known: list[Entry] = []
        looked: list[Entry] = []
        most = min(max(AHEAD // rest.left, 2), MOST_AHEAD)
        while self.queue and len(looked) < most and len(known) < most:
            entry = heappop(self.queue)
            (looked if self.uncertain(entry, rest) else known).append(entry)
        costs = rest.cheapest([entry[1] for entry in looked], [entry[2] for entry in looked], least)
        for entry in known:
            heappush(self.queue, entry)
        for (before, left, right, _), cost in zip(looked, costs, strict=True):
            if cost < inf:
                heappush(self.queue, (max(before, cost), left, right, SEEN))
                self.seen[left, right] = rest.left

    def remember(self, cost: float, left: int, right: int, classes: Classes) -> None:
        """Let classes wait by their costs, those far away as a combination to be looked at again."""
        import numpy as np

        steps = np.minimum((classes.costs - cost) // STEP, WINDOW // STEP)
        for step in sorted(set(steps.tolist())):
            own = classes.where(steps == step)
            number = SEEN if step >= WINDOW // STEP else self.last + 1
            heappush(self.queue, (float(own.costs.min()), left, right, number))
            if number > SEEN:
                self.found[number], self.last = own, number
