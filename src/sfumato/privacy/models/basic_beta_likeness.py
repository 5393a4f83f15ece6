"""Basic beta-likeness: no value becomes much more likely than it is for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import CellRule, above_share, maxima
from sfumato.privacy.measure_interface import CellMeasure, Safer

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class BasicBetaLikeness(CellMeasure):
    r"""Largest relative gain in the probability of a sensitive value.

    .. math:: \beta = \max_{E} \max_{s : q_E(s) > p(s)} \frac{q_E(s) - p(s)}{p(s)}

    A gain of 1 means that a value is twice as likely in the class as in the whole.

    References
    ----------
    Cao, Karras (2012). Publishing microdata with a robust privacy guarantee. PVLDB 5(11), 1388-1399.
    Definition 2.

    Examples
    --------
    In figure 2 of Machanavajjhala et al. (2007) one class is all cancer, 5 in 12 of the whole: 12/5 - 1 = 7/5.

    >>> from sfumato.studies.printed_tables import four_anonymous_inpatients
    >>> round(BasicBetaLikeness("condition").of(four_anonymous_inpatients().classes()), 12)
    1.4
    """

    safer = Safer.LOWER
    monotone = True
    family = "beta"
    column = "beta"
    plainly = "by how much a value becomes more likely among people who look alike"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return "max(greatest((q - p) / p, 0))"


class BasicBetaLikenessRule(CellRule):
    """The largest relative gain; a value may have (1 + beta) times its share of everybody."""

    measure = BasicBetaLikeness

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        p = coded.shares[cells.value]
        return maxima(np.maximum((cells.q - p) / p, 0), cells)

    def fewest_members(self, readings: Real, cells: SensitiveCells, coded: CodedValue) -> Real:
        return above_share((1 + self.limit) * coded.shares, cells)
