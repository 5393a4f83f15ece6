"""k-anonymity: nobody stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from sfumato.privacy.coded.rule_interface import SizeRule
from sfumato.privacy.measure_interface import Safer, SizeMeasure

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses


@dataclass(frozen=True)
class KAnonymity(SizeMeasure):
    r"""Size of the smallest equivalence class.

    .. math:: k = \min_{E} |E|

    A release is k-anonymous when every record has at least k - 1 others with the same
    quasi-identifiers, so that who looks for one of them picks the right one with probability 1/k at most.

    References
    ----------
    Sweeney (2002). k-anonymity: a model for protecting privacy.
    Int. J. Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 557-570.

    Examples
    --------
    Machanavajjhala et al. (2007), figure 2, is 4-anonymous:

    >>> from sfumato.studies.printed_tables import four_anonymous_inpatients
    >>> KAnonymity().of(four_anonymous_inpatients().classes())
    4.0
    """

    safer = Safer.HIGHER
    monotone = True
    family = "k"
    column = "k_count"
    bounds = "1 upwards"
    counts = True
    shorthand = "k"
    plainly = "the fewest people who share their quasi-identifiers"

    def of_size(self) -> str:
        return "size"


class KAnonymityRule(SizeRule):
    """A class needs k members; a part of a class has fewer still."""

    measure = KAnonymity

    @property
    def least(self) -> int:
        return max(ceil(self.limit), 1)

    def readings(self, classes: CodedClasses) -> Real:
        return classes.members
