"""Addresses on the internet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

BUILD = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
HIGHEST_VERSION = 31  # 1.12.3.4 is rather the version of a program


class IpAddress(Recogniser):
    """IPv4 or IPv6, perhaps with the length of a network or a port."""

    concept = "IP address"
    role = Role.DIRECT
    hipaa = Hipaa.IP
    strength = 0.9
    needed = 0.6

    def matches(self, value: str) -> bool:
        bare = value.split("/")[0].strip("[]")
        if bare.count(".") == 3 and bare.count(":") == 1:
            bare = bare.split(":")[0]
        if bare.count(".") != 3 and bare.count(":") < 2:
            return False
        try:
            address = ip_address(bare)
        except ValueError:
            return False
        return address.version == 6 or max(address.packed) > HIGHEST_VERSION

    def share(self, sample: Sequence[str]) -> float:
        """The share of addresses; 0 where they are builds of programs.

        The parts of a version are small, but for the last, which may count builds: 12.6.9.186. Of the addresses of
        people, one in 500 looks so, and those of one private network begin alike.
        """
        values = self.values(sample)
        built = [value.split(".") for value in values if BUILD.fullmatch(value)]
        small = [parts for parts in built if max(map(int, parts[:3])) <= HIGHEST_VERSION]
        versions = len(small) > 0.8 * len(values) and len({parts[0] for parts in small}) > 1
        return 0.0 if versions else super().share(sample)
