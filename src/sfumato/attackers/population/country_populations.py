"""Country populations: how many people live in a country, for who knows no better population."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from sfumato.errors import PolicyError, did_you_mean


def residents(region: str) -> int:
    """How many people live in a region, by its English name.

    >>> residents("Switzerland")
    8800000
    """
    known = residents_by_region()
    name = region.strip().lower()
    if name not in known:
        raise PolicyError(
            f"There is no region {region!r}.{did_you_mean(region, known)} Or give the size of the population."
        )
    return known[name]


@cache
def residents_by_region() -> Mapping[str, int]:
    """The residents of every region that is known, by its English name in small letters."""
    import yaml

    residents: dict[str, int] = yaml.safe_load(
        files("sfumato.attackers.population").joinpath("country_populations.yaml").read_text(encoding="utf-8")
    )
    return residents
