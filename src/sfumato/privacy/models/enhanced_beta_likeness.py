"""Enhanced beta-likeness: nor does any value become nearly certain."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import CellRule, above_share, maxima
from sfumato.privacy.measure_interface import INFINITY, CellMeasure, Safer

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class EnhancedBetaLikeness(CellMeasure):
    r"""Smallest beta for which every gain is at most min(beta, -ln p).

    .. math:: \beta = \max_{E} \max_{s : q_E(s) > p(s)} \frac{q_E(s) - p(s)}{p(s)}
              \quad \text{where every gain} \le -\ln p(s)

    The logarithm keeps frequent values from becoming certain: a value that half of all people have may gain
    ln 2 and not 1. Where a gain exceeds -ln p(s) no beta is enough, and the reading is infinite.

    References
    ----------
    Cao, Karras (2012). Publishing microdata with a robust privacy guarantee. PVLDB 5(11), 1388-1399.
    Definition 3.

    Examples
    --------
    In figure 3 of Machanavajjhala et al. (2007) viral infection is 4 in 12 of the whole and 2 in 4 of one class,
    a gain of 1/2, less than ln 3; cancer is 5 in 12 and 2 in 4, a gain of 1/5:

    >>> from sfumato.studies.printed_tables import three_diverse_inpatients
    >>> round(EnhancedBetaLikeness("condition").of(three_diverse_inpatients().classes()), 12)
    0.5
    """

    safer = Safer.LOWER
    monotone = True
    family = "beta"
    column = "beta"
    plainly = "by how much a value becomes more likely, where none becomes nearly certain"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return f"max(CASE WHEN (q - p) / p > -ln(p) + 1e-12 THEN {INFINITY} ELSE greatest((q - p) / p, 0) END)"


class EnhancedBetaLikenessRule(CellRule):
    """The largest relative gain, where none may exceed -ln p."""

    measure = EnhancedBetaLikeness

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        p = coded.shares[cells.value]
        gain = (cells.q - p) / p
        return maxima(np.where(gain > -np.log(p) + 1e-12, inf, np.maximum(gain, 0)), cells)

    def fewest_members(self, readings: Real, cells: SensitiveCells, coded: CodedValue) -> Real:
        import numpy as np

        p = np.where(coded.shares > 0, coded.shares, 1)
        return above_share((1 + np.minimum(self.limit, -np.log(p) + 1e-12)) * coded.shares, cells)
