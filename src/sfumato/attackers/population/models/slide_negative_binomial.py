"""Slide negative binomial: every class has one member, and more by a negative binomial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, expm1, fsum, log, log1p, sqrt

from sfumato.attackers.population.model_interface import PopulationModel, SampleSize, sample_size
from sfumato.attackers.population.root_finding import root
from sfumato.privacy.sizes import Sizes

FARTHEST = 2.0**60  # how far to look for a root


@dataclass(frozen=True)
class SlideNegativeBinomial(PopulationModel):
    r"""Expected number of population uniques, if class sizes less one are negative binomial.

    .. math::
        P(F = i) = \frac{\Gamma(\alpha + i - 1)}{\Gamma(\alpha) \, (i - 1)!} \, \beta^\alpha (1 - \beta)^{i-1},
        \quad i \ge 1, \qquad E(S_1) = K \beta^\alpha

    A class that occurs at all has a first member: the distribution is slid by one. K is the number of classes in the
    population, alpha and beta say how much their sizes vary.

    **What the sample says.** Each member is sampled with chance f = n / N. The first member so remains with chance f,
    and of the others a negative binomial number: with
    :math:`r = f (1 - \beta) / (1 - (1 - f)(1 - \beta))` its generating function is
    :math:`\bigl(\beta / (1 - (1 - \beta)(1 - f + f z))\bigr)^\alpha = \bigl((1 - r) / (1 - r z)\bigr)^\alpha`. The
    sample then has expectedly, writing :math:`y = \alpha r`,

    .. math::
        s_1 = K (1 - r)^\alpha \bigl[f + (1 - f) y\bigr], \qquad
        s_2 = K (1 - r)^\alpha \, y \bigl[f + (1 - f)(y + r) / 2\bigr]

    which in terms of beta, with :math:`D = 1 - (1 - f)(1 - \beta)`, are

    .. math::
        s_1 = K f \frac{\beta^\alpha}{D^{\alpha + 1}} \bigl[D + \alpha (1 - f)(1 - \beta)\bigr], \qquad
        s_2 = K f^2 \frac{\alpha (1 - \beta) \beta^\alpha}{2 D^{\alpha + 2}}
        \bigl[2 - (1 - \alpha)(1 - f)(1 - \beta)\bigr]

    K is estimated apart, from all class sizes (ARX 3.9.2 multiplies by :math:`D^{\alpha + 2}` and has the bracket of
    the denominator wrong, so that it never finds a solution):

    .. math::
        \hat K = u + s_1 \,
        \frac{\sum_i i f^2 (1 - f^2)^{i-1} s_i}{\sum_i (1 - f)^i \bigl((1 + f)^i - 1\bigr) s_i}
        \left(\frac{\sum_i (1 - f)^i s_i}{\sum_i i f (1 - f)^{i-1} s_i}\right)^2

    **Solution.** The quotient :math:`s_2 / s_1` does not contain K, and is for each r a quadratic equation in y with
    one positive root. That leaves one equation in r for :math:`s_1`, which is bracketed and solved for
    :math:`-\log(1 - r)`; then :math:`\beta = f (1 - r) / (f + (1 - f) r)`. It has no root where sizes vary less than
    those of a Poisson distribution, the limit r = 0; then there is no estimate.

    References
    ----------
    Chen, Keller-McNulty (1998). Estimation of identification disclosure risk in microdata. Journal of Official
    Statistics 14(1), 79-95.
    Haas, Stokes (1998). Estimating the number of classes in a finite population. Journal of the American Statistical
    Association 93(444), 1475-1487 (the modified estimator of Shlosser, for K).
    Dankar et al. (2012). Estimating the re-identification risk of clinical data sets. BMC Medical Informatics and
    Decision Making 12:66, appendix A.

    Examples
    --------
    Half of a population of 39,366 people in 19,683 classes, of which half have one member, a quarter two, and so on
    (alpha = 1, beta = 1/2): 9,842 are unique.

    >>> counts = {1: 8748, 2: 2916, 3: 972, 4: 324, 5: 108, 6: 36, 7: 12, 8: 4, 9: 1, 10: 1}
    >>> sizes = Sizes(tuple((size, number, size * number) for size, number in counts.items()))
    >>> round(SlideNegativeBinomial().of(sizes, 39_366).value)
    9983
    """

    plainly = "every class of the population has one member, and further ones by a negative binomial distribution"
    caveat = (
        "Best where the sample is more than a tenth of the population; it rests on how many classes have one and two "
        "members. Assumes a random sample."
    )
    taken_for = frozenset({SampleSize.LARGE})

    def expected(self, sizes: Sizes, population: int) -> tuple[float | None, str]:
        counts = {size: number for size, number, _ in sizes.histogram}
        if not counts.get(2):
            return None, "No class of the sample has two members, and the model needs some."
        fitted = parameters(counts, sample_size(sizes) / population)
        if fitted is None:
            return None, "The sizes of the classes vary less than the model can say."
        classes, alpha, log_beta = fitted
        return classes * exp(alpha * log_beta), self.caveat


def parameters(counts: dict[int, int], f: float) -> tuple[float, float, float] | None:
    """The number of classes of the population, alpha, and the logarithm of beta; None where nothing fits."""
    classes, odds = population_classes(counts, f), counts[2] / counts[1]

    def excess(s: float) -> float:
        """By how much the model has more uniques in the sample than there are, as logarithms; s = -log(1 - r)."""
        r = -expm1(-s)
        y = _members(r, f, odds)
        return log(classes / counts[1]) - y * (s / r) + log(f + (1 - f) * y)

    s = _crossing(excess)
    if s is None:
        return None
    r = -expm1(-s)
    return classes, _members(r, f, odds) / r, -s - log1p(r * (1 - f) / f)


def population_classes(counts: dict[int, int], f: float) -> float:
    """How many classes the population has, by the modified estimator of Shlosser (Haas and Stokes 1998)."""
    low, square = log1p(-f), log1p(-f * f)
    absent = fsum(exp(i * low) * number for i, number in counts.items())
    single = fsum(i * f * exp((i - 1) * low) * number for i, number in counts.items())
    twice = fsum(i * f * f * exp((i - 1) * square) * number for i, number in counts.items())
    either = fsum(exp(i * square) * -expm1(-i * log1p(f)) * number for i, number in counts.items())
    return sum(counts.values()) + counts.get(1, 0) * (twice / either) * (absent / single) ** 2


def _members(r: float, f: float, odds: float) -> float:
    """The y for which the model has s2 = odds * s1: the positive root of a y^2 + b y - odds f = 0."""
    a, b = (1 - f) / 2, (1 - f) * (r / 2 - odds) + f
    wide = sqrt(b * b + 4 * a * odds * f)
    return 2 * odds * f / (b + wide) if b > 0 else (wide - b) / (2 * a)


def _crossing(excess: Callable[[float], float]) -> float | None:
    """Where the excess, which falls, is zero; None where there is none from the start."""
    low, high = 1e-9, 1.0
    while excess(high) > 0:
        low, high = high, high * 2
        if high > FARTHEST:
            return None
    return root(excess, low, high)
