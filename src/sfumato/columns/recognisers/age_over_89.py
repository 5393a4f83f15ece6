"""Ages that few people reach."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

AGE = re.compile(
    r"(\d{1,3})(?:\.\d+)?\s*(?:y|yr|yrs|years?|jaar|jr|jahre?|ans?|anos?|años?|anni|lata?|år|ετών|έτη|세|살)?\.?",
    re.IGNORECASE,
)
OLDEST_TOLD = 89
OLDEST_EVER = 125


class AgeOver89(Recogniser):
    """At least one age of 90 or more. The single group `90+` is how HIPAA wants them, and does not count."""

    concept = "age over 89"
    role = Role.QUASI
    hipaa = Hipaa.AGES
    strength = 0.6
    needed = 0.0005
    only_for = "age"

    def matches(self, value: str) -> bool:
        age = AGE.fullmatch(value)
        return age is not None and OLDEST_TOLD < int(age[1]) <= OLDEST_EVER
