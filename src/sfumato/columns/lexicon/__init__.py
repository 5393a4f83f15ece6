"""What the names of columns mean: the guideline lists, usual names in eleven languages, and how a name is read."""

from __future__ import annotations

from sfumato.columns.lexicon.concept import Concept
from sfumato.columns.lexicon.hipaa import Hipaa
from sfumato.columns.lexicon.meaning import Meaning, meaning, meaning_of

__all__ = ["Concept", "Hipaa", "Meaning", "meaning", "meaning_of"]
