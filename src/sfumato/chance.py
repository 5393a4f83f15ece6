"""Chance for made-up data: draws that are the same on every version of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import TypeVar

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Chance:
    """Draws by nothing but uniform numbers, so the same seed gives the same bytes.

    >>> chance = Chance.of(1)
    >>> chance.whole(1, 6), chance.one_of({"heads": 1, "tails": 1})
    (1, 'tails')
    """

    random: Random

    @classmethod
    def of(cls, seed: int) -> Chance:
        """The chance of a seed."""
        return cls(Random(seed))

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.random.random() < probability

    def normal(self, mean: float, deviation: float) -> float:
        """A number from a normal distribution."""
        return NormalDist(mean, deviation).inv_cdf(min(max(self.random.random(), 1e-9), 1 - 1e-9))

    def between(self, low: float, high: float, mean: float, deviation: float) -> float:
        """A number from a normal distribution, drawn again while it lies outside."""
        while not low <= (drawn := self.normal(mean, deviation)) <= high:
            pass
        return drawn

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self.random.random() * (high - low + 1))

    def one_of(self, weights: Mapping[Thing, float]) -> Thing:
        """One of several things, by their weights."""
        drawn = self.random.random() * sum(weights.values())
        for thing, weight in weights.items():
            drawn -= weight
            if drawn < 0:
                return thing
        return thing

    def highest(self, scores: Sequence[float], n: int, noise: float = 1.0) -> set[int]:
        """The places of the n highest scores after noise on each: exactly n, and likelier where the score is high."""
        noisy = [(score + self.normal(0, noise), place) for place, score in enumerate(scores)]
        return {place for _, place in sorted(noisy, reverse=True)[:n]}
