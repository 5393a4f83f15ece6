"""What the data dictionary says."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role

MARKED = 0.88


@dataclass(frozen=True)
class Dictionary(Evidence):
    """The mark `Identifier?` of a data dictionary.

    A mark was set by somebody who knows the study, for names and dates of birth alike. It weighs less than a plain
    name (0.9), so that a marked date of birth stays a quasi-identifier, and more than a name that says "not personal"
    (0.85): who knows the study is right about that. No mark says little: most dictionaries leave the question open,
    so it is shown and not counted.
    """

    method = "dictionary"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if column.identifier is None:
            return None
        if column.identifier:
            sentence = "The data dictionary marks it as an identifier."
            return Finding(self.method, Role.DIRECT, None, sentence, MARKED, Hipaa.OTHER)
        return Finding(self.method, None, None, "The data dictionary does not mark it as an identifier.")
