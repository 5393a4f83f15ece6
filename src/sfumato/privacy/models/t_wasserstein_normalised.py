"""Wasserstein t-closeness as a share of the range: comparable between variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.earth_mover import earth_movers_distance, gaps
from sfumato.privacy.coded.rule_interface import DistanceRule
from sfumato.privacy.measure_interface import TransportMeasure
from sfumato.privacy.ordered_distance import numeric_range
from sfumato.tables.engine import total

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class TWassersteinNormalised(TransportMeasure):
    r"""Largest Wasserstein-1 distance of a class from the whole, as a share of the range of the variable.

    .. math:: t = \max_{E} \frac{1}{\max - \min} \int_{-\infty}^{\infty} |F_E(x) - F(x)| \, dx

    Between 0 and 1 whatever the unit, so that it can be compared between variables; a constant attribute reads 0.

    References
    ----------
    Villani (2003). Topics in Optimal Transportation. AMS, remark 2.19 (one dimension).

    Examples
    --------
    The salaries of table 4 in Li et al. (2007) are evenly spaced, so this equals the ordered distance:

    >>> from sfumato.studies.printed_tables import salaries
    >>> round(TWassersteinNormalised("salary").of(salaries().classes()), 12)
    0.375
    """

    most = 1
    bounds = "0 to 1"
    plainly = "how far the values of people who look alike lie from everybody's, as a share of the range"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        numeric_range(classes, self.value)
        return f"greatest({total('moved')}, 0)"


class TWassersteinNormalisedRule(DistanceRule):
    """The earth mover's distance between numbers, as a share of their range."""

    measure = TWassersteinNormalised

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        steps, reach = gaps(coded, self.value.sensitive)
        return earth_movers_distance(cells, coded, steps / (reach or 1))
