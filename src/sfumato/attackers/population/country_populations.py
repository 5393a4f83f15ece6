"""Regions: how many people live in a country, for who knows no better population."""

from __future__ import annotations

from sfumato.errors import PolicyError, did_you_mean

# Residents, rounded to 100,000. European Union and its members: Eurostat, 1 January 2023. United Kingdom,
# Switzerland, Norway, Korea, Japan, Canada and Australia: their statistical offices and United Nations, World
# Population Prospects, 2023. The United States are the 317,238,626 residents of early 2014 that ARX counts, so
# that its estimates can be compared.
RESIDENTS = {
    "australia": 26_600_000, "austria": 9_100_000, "belgium": 11_700_000, "bulgaria": 6_400_000,
    "canada": 40_100_000, "croatia": 3_900_000, "cyprus": 900_000, "czechia": 10_800_000, "denmark": 5_900_000,
    "estonia": 1_400_000, "european union": 448_800_000, "finland": 5_600_000, "france": 68_200_000,
    "germany": 83_100_000, "greece": 10_400_000, "hungary": 9_600_000, "ireland": 5_300_000, "italy": 59_000_000,
    "japan": 124_400_000, "korea": 51_700_000, "latvia": 1_900_000, "lithuania": 2_900_000, "luxembourg": 700_000,
    "malta": 500_000, "netherlands": 17_800_000, "norway": 5_500_000, "poland": 36_800_000,
    "portugal": 10_500_000, "romania": 19_100_000, "slovakia": 5_400_000, "slovenia": 2_100_000,
    "spain": 48_100_000, "sweden": 10_500_000, "switzerland": 8_800_000, "united kingdom": 68_300_000,
    "usa": 317_238_626,
}  # fmt: skip


def residents(region: str) -> int:
    """How many people live in a region, by its English name.

    >>> residents("Switzerland")
    8800000
    """
    found = RESIDENTS.get(region.strip().lower())
    if found is None:
        raise PolicyError(
            f"There is no region {region!r}.{did_you_mean(region, RESIDENTS)} Or give the size of the population."
        )
    return found
