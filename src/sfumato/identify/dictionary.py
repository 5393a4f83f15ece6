"""What the data dictionary says."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.evidence import Evidence, Finding
from sfumato.lexicon import Hipaa
from sfumato.profile import ColumnProfile
from sfumato.schema import Role


@dataclass(frozen=True)
class Dictionary(Evidence):
    """The mark `Identifier?` of a data dictionary.

    A mark was set by somebody who knows the study, for names and dates of birth alike: it decides where nothing
    else says which. No mark says little: most dictionaries leave the question open, so it is shown and not counted.
    """

    method = "dictionary"

    def of(self, column: ColumnProfile) -> Finding | None:
        if column.identifier is None:
            return None
        if column.identifier:
            sentence = "The data dictionary marks it as an identifier."
            return Finding(self.method, Role.DIRECT, None, sentence, 0.6, Hipaa.OTHER)
        return Finding(self.method, None, None, "The data dictionary does not mark it as an identifier.")
