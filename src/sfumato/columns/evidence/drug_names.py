"""Whether a column is named after a drug."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.lexicon.words import words
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.recognisers.closed_list import listed
from sfumato.columns.recognisers.code_system import hinted
from sfumato.columns.recognisers.drugs import drug_name
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role

# Words that say of a drug that it is taken, since when, how much; a column so named is about the drug.
WITH_DRUGS = hinted(
    "dose dosage mg mcg ml use used user using taken taking take on rx drug med medication treatment therapy yn flag "
    "current ever past prior new daily total cumulative level levels conc concentration exposure arm group "
    "type status change given received y n bl baseline at in and or with other any oral iv inj amount number of "
    "bin cat code text specify prescribed dosis dosierung einnahme prise uso tabletten 1 2 3 4 5"
)
# Words after which a column holds something else of the event: its date, its number.
OTHERWISE = hinted("date dat dt day days dtc time start stop end begin year month week datum fecha id key")
# Parts of names of drugs that are no drugs by themselves.
PARTS = hinted("conjugated omega solu polyethylene ringer benzoyl ethinyl aspart iron echo glyceryl")


@dataclass(frozen=True)
class DrugNames(Evidence):
    """The name of the column is the name of one or more drugs: by the stems of nonproprietary names, or listed.

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> taken = ColumnProfile("glipizide-metformin", Kind.TEXT, 4, 0, 2, 0, 1, 2, sample=("No", "Steady"))
    >>> DrugNames().of(taken).sentence
    'The name is that of a drug.'
    """

    method = "drug names"
    whole: float = 0.88
    partly: float = 0.6

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        said = words(column.name)
        drugs = [word for word in said if _drug(word)]
        if not drugs or not OTHERWISE.isdisjoint(said):
            return None
        others = [word for word in said if word not in drugs and not word.isdigit()]
        if all(word in WITH_DRUGS for word in others):
            return Finding(self.method, Role.SENSITIVE, None, "The name is that of a drug.", self.whole)
        return Finding(self.method, Role.SENSITIVE, None, "The name holds that of a drug.", self.partly)


def _drug(word: str) -> bool:
    return word not in PARTS and (drug_name(word) or word in listed("drugs", "names"))
