"""Population models: how many people are unique in a population, told from a sample of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from sfumato.attackers.population.country_populations import residents
from sfumato.errors import PolicyError
from sfumato.members import Named
from sfumato.privacy.sizes import Sizes
from sfumato.show.documents.exposure import EstimateDocument

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
        ways = [name for name in ("fraction", "size", "region") if getattr(self, name) is not None]
        if len(ways) != 1:
            raise PolicyError("Give the population in one way: its size, a region, or the fraction that is sampled.")
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise PolicyError("The sampling fraction is a share of the population: above 0, and 1 at most.")
        if self.size is not None and (not isinstance(self.size, int) or isinstance(self.size, bool) or self.size < 1):
            raise PolicyError("The size of the population must be a whole number from 1 on.")
        if self.region is not None:
            residents(self.region)

    @property
    def source(self) -> str | None:
        """Who counted the residents of the region, and when; None where somebody gave the size."""
        return residents(self.region).words if self.region is not None else None

    def members(self, sample: int) -> int:
        """How many members the population of a sample has."""
        if self.fraction is not None:
            return round(sample / self.fraction)
        members = self.size if self.size is not None else residents(str(self.region)).number
        return _large_enough(members, sample)


@dataclass(frozen=True)
class Estimate:
    """A number that a model gives, what it is at least and at most whatever the model says, and a caveat.

    Without a value the model has no answer, and the caveat says why. An estimate is not a count: show the caveat
    beside it.

    >>> Estimate(120.0, lowest=0.0, highest=400.0, caveat="Assumes a random sample.").content().plain()
    {'value': 120.0, 'lowest': 0.0, 'highest': 400.0, 'caveat': 'Assumes a random sample.'}
    """

    value: float | None
    lowest: float | None = None
    highest: float | None = None
    caveat: str = ""

    def content(self) -> EstimateDocument:
        """The estimate as plain values."""
        return EstimateDocument(value=self.value, lowest=self.lowest, highest=self.highest, caveat=self.caveat)


class SampleSize(Enum):
    """How much of the population a sample is, as the rule of Dankar tells samples apart."""

    SMALL = "at most a tenth of the population"
    LARGE = "more than a tenth of the population"

    @classmethod
    def of(cls, sizes: Sizes, population: int) -> SampleSize:
        """Which of both a sample with these classes is."""
        return cls.SMALL if 10 * sample_size(sizes) <= population else cls.LARGE


class PopulationModel(Named, ABC):
    r"""A way to tell from the class sizes of a sample how many people are unique in its population.

    Subclasses are frozen dataclasses, one file each in `population/models/`, and every field has a default. What they
    share is here: with n members in the sample, :math:`s_1` of them unique, and N in the population, each of the N - n
    people that were not sampled can take one unique away or be one more. So the truth is certain to be within

    .. math:: \max(0, s_1 - (N - n)) \le S_1 \le s_1 + (N - n)

    and an estimate beyond is cut to it.
    """

    plainly: ClassVar[str]  # what the model takes the population for, in plain words
    caveat: ClassVar[str]  # when not to trust it
    # For which samples the rule of Dankar et al. (2012) takes the model; it takes none that they did not compare. Of
    # several it takes the lowest, and where none has an answer the one that stands in.
    taken_for: ClassVar[frozenset[SampleSize]] = frozenset()
    stands_in: ClassVar[bool] = False

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
        own, caveat = self.expected(sizes, population)
        if own is None:
            return Estimate(None, lowest, highest, caveat)
        value = min(max(own, lowest), highest)
        return Estimate(value, lowest, highest, caveat if value == own else f"{caveat} {CUT}")

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
