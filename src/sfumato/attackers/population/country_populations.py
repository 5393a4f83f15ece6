"""Country populations: how many people live in a country, for who knows no better population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sfumato.errors import PolicyError, did_you_mean


@dataclass(frozen=True)
class Residents:
    """How many people live in a region, who counted them, and in which year."""

    number: int
    source: str
    year: int

    @property
    def words(self) -> str:
        """Where the number is from."""
        return f"{self.source}, {self.year}"


def residents(region: str) -> Residents:
    """How many people live in a region, by its English name.

    >>> residents("Switzerland").number, residents("Switzerland").year
    (8516543, 2018)
    """
    known = residents_by_region()
    name = region.strip().lower()
    if name not in known:
        raise PolicyError(
            f"There is no region {region!r}.{did_you_mean(region, known)} Or give the size of the population."
        )
    return known[name]


@cache
def residents_by_region() -> Mapping[str, Residents]:
    """The residents of every region that is known, by its English name in small letters."""
    import yaml

    sources = yaml.safe_load(
        files("sfumato.attackers.population").joinpath("country_populations.yaml").read_text(encoding="utf-8")
    )
    return {
        region: Residents(number, each["source"], each["year"])
        for each in sources
        for region, number in each["residents"].items()
    }
