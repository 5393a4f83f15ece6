"""Bacteria, viruses, fungi and parasites."""

from __future__ import annotations

from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.text_words import TextWords, endings


class Organism(TextWords):
    """Staphylococcus aureus, E. coli, rotavirus: who infects."""

    concept = "organisms that infect"
    strength = 0.88
    file = "organism"
    hints = hinted(
        "organism org pathogen microb bacteri virus erreger germ keim agent species isolate kiem microorganism"
    )

    def word(self, word: str) -> bool:
        return super().word(word) or (len(word) > 7 and word.endswith(endings("organism")))
