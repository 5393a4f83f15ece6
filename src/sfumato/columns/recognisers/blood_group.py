"""Blood groups."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sfumato.columns.recognisers.code_system import CodeSystem, hinted


class BloodGroup(CodeSystem):
    """A, B, AB and O, most with a rhesus factor. Marks at school are A+ and B- as well, but none is AB or O."""

    concept = "blood groups"
    strength = 0.92
    unnamed = 0.85
    hints = hinted(
        "blood blut sanguin sangu sanguig bloed bloodgroup bloodtype blodgrupp krwi αιμα rh rhesus abo groupesanguin"
    )
    fewest = 2
    pattern = re.compile(
        r"(?:A[12]?B?|B|O|0|A1B)[ _]?(?:\(?(?:rh(?:esus)?|d)?[ _]?(?:\+|-|−|pos(?:itive?|itiv)?|neg(?:ative?|ativ)?)\)?"
        r"(?: ?ve)?)?|rh(?:esus)? ?(?:\+|-|pos\w*|neg\w*)",
        re.IGNORECASE,
    )

    def weight(self, sample: Sequence[str], said: str) -> float:
        """0 without a name for it where neither AB nor O is there, or no rhesus factor."""
        values = {value.upper() for value in self.values(sample)}
        groups = any(value.startswith(("AB", "O", "0")) for value in values)
        rhesus = any(not value.isalnum() or len(value) > 2 for value in values)
        return super().weight(sample, said) if self.named(said) or (groups and rhesus) else 0.0
