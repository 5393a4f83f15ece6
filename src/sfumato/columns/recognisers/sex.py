"""Sex and gender."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.columns.recognisers.closed_list import ClosedList, telling
from sfumato.columns.recognisers.code_system import hinted
from sfumato.schema import Role

PAIRS = ({"m", "f"}, {"m", "w"}, {"m", "v"}, {"h", "m"}, {"k", "m"}, {"f", "h"}, {"m", "k"}, {"α", "γ"}, {"α", "θ"})


class Sex(ClosedList):
    """Male and female in ten languages; M and F alone where both are there and hardly anything else."""

    concept = "sex or gender"
    role = Role.QUASI
    strength = 0.9
    file = "sex"
    hints = hinted("sex gender geschlecht sexe sexo sesso geslacht plec φυλο kon genre genero")

    def weight(self, sample: Sequence[str], said: str) -> float:
        """Less where only letters are there: F and M may be other things."""
        values = set(telling(sample))
        pair = values in PAIRS or (len(values) == 3 and any(pair < values for pair in PAIRS))
        return super().weight(sample, said) or (0.7 if pair else 0.0)
