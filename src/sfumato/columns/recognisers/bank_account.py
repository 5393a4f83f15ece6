"""Bank accounts and payment cards."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.checksums import luhn
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
CARD = re.compile(r"(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6\d{15})")


class BankAccount(Recogniser):
    """International account numbers and card numbers whose check digits are right."""

    concept = "account number"
    role = Role.DIRECT
    hipaa = Hipaa.ACCOUNT
    strength = 0.9
    needed = 0.9

    def matches(self, value: str) -> bool:
        bare = value.replace(" ", "").replace("-", "").upper()
        if IBAN.fullmatch(bare):
            return int("".join(str(int(c, 36)) for c in bare[4:] + bare[:4])) % 97 == 1
        return CARD.fullmatch(bare) is not None and luhn(bare)
