"""E-mail addresses."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

ADDRESS = re.compile(r"(?:mailto:)?[^\s@<>,;]{1,64}@(?:[\w-]{1,63}\.)+[^\W\d_][\w-]{1,62}", re.IGNORECASE)


class Email(Recogniser):
    """Something, an at sign, and a domain. One value in ten is enough: nothing else looks like it."""

    concept = "e-mail address"
    role = Role.DIRECT
    hipaa = Hipaa.EMAIL
    strength = 0.95
    needed = 0.1
    longest = 254

    def matches(self, value: str) -> bool:
        return ADDRESS.fullmatch(value) is not None
