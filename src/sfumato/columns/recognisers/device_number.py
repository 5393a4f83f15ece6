"""Numbers of mobile devices."""

from __future__ import annotations

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.checksums import luhn
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role


class DeviceNumber(Recogniser):
    """Fifteen digits (IMEI) whose check digit is right; one in ten random numbers is, so nearly all must be."""

    concept = "device identifier"
    role = Role.DIRECT
    hipaa = Hipaa.DEVICE
    strength = 0.7
    needed = 0.95

    def matches(self, value: str) -> bool:
        bare = value.replace("-", "").replace(" ", "")
        return len(bare) == 15 and bare.isascii() and bare.isdigit() and luhn(bare)
