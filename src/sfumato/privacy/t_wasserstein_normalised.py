"""Wasserstein t-closeness as a share of the range: comparable between variables."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.engine import total
from sfumato.measure import CellMeasure, Safer
from sfumato.transport import numeric_range


@dataclass(frozen=True)
class TWassersteinNormalised(CellMeasure):
    r"""Largest Wasserstein-1 distance of a class from the whole, as a share of the range of the variable.

    .. math:: t = \max_{E} \frac{1}{\max - \min} \int_{-\infty}^{\infty} |F_E(x) - F(x)| \, dx

    Between 0 and 1 whatever the unit, so that it can be compared between variables; a constant attribute reads 0.

    References
    ----------
    Villani (2003). Topics in Optimal Transportation. AMS, remark 2.19 (one dimension).

    Examples
    --------
    The salaries of table 4 in Li et al. (2007) are evenly spaced, so this equals the ordered distance:

    >>> from sfumato.examples import salaries
    >>> round(TWassersteinNormalised("salary").of(salaries().classes()), 12)
    0.375
    """

    safer = Safer.LOWER
    most = 1
    monotone = True
    places_missing = False
    transports = True
    family = "t"
    column = "t_distance"
    plainly = "how far the values of people who look alike lie from everybody's, as a share of the range"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        numeric_range(classes, self.value)
        return f"greatest({total('moved')}, 0)"
