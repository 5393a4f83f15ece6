"""United States social security numbers, by the way they are written."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

NUMBER = re.compile(r"(?!666|000)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}")
MASKED = re.compile(r"[Xx*]{3}-[Xx*]{2}-\d{4}")


class SocialSecurity(Recogniser):
    """Three, two and four digits. There is no check digit, so the groups must be there."""

    concept = "national number"
    role = Role.DIRECT
    hipaa = Hipaa.NATIONAL
    strength = 0.85
    needed = 0.9

    def matches(self, value: str) -> bool:
        return NUMBER.fullmatch(value) is not None or MASKED.fullmatch(value) is not None
