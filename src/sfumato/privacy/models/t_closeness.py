"""t-closeness: a class tells no more than the whole table does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import DistanceRule, sums
from sfumato.privacy.measure_interface import CellMeasure, Safer
from sfumato.tables.engine import total

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class TCloseness(CellMeasure):
    r"""Largest variational distance of a class from the whole: every two values equally far.

    .. math:: t = \max_{E} \tfrac{1}{2} \sum_{s} |q_E(s) - p(s)|
                = \max_{E} \sum_{s \in E} \max(q_E(s) - p(s), 0)

    Both distributions sum to 1, so what lies above equals what lies below; the second form
    needs only the values that occur in the class.

    References
    ----------
    Li, Li, Venkatasubramanian (2007). t-closeness: privacy beyond k-anonymity and
    l-diversity. ICDE, 106-115. Section 4.2, equal distance.

    Examples
    --------
    In figure 2 of Machanavajjhala et al. one class is all cancer, 5 in 12 of the whole:

    >>> from sfumato.studies.printed_tables import four_anonymous_inpatients
    >>> round(TCloseness("condition").of(four_anonymous_inpatients().classes()), 6)
    0.583333
    """

    safer = Safer.LOWER
    most = 1
    monotone = True
    family = "t"
    column = "t_distance"
    bounds = "0 to 1"
    shorthand = "t"
    distance = "total-variation"
    plainly = "how far the values of people who look alike differ from everybody's (share to be moved)"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return total("greatest(q - p, 0)")


class TClosenessRule(DistanceRule):
    """The variational distance, at most 1."""

    measure = TCloseness

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        return sums(np.maximum(cells.q - coded.shares[cells.value], 0), cells)
