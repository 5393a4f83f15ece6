"""Telephone numbers with the code of their country."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

SHAPE = re.compile(r"(?:tel:)?(?:\+|00)\s?\(?[1-9][\d\s().\-/]{5,20}\d(?:\s*(?:x|ext\.?)\s*\d{1,6})?", re.IGNORECASE)


class TelephoneAbroad(Recogniser):
    """A plus sign or two noughts, and a number that is possible in the country of that code."""

    concept = "telephone"
    role = Role.DIRECT
    hipaa = Hipaa.TELEPHONE
    strength = 0.9
    needed = 0.4  # a column may mix both ways of writing
    most = 200
    longest = 40

    def matches(self, value: str) -> bool:
        return SHAPE.fullmatch(value) is not None and _possible(value)


def _possible(value: str) -> bool:
    import phonenumbers

    spelt = value.lower().removeprefix("tel:").strip()
    try:
        number = phonenumbers.parse("+" + spelt[2:] if spelt.startswith("00") else spelt)
    except phonenumbers.NumberParseException:
        return False
    return bool(phonenumbers.is_possible_number(number))
