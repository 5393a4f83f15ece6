"""Maximum prosecutor risk: the chance of finding the easiest person to find."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from sfumato.privacy.coded.rule_interface import SizeRule, risks
from sfumato.privacy.measure_interface import RiskMeasure

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses


@dataclass(frozen=True)
class MaximumRisk(RiskMeasure):
    r"""Probability of picking the right record of the person who is easiest to find.

    .. math:: R = \max_{E} \frac{1}{|E|}

    The prosecutor knows that the person is in the table. Guidelines round: 1/11 = 0.0909 is what they
    call 0.09. So a bound is compared as the class size that it stands for, 1/bound to the nearest whole
    number: k = 11 satisfies 0.09, k = 3 satisfies 0.33.

    References
    ----------
    El Emam (2013). Guide to the De-Identification of Personal Health Information. CRC Press, chapter 16.

    Examples
    --------
    Machanavajjhala et al. (2007), figure 2, has classes of four:

    >>> from sfumato.studies.printed_tables import four_anonymous_inpatients
    >>> MaximumRisk().of(four_anonymous_inpatients().classes())
    0.25
    """

    stands_for_size = True
    plainly = "the chance of finding the person who is easiest to find"

    def allowed(self, bound: float) -> float:
        if not 1e-9 < bound < 1:
            return bound
        return 1 / max(round(1 / bound), 2)


class MaximumRiskRule(SizeRule):
    """A class needs as many members as the risk allows: 1 / |E| at most."""

    measure = MaximumRisk

    @property
    def least(self) -> int:
        size = max(ceil(1 / self.limit) - 1, 1)  # the limit is above 0: it has the tolerance of floating point
        return size if 1 / size <= self.limit else size + 1

    def readings(self, classes: CodedClasses) -> Real:
        return risks(classes)
