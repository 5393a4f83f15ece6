"""Population models: how many people are unique in a population, told from a sample of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from sfumato.attackers.population.country_populations import residents
from sfumato.attackers.population.estimate import Estimate
from sfumato.errors import PolicyError
from sfumato.members import Named
from sfumato.privacy.sizes import Sizes

COUNTED = "The sample is the whole population, so this is counted and not estimated."
NOBODY = "Nobody is unique in the sample, and the models then expect nobody to be unique in the population."
OVERLAP = "Classes overlap where missing values are wildcards; the models need classes that do not."
CUT = "The model's own answer was beyond what is possible, and was cut to it."


@dataclass(frozen=True)
class Population:
    """The population that a table is a random sample of, given in one of three ways.

    The share of it that is in the table (`fraction`), its `size`, or the `region` whose residents it is
    (`sfumato.attackers.population.country_populations`). The estimates hold for a random sample of this population,
    not for any larger one: the patients of a hospital are no random sample of their country.

    >>> Population(fraction=0.01).members(30162), Population(region="usa").members(30162)
    (3016200, 317238626)
    """

    fraction: float | None = None
    size: int | None = None
    region: str | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("fraction", "size", "region") if getattr(self, name) is not None]
        if len(given) != 1:
            raise PolicyError("Give the population in one way: its size, a region, or the fraction that is sampled.")
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise PolicyError("The sampling fraction is a share of the population: above 0, and 1 at most.")
        if self.size is not None and (not isinstance(self.size, int) or isinstance(self.size, bool) or self.size < 1):
            raise PolicyError("The size of the population must be a whole number from 1 on.")
        if self.region is not None:
            residents(self.region)

    def members(self, sample: int) -> int:
        """How many members the population of a sample has."""
        if self.fraction is not None:
            return round(sample / self.fraction)
        found = self.size if self.size is not None else residents(str(self.region))
        return _large_enough(found, sample)


class PopulationModel(Named, ABC):
    r"""A way to tell from the class sizes of a sample how many people are unique in its population.

    Subclasses are frozen dataclasses, one file each in `population/`. What they share is here: with n members in
    the sample, :math:`s_1` of them unique, and N in the population, each of the N - n people that were not sampled can
    take one unique away or be one more. So the truth is certain to be within

    .. math:: \max(0, s_1 - (N - n)) \le S_1 \le s_1 + (N - n)

    and an estimate beyond is cut to it.
    """

    plainly: ClassVar[str]  # what the model takes the population for, in plain words
    caveat: ClassVar[str]  # when not to trust it

    def of(self, sizes: Sizes, population: int) -> Estimate:
        """How many members of the population are expected to be unique in it."""
        if sizes.overlapping is not None:
            return Estimate(None, caveat=OVERLAP)
        n, unique = sample_size(sizes), sizes.singletons
        unseen = _large_enough(population, n) - n
        lowest, highest = float(max(0, unique - unseen)), float(unique + unseen)
        if not unseen:
            return Estimate(lowest, lowest, highest, COUNTED)
        if not unique:
            return Estimate(0.0, 0.0, highest, NOBODY)
        found, caveat = self.expected(sizes, population)
        if found is None:
            return Estimate(None, lowest, highest, caveat)
        value = min(max(found, lowest), highest)
        return Estimate(value, lowest, highest, caveat if value == found else f"{caveat} {CUT}")

    def share(self, sizes: Sizes, population: int) -> Estimate:
        """The share of the population that is expected to be unique in it."""
        return self.of(sizes, population).over(population)

    @abstractmethod
    def expected(self, sizes: Sizes, population: int) -> tuple[float | None, str]:
        """The model's own answer and its caveat; None, and why, where it has none.

        Asked only where somebody is unique in the sample and the population is larger.
        """


def sample_size(sizes: Sizes) -> int:
    """How many members the classes have together: persons where the subject is known, records otherwise."""
    return sum(size * number for size, number, _ in sizes.histogram)


def _large_enough(population: int, sample: int) -> int:
    if population < sample:
        raise PolicyError(
            f"The population has {population} members and the sample {sample}: a sample is no larger than what it "
            f"was drawn from. Give the size of the population, or the fraction of it that was sampled."
        )
    return population
