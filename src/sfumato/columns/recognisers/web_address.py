"""Web addresses."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

ADDRESS = re.compile(
    r"(?:https?|ftp|sftp)://\S+|www\.\S+\.\S{2,}|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[a-z]{2,6}/\S+", re.IGNORECASE
)


class WebAddress(Recogniser):
    """A scheme, `www.`, or a domain with a path."""

    concept = "web address"
    role = Role.DIRECT
    hipaa = Hipaa.URL
    strength = 0.85
    longest = 2000
    varied = 0.1  # the same few pages for everybody are nobody's own

    def matches(self, value: str) -> bool:
        return ADDRESS.fullmatch(value) is not None
