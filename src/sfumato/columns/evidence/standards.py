"""What the standard says that the table is written in: SDTM, ADaM, OMOP, i2b2, PCORnet, FHIR, REDCap, CMS claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon import Hipaa
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.calendar import finer_than_a_year
from sfumato.columns.recognisers.forms import flags
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role


@dataclass(frozen=True)
class Standards(Evidence):
    """The dictionary of a standard, where enough columns of the table are its own.

    A name of a standard says little alone (`AGEU`, `visit_concept_id`), and what the standard says of it, much. It
    weighs less where the values contradict: an identifier of yes and no.
    """

    method: ClassVar[str] = "standards"
    contradicted: float = 0.5

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if beside.standard is None:
            return None
        standard, domain, sure = beside.standard
        variable = standard.variable(column.name, domain)
        if variable is None:
            return None
        weight, hipaa = sure * variable.plainly, variable.hipaa
        sentence = f"The table is written in {standard.name}, where this variable is {_words(variable.role)}."
        if variable.role is Role.DIRECT and flags(column):
            weight *= self.contradicted
            sentence = f"{sentence[:-1]}, but the values only say yes or no."
        if hipaa is Hipaa.DATES and column.sample and finer_than_a_year(column.sample) < 0.3:
            hipaa = None  # years, or numbers of days
        return Finding(self.method, variable.role, variable.plainly, sentence, round(weight, 3), hipaa)


def _words(role: Role) -> str:
    return {
        Role.DIRECT: "a key, a name or free text",
        Role.QUASI: "what others may know of a person",
        Role.SENSITIVE: "about health, behaviour or money",
        Role.NON_SENSITIVE: "technical",
    }[role]
