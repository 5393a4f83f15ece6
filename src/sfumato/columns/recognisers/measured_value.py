"""Measurements with their unit in the value."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.closed_list import listed, plain
from sfumato.columns.recognisers.code_system import CodeSystem, hinted

_NUMBER = re.compile(r"[<>=~]{0,2}\s?-?\d[\d.,]*\s?")
# Times are ages and durations, money is money, and amounts of drugs are known as such.
_OTHERWISE = hinted(
    "s sec min mins minute minutes h hr hrs hour hours d day days wk week weeks mo month months yr yrs year years a "
    "jahre monate tage ans mois jours anos meses dias anni mesi giorni jaar m km usd eur euro $ % in 1 none score mg "
    "mcg ug g ml l units unit iu meq tablet tablets capsule capsules puff puffs"
)


class MeasuredValue(CodeSystem):
    """5.4 mmol/L, 72 bpm, 170 cm: a number and a unit of what is measured on people; not a time, and not money."""

    concept = "measurements with their unit"
    strength = 0.8
    needed = 0.8
    fewest = 3
    pattern = re.compile(r"[<>=~]{0,2}\s?-?\d[\d.,]*\s?[^\d\s].{0,20}")

    def right(self, code: str) -> bool:
        unit = plain(_NUMBER.sub("", code, count=1))
        return unit in listed("unit") and unit not in _OTHERWISE and unit not in listed("unit", "also")
