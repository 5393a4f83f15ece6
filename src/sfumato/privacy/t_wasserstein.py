"""Wasserstein t-closeness: how far values lie apart, in the unit of the variable."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.engine import literal
from sfumato.errors import WrongScale
from sfumato.measure import Safer, SensitiveMeasure
from sfumato.transport import transport, whole_line


@dataclass(frozen=True)
class TWasserstein(SensitiveMeasure):
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

    >>> from sfumato.examples import salaries
    >>> round(TWasserstein("salary").of(salaries().classes()), 12)
    3.0
    """

    safer = Safer.LOWER
    monotone = True
    family = "t"
    column = "t_distance"
    plainly = "how far the values of people who look alike lie from everybody's, in the unit of the variable"

    def by_class(self, classes: EquivalenceClasses) -> str:
        _need_numbers(classes, self)
        reach = literal(_range(classes, self))
        return f"SELECT class_id, moved * {reach} AS reading FROM {transport(classes, self.value)}"


@dataclass(frozen=True)
class TWassersteinNormalised(SensitiveMeasure):
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
    monotone = True
    family = "t"
    column = "t_distance"
    plainly = "how far the values of people who look alike lie from everybody's, as a share of the range"

    def by_class(self, classes: EquivalenceClasses) -> str:
        _need_numbers(classes, self)
        _range(classes, self)
        return f"SELECT class_id, moved AS reading FROM {transport(classes, self.value)}"


def _range(classes: EquivalenceClasses, measure: SensitiveMeasure) -> float:
    line = whole_line(classes, measure.value)
    if line.range is None and line.values:
        raise WrongScale(f"Column {measure.sensitive!r} has infinite values: there is no distance to them.")
    return line.range or 0.0


def _need_numbers(classes: EquivalenceClasses, measure: SensitiveMeasure) -> None:
    if measure.bins or not classes.records.kinds[classes.column(measure.sensitive)].numeric:
        raise WrongScale(
            f"The Wasserstein distance needs numbers, and {measure.sensitive!r} does not hold numbers. "
            f"Use the total variation (t_closeness) or ordered distance (t_ordered) for it."
        )
