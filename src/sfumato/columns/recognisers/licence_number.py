"""Numbers of passports and licences, where the name says that they are such."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

# Passports have nine signs at most by ICAO 9303, two letters before or after some of them; licences have up to twenty.
NUMBER = re.compile(r"(?=(?:\D*\d){5})[A-Z0-9][A-Z0-9 -]{5,19}", re.IGNORECASE)


class LicenceNumber(Recogniser):
    """Six to twenty digits and capitals, five digits at least: many things look so, thus only under such a name."""

    concept = "passport or licence number"
    role = Role.DIRECT
    hipaa = Hipaa.LICENCE
    strength = 0.6
    needed = 0.9
    varied = 0.3
    only_for = "certificate or licence number"

    def matches(self, value: str) -> bool:
        return NUMBER.fullmatch(value) is not None
