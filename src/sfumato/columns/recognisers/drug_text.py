"""Texts that name drugs."""

from __future__ import annotations

import re

from sfumato.columns.recognisers.closed_list import listed, plain
from sfumato.columns.recognisers.code_system import DRUGS
from sfumato.columns.recognisers.drugs import drug_name
from sfumato.columns.recognisers.text_words import TextWords

STRENGTH = re.compile(
    r"\d[\d.,]* ?(?:mg|mcg|ug|µg|g|ml|unit|units|iu|meq|%|mg/ml|mg/actuat|mcg/actuat)\b(?!/?dl)", re.IGNORECASE
)
FORM = re.compile(
    r"\b(?:oral|tablet|tablets|tab|capsule|capsules|cap|injection|injectable|inhal\w*|cream|ointment|patch|solution|"
    r"suspension|syrup|suppository|spray|drops|tablette\w*|kapsel\w*|comprim\w*|prefilled|actuat|pack)\b",
    re.IGNORECASE,
)


class DrugText(TextWords):
    """Stems of nonproprietary names, frequent substances and brands; or a strength and a form: 10 MG Oral Tablet."""

    concept = "names of drugs"
    strength = 0.9
    file = "drugs"
    hints = DRUGS

    def matches(self, value: str) -> bool:
        if STRENGTH.search(value) and FORM.search(value):
            return True
        return any(map(self.word, re.findall(r"[^\W\d_]{4,}", plain(value))))

    def word(self, word: str) -> bool:
        return drug_name(word) or word in listed("drugs", "names")
