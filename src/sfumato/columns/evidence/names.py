"""What the name of a column says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Concept, Meaning, meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.forms import fits, flags
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role

PLAIN = 0.9  # a name of which every word is understood
DIFFERENT = 0.5  # values per record from which on they may tell people apart, whatever their form


@dataclass(frozen=True)
class Names(Evidence):
    """The name of the column, or its label, looked up in the lexicon.

    A name is believed as far as the values allow it: a column `telephone` of yes and no is about telephones and
    holds none, and a column `date_of_birth` of years holds no date. Where the name says several things, the first
    that the values can be is believed; where they can be none, the finding says so.
    """

    method = "names"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        meaning = meaning_of(column.name, column.label)
        if meaning is None:
            return None
        meaning = _fitting(meaning, column)
        concept = meaning.concept
        if concept.identifying and flags(column):
            return self._answered(concept)
        if concept.identifying and not fits(concept.form, column):
            return self._contradicted(meaning, column)
        sentence = f"The name says {concept.name} ({_source(meaning)})."
        return Finding(self.method, concept.role, None, sentence, _weight(meaning), concept.hipaa)

    def _answered(self, concept: Concept) -> Finding:
        """Whether somebody has a telephone is no telephone. Whether somebody died or gave birth is no small thing."""
        sentence = f"The name says {concept.name}, but the values only say yes or no."
        if concept.role is Role.DIRECT:
            return Finding(self.method, Role.NON_SENSITIVE, None, sentence, weight=0.55)
        return Finding(self.method, None, None, sentence)

    def _contradicted(self, meaning: Meaning, column: ColumnProfile) -> Finding:
        """What is left of a name whose values are something else: that it is technical is not shown by that."""
        concept = meaning.concept
        if concept.dated:
            sentence = f"The name says {concept.name}, but the values are no dates finer than a year."
            return Finding(self.method, Role.QUASI, None, sentence, weight=0.5)
        if concept.role is Role.QUASI:
            sentence = f"The name says {concept.name}; the values may be codes of one."
            return Finding(self.method, Role.QUASI, None, sentence, weight=0.5)
        if meaning.sure >= PLAIN and column.known >= DIFFERENT * column.present:
            sentence = f"The name says {concept.name}; the values are mostly different, but not of that form."
            return Finding(self.method, concept.role, None, sentence, 0.6, concept.hipaa)
        return Finding(self.method, None, None, f"The name says {concept.name}, but the values do not look like one.")


def _fitting(meaning: Meaning, column: ColumnProfile) -> Meaning:
    """The name as the values let it be read: `plz_wohnort` of digits is about the postcode, not about the place."""
    concepts = (meaning.concept, *meaning.others)
    return replace(meaning, concept=next((c for c in concepts if fits(c.form, column)), meaning.concept))


def _weight(meaning: Meaning) -> float:
    """What harms when known is proposed last, so that its names weigh a little less."""
    if meaning.concept.role is Role.NON_SENSITIVE:
        return min(meaning.sure, 0.85)  # somebody who marked the column as an identifier knows better
    return meaning.sure - 0.1 if meaning.concept.role is Role.SENSITIVE else meaning.sure


def _source(meaning: Meaning) -> str:
    if meaning.concept.hipaa and meaning.guideline == "HIPAA":
        return "on the HIPAA list"
    return f"a name of {meaning.guideline}" if meaning.guideline not in ("HIPAA", "common") else "a usual name"
