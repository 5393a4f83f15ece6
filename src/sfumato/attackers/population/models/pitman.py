"""Pitman: the population grows person by person, and every class draws in its like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log, log1p

from sfumato.attackers.population.model_interface import PopulationModel, SampleSize, sample_size
from sfumato.attackers.population.root_finding import root
from sfumato.privacy.sizes import Sizes

LEAST, MOST = 1e-6, 1 - 1e-9  # of alpha; below, the estimate does not change any more
HEAD = 32  # terms added one by one, before the rest is an integral with corrections
LARGE = 1000.0  # from here on Stirling's series is exact in floating point


@dataclass(frozen=True)
class Pitman(PopulationModel):
    r"""Expected number of population uniques, if the population is as Pitman's sampling formula has it.

    .. math::
        E(S_1) = N \, \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)} \,
        \frac{\Gamma(\theta + \alpha + N - 1)}{\Gamma(\theta + N)}
        \approx \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)} \, N^\alpha

    People join one after the other: the next one founds a class with chance :math:`(\theta + u \alpha) / (\theta + m)`
    after m people in u classes, and joins one of i members with chance :math:`(i - \alpha) / (\theta + m)`. The first
    person so remains alone among N with chance :math:`\prod_{m=1}^{N-1} (\theta + \alpha + m - 1) / (\theta + m)`, and
    since the order does not matter, so does everybody: that is the exact expression. Papers and ARX use the second,
    which is good for :math:`N \gg \theta` and up to a few percent too high otherwise: `approximate` asks for it.

    The parameters :math:`0 \le \alpha < 1, \theta > -\alpha` are the most likely ones for the sample: with u classes
    of n members, :math:`s_i` of them with i, they solve

    .. math::
        \sum_{i=1}^{u-1} \frac{1}{\theta + i \alpha} = \sum_{i=1}^{n-1} \frac{1}{\theta + i}, \qquad
        \sum_{i=1}^{u-1} \frac{i}{\theta + i \alpha} = \sum_i s_i \sum_{j=1}^{i-1} \frac{1}{j - \alpha}

    For each alpha the first has a solution theta, and the second is then an equation in alpha. Where it has none, the
    sample is most likely at alpha = 0, which is Ewens' formula, and that is taken.

    References
    ----------
    Pitman (1995). Exchangeable and partially exchangeable random partitions. Probability Theory and Related Fields
    102, 145-158, proposition 9.
    Hoshino (2001). Applying Pitman's sampling formula to microdata disclosure risk assessment. Journal of Official
    Statistics 17(4), 499-520.

    Examples
    --------
    >>> sizes = Sizes(((1, 50, 50), (2, 10, 20), (5, 6, 30)))
    >>> round(Pitman().of(sizes, 10_000).value, 1), round(Pitman(approximate=True).of(sizes, 10_000).value, 1)
    (681.4, 682.2)
    """

    approximate: bool = False

    plainly = "the population grew person by person, large classes drawing in more than small ones"
    caveat = (
        "Best where the sample is at most a tenth of the population. Assumes a random sample, and that the rest of "
        "the population goes on as the sample began: too high or too low where it does not."
    )
    taken_for = frozenset({SampleSize.SMALL})

    def expected(self, sizes: Sizes, population: int) -> tuple[float | None, str]:
        n = sample_size(sizes)
        if sizes.count == n:
            return None, "Everybody in the sample is unique, so that it does not say how large classes become."
        fitted = parameters(sizes, n)
        if fitted is None:
            return None, "No parameters of the model fit the sample best."
        theta, alpha = fitted
        grown = _log_gamma_step(theta + 1, alpha - 1)
        if self.approximate:
            return exp(alpha * log(population) - grown), self.caveat
        return exp(log(population) + _log_gamma_step(theta + population, alpha - 1) - grown), self.caveat


def parameters(sizes: Sizes, n: int) -> tuple[float, float] | None:
    """The most likely theta and alpha; None where there are none."""

    def slope(alpha: float) -> float:
        """How the likelihood changes with alpha, where theta is the best for it."""
        theta = _theta(alpha, sizes.count, n)
        founded = (sizes.count - 1) - theta * _reciprocals(theta + alpha, alpha, sizes.count - 1)
        return founded / alpha - _joined(alpha, sizes.histogram)

    if slope(LEAST) <= 0:
        return _theta(0.0, sizes.count, n), 0.0
    alpha = root(slope, LEAST, MOST)
    return None if alpha is None else (_theta(alpha, sizes.count, n), alpha)


def _theta(alpha: float, classes: int, n: int) -> float:
    """The most likely theta for an alpha, found as the logarithm of theta + alpha, which is above 0."""

    def slope(logarithm: float) -> float:
        first = exp(logarithm)
        return first * (_reciprocals(first, alpha, classes - 1) - _reciprocals(first + (1 - alpha), 1.0, n - 1))

    # Theta is largest, about n^2 / 2, where all are unique but for one pair: below exp(70) up to 10^15 people. It is
    # smallest, about 1 / log n, where all are in two classes: far above exp(-50).
    logarithm = root(slope, -50.0, 70.0)
    assert logarithm is not None  # at one end the first sum is larger, at the other it has fewer terms
    return exp(logarithm) - alpha


def _joined(alpha: float, histogram: Sequence[tuple[int, int, int]]) -> float:
    return fsum(number * _reciprocals(1 - alpha, 1.0, size - 1) for size, number, _ in histogram)


def _reciprocals(first: float, step: float, terms: int) -> float:
    r"""The sum of 1/x over so many terms, the first being `first` and each a `step` larger.

    After some terms the rest is the integral and the corrections of Euler and Maclaurin, exact in floating point.
    """
    head = min(terms, HEAD)
    one_by_one = fsum(1 / (first + i * step) for i in range(head))
    if terms == head:
        return one_by_one
    a, b, intervals = first + head * step, first + (terms - 1) * step, terms - 1 - head
    integral = log1p(intervals * step / a) / step if step else intervals / a
    corrections = (1 / a + 1 / b) / 2 + step / 12 * (a**-2 - b**-2) - step**3 / 120 * (a**-4 - b**-4)
    return one_by_one + integral + corrections + step**5 / 252 * (a**-6 - b**-6)


def _log_gamma_step(x: float, step: float) -> float:
    """How much log-gamma grows from x to x + step; for large x by Stirling's series, since the two nearly cancel."""
    if x < LARGE:
        return lgamma(x + step) - lgamma(x)
    end = x + step
    return step * log(x) + (end - 0.5) * log1p(step / x) - step + (1 / end - 1 / x) / 12 - (end**-3 - x**-3) / 360
