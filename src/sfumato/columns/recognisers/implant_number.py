"""Unique device identifiers: the number on an implant or an appliance, as the regulators have it printed."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

# Who issues them: GS1 (the model under 01, then dates, the lot and the serial number), HIBCC (a plus, the
# maker, the model, a slash) and ICCBBA (blood and tissue: an equals sign and a slash).
ISSUED = re.compile(
    r"\(01\)\d{14}(?:\((?:10|11|17|21|30|240)\)[^()]{1,20}){1,6}"
    r"|01\d{14}(?:11|17)\d{6}(?:10|17|21)\S{1,40}"
    r"|\+[A-Z]\d{3}[A-Z0-9]{1,20}/\$?\$?[A-Z0-9./+$%-]{3,60}"
    r"|=/[A-Z0-9]{12,20}=[A-Z0-9=,;&<>%/]{4,80}"
)


class ImplantNumber(Recogniser):
    """A UDI: with its lot or serial number it is of one device, and that is in or on one person."""

    concept = "unique device identifier"
    role = Role.DIRECT
    hipaa = Hipaa.DEVICE
    strength = 0.92
    longest = 200

    def matches(self, value: str) -> bool:
        return ISSUED.fullmatch(value) is not None
