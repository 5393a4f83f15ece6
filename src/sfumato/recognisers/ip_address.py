"""Addresses on the internet."""

from __future__ import annotations

from ipaddress import ip_address

from sfumato.lexicon import Hipaa
from sfumato.recognisers.recogniser import Recogniser
from sfumato.schema import Role

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
