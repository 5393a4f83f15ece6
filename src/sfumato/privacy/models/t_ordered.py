"""Ordered t-closeness: nearby values are a smaller disclosure than distant ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.earth_mover import earth_movers_distance
from sfumato.privacy.coded.rule_interface import DistanceRule
from sfumato.privacy.measure_interface import TransportMeasure
from sfumato.tables.engine import total

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class TOrdered(TransportMeasure):
    r"""Largest earth mover's distance of a class from the whole, over ordered values.

    .. math:: t = \max_{E} \frac{1}{m - 1} \sum_{i=1}^{m} \Bigl| \sum_{j \le i} q_E(s_j) - p(s_j) \Bigr|

    over the m distinct values of the table in order; a constant attribute reads 0. Computed as the area between the
    two cumulative distributions over positions 0, ..., m - 1 (see `sfumato.privacy.ordered_distance`), which is the
    same sum.

    References
    ----------
    Li, Li, Venkatasubramanian (2007), section 4.1, ordered distance.

    Examples
    --------
    Salaries of table 4 in the paper; the class {3k, 4k, 5k} is the furthest, at 0.375:

    >>> from sfumato.studies.printed_tables import salaries
    >>> round(TOrdered("salary").of(salaries().classes()), 12)
    0.375
    """

    most = 1
    bounds = "0 to 1"
    shorthand = "t"
    distance = "ordered"
    by_order = True
    plainly = "how far the values of people who look alike lie from everybody's, in steps between values"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return f"greatest({total('ordered')}, 0)"


class TOrderedRule(DistanceRule):
    """The earth mover's distance in steps between values, as a share of the longest: at most t_closeness."""

    measure = TOrdered

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        steps = len(coded.shares) - 1
        return earth_movers_distance(cells, coded, np.full(max(steps, 0), 1 / max(steps, 1)))
