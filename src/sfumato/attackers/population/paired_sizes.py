"""Paired sizes: how many classes have so many members in the sample and so many in the population."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.population_table import in_population


@dataclass(frozen=True)
class PairedSizes:
    """How many classes there are of each pair of sizes, in the sample and in its population.

    >>> paired = PairedSizes(((1, 4, 2, 2), (2, 2, 1, 2)))
    >>> paired.members, paired.smallest, paired.records_below(4)
    (4, 2, 2)
    """

    pairs: tuple[tuple[int, int, int, int], ...]  # size in the sample, in the population, classes, records

    @classmethod
    def of(cls, classes: EquivalenceClasses) -> PairedSizes:
        """Count the classes of each pair of sizes; the classes of a dataset that has a population."""
        rows = classes.engine.fetch(f"""
            SELECT size, population, count(*), sum(records) FROM {in_population(classes)}
            GROUP BY size, population ORDER BY size, population""")
        return cls(tuple((int(size), int(whole), int(n), int(records)) for size, whole, n, records in rows))

    @property
    def members(self) -> int:
        """The members of the sample."""
        return sum(size * number for size, _, number, _ in self.pairs)

    @property
    def smallest(self) -> int:
        """The fewest members in the population of a class that occurs in the sample."""
        return min(whole for _, whole, _, _ in self.pairs)

    @property
    def records(self) -> int:
        """Rows of the sample."""
        return sum(records for *_, records in self.pairs)

    def records_below(self, size: int) -> int:
        """Rows of the sample in classes with fewer members in the population than this."""
        return sum(records for _, whole, _, records in self.pairs if whole < size)
