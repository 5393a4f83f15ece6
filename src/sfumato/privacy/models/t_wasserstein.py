"""Wasserstein t-closeness: how far values lie apart, in the unit of the variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.earth_mover import earth_movers_distance, gaps
from sfumato.privacy.coded.rule_interface import DistanceRule
from sfumato.privacy.measure_interface import TransportMeasure
from sfumato.privacy.ordered_distance import numeric_range
from sfumato.tables.engine import literal, total

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class TWasserstein(TransportMeasure):
    r"""Largest Wasserstein-1 distance of a class from the whole, in the unit of the variable.

    .. math:: t = \max_{E} \int_{-\infty}^{\infty} |F_E(x) - F(x)| \, dx

    How far, on average, the values of a class must be moved to look like everybody's: 30 mg/dL of cholesterol,
    say. The bound is in that unit; the range-normalised twin `t_wasserstein_normalised` lies between 0 and 1.

    References
    ----------
    Villani (2003). Topics in Optimal Transportation. AMS, remark 2.19 (one dimension).
    BIO-STREAMS D4.2 (2025), section 2.5.

    Examples
    --------
    The salaries of table 4 in Li et al. (2007) are one thousand apart, so 0.375 of the range 8 is 3 thousand:

    >>> from sfumato.studies.printed_tables import salaries
    >>> round(TWasserstein("salary").of(salaries().classes()), 12)
    3.0
    """

    bounds = "0 upwards, in the unit of the column"
    shorthand = "t"
    distance = "wasserstein"
    read_along = ("t_wasserstein_normalised", "t_ordered")  # which can be compared between columns
    plainly = "how far the values of people who look alike lie from everybody's, in the unit of the variable"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        reach = literal(numeric_range(classes, self.value))
        return f"greatest({total('moved')}, 0) * {reach}"


class TWassersteinRule(DistanceRule):
    """The earth mover's distance between numbers, at most their range."""

    measure = TWasserstein

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        steps, _ = gaps(coded, self.value.sensitive)
        return earth_movers_distance(cells, coded, steps)

    def reach(self, coded: CodedValue) -> float:
        _, reach = gaps(coded, self.value.sensitive)
        return reach or 1.0
