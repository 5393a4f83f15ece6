"""What the name of a column says."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Meaning, meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.forms import fits, flags
from sfumato.schema import Role


@dataclass(frozen=True)
class Names(Evidence):
    """The name of the column, or its label, looked up in the lexicon.

    A name is believed as far as the values allow it: a column `telephone` of yes and no is about telephones and
    holds none, and a column `date_of_birth` of years holds no date. Where the name says several things, the first
    that the values can be is believed; where they can be none, the finding says so.
    """

    method = "names"

    def of(self, column: ColumnProfile) -> Finding | None:
        found = meaning_of(column.name, column.label)
        if found is None:
            return None
        found = _fitting(found, column)
        concept = found.concept
        if concept.identifying and flags(column):
            sentence = f"The name says {concept.name}, but the values only say yes or no."
            return Finding(self.method, Role.NON_SENSITIVE, None, sentence, weight=0.7)
        if concept.identifying and not fits(concept.form, column):
            return self._contradicted(found)
        sentence = f"The name says {concept.name} ({_source(found)})."
        return Finding(self.method, concept.role, None, sentence, _weight(found), concept.hipaa)

    def _contradicted(self, found: Meaning) -> Finding:
        """What is left of a name whose values are something else."""
        if found.concept.dated:
            sentence = f"The name says {found.concept.name}, but the values are no dates finer than a year."
            return Finding(self.method, Role.QUASI, None, sentence, weight=0.6)
        sentence = f"The name says {found.concept.name}, but the values do not look like one."
        return Finding(self.method, Role.NON_SENSITIVE, None, sentence, weight=0.5)


def _fitting(found: Meaning, column: ColumnProfile) -> Meaning:
    """The name as the values let it be read: `plz_wohnort` of digits is about the postcode, not about the place."""
    concepts = (found.concept, *found.others)
    return replace(found, concept=next((c for c in concepts if fits(c.form, column)), found.concept))


def _weight(found: Meaning) -> float:
    """What harms when known is proposed last, so that its names weigh a little less."""
    if found.concept.role is Role.NON_SENSITIVE:
        return min(found.sure, 0.85)  # somebody who marked the column as an identifier knows better
    return found.sure - 0.1 if found.concept.role is Role.SENSITIVE else found.sure


def _source(found: Meaning) -> str:
    if found.concept.hipaa and found.guideline == "HIPAA":
        return "on the HIPAA list"
    return f"a name of {found.guideline}" if found.guideline not in ("HIPAA", "common") else "a usual name"
