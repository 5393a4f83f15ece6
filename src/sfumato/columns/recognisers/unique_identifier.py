"""Identifiers that a computer made up: UUIDs and digests."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

MADE_UP = re.compile(
    r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?|(?=.{0,63}\d)(?=.{0,63}[a-f])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})",
    re.IGNORECASE,
)


class UniqueIdentifier(Recogniser):
    """A UUID, or the digest of something: who has the list behind it knows whose it is."""

    concept = "unique code"
    role = Role.DIRECT
    hipaa = Hipaa.OTHER
    strength = 0.6
    varied = 0.02

    def matches(self, value: str) -> bool:
        return MADE_UP.fullmatch(value) is not None
