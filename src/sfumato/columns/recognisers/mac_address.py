"""Hardware addresses of devices."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

ADDRESS = re.compile(r"[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE)


class MacAddress(Recogniser):
    """Six pairs of hexadecimal digits."""

    concept = "device identifier"
    role = Role.DIRECT
    hipaa = Hipaa.DEVICE
    strength = 0.9

    def matches(self, value: str) -> bool:
        return ADDRESS.fullmatch(value) is not None
