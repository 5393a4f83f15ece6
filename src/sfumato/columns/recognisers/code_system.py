"""What a code system is: codes of one shape, some with check digits, and names that go with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

FIRST = 12  # values by which a column that holds no such codes is left at once
LUCK = 1e-5  # chance below which it is no accident that the codes are right: see national_number
_WHOLE = re.compile(r"\d+\.0")  # how a whole number is written where some records have none
_OTHERWISE = re.compile(
    r" (?:id|ids|key|seq|row|no|nr|num|nbr|number|count|n|days?|dt|date|time|years?|yr|age|costs?|amt|amount"
    r"|price|charge|charges|paid|score|total|dose|duration|los|prob|index|rank|zip|phone) "
)


class CodeSystem(Recogniser):
    """Codes of diseases, procedures, drugs or tests. They say what a person has, so they are sensitive.

    Where the codes have a check digit, `chance` is the share of other numbers of this shape that pass it: too few
    different codes, which may be right by accident, say nothing unless the name goes with them.
    """

    role = Role.SENSITIVE
    hipaa = None
    needed = 0.9
    longest = 40

    pattern: ClassVar[re.Pattern[str]]
    chance: ClassVar[float] = 0.0
    fewest: ClassVar[int] = 2  # different codes, below which a shape is an accident
    whole: ClassVar[bool] = False  # codes are whole numbers, which some tables write with `.0`

    def matches(self, value: str) -> bool:
        return self.pattern.fullmatch(value) is not None and self.right(value)

    def right(self, code: str) -> bool:
        """Whether a code of this shape can be one: its check digit, its chapter."""
        return True

    def named(self, said: str) -> bool:
        """Whether the name goes with the codes; not where it numbers, counts or times something."""
        return _OTHERWISE.search(said) is None and super().named(said)

    def share(self, sample: Sequence[str]) -> float:
        """The share of codes; 0 where hardly any of the first values is one."""
        first = self.values(sample[:FIRST])
        if sum(map(self.matches, first)) < 0.5 * len(first):
            return 0.0
        values = self.values(sample)
        return sum(map(self.matches, values)) / len(values) if values else 0.0

    def weight(self, sample: Sequence[str], said: str) -> float:
        """As for every shape; 0 where so few codes may be right by accident."""
        matched = len({value for value in self.values(sample) if self.matches(value)})
        if not self.named(said) and (matched < self.fewest or (self.chance and self.chance**matched > LUCK)):
            return 0.0
        return super().weight(sample, said)

    def values(self, sample: Sequence[str]) -> list[str]:
        """The values that are looked at, whole numbers without the nought behind the point."""
        values = super().values(sample)
        return [value[:-2] if _WHOLE.fullmatch(value) else value for value in values] if self.whole else values


def hinted(text: str) -> frozenset[str]:
    """Words that go with a code system.

    >>> sorted(hinted("icd diag"))
    ['diag', 'icd']
    """
    return frozenset(text.split())


# Names of columns of diagnoses, drugs and procedures, shared by the systems that code them; folded.
DIAGNOSES = hinted(
    "icd icd9 icd10 icdcm diag dx dgns diagnos diagnosis diagnose cim cim10 cie cie10 cid cid10 condition comorb "
    "disease morbid cause reason injur ecode indication complication rozpozn διαγν krankheit erkrankung maladie "
    "enfermedad malattia patologia doenca ziekte aandoening sjukdom choroba admdiag pdx sdx prindx problem"
)
PROCEDURES = hinted(
    "proc prcdr procedur cpt hcpcs cpt4 surg operation ops eingriff leistung acte ccam prestacion service svc"
)
DRUGS = hinted(
    "drug med meds medic rx pharm product formulary substance arznei wirkstoff farmac farmak lek leki medikament "
    "prescri ingredient ndc atc rxcui rxnorm pzn vaccin treatment trt"
)
