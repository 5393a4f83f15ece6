"""Zayatz: a sample unique is a population unique with the probability that Bayes gives it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum

import numpy as np

from sfumato.attackers.population.model_interface import PopulationModel, SampleSize, sample_size
from sfumato.privacy.sizes import Sizes

NOTHING = 750  # exp(-750) is 0 in floating point


@dataclass(frozen=True)
class Zayatz(PopulationModel):
    r"""Expected number of population uniques, by the equivalence class model of Zayatz.

    .. math::
        \hat S_1 = \frac{N}{n} \, s_1 \cdot
        \frac{s_1 \, h(1)}{\sum_i s_i \, h(i)}, \qquad
        h(i) = \frac{i \binom{N - i}{n - 1}}{\binom{N}{n}}
        = \frac{i n}{N} \prod_{j=0}^{i-2} \Bigl(1 - \frac{n - 1}{N - 1 - j}\Bigr)

    Of :math:`s_i` classes with i members, h(i) is the chance that a class with i members in the population has one in
    the sample: one of the i is drawn, and the i - 1 others are not, one after the other. The fraction is by Bayes the
    chance that a class with one member in the sample has one in the population, where class sizes in the population are
    taken to be as frequent as in the sample. They are larger in fact, so for small samples the estimate is too high.

    References
    ----------
    Zayatz (1991). Estimation of the percent of unique population elements on a microdata file using the sample.
    US Bureau of the Census, Statistical Research Division, report RR-91/08.
    Dankar, El Emam, Neisa, Roffey (2012). Estimating the re-identification risk of clinical data sets. BMC Medical
    Informatics and Decision Making 12:66, appendix A.

    Examples
    --------
    Three uniques and one pair, half of a population of ten: h(1) = 1/2 and h(2) = 2 * (1/2) * (1 - 4/9) = 5/9, so a
    sample unique is a population unique with probability 3/2 : (3/2 + 5/9) = 27/37.

    >>> round(Zayatz().of(Sizes(((1, 3, 3), (2, 1, 2))), 10).value, 6), round(10 / 5 * 3 * 27 / 37, 6)
    (4.378378, 4.378378)
    """

    plainly = "class sizes in the population are as frequent as in the sample"
    caveat = (
        "Takes the class sizes of the sample for those of the population: too high where the sample is a small part "
        "of the population. Assumes a random sample."
    )
    taken_for = frozenset({SampleSize.LARGE})
    stands_in = True  # it has an answer for every sample in which somebody is unique

    def expected(self, sizes: Sizes, population: int) -> tuple[float | None, str]:
        n, unique = sample_size(sizes), sizes.singletons
        alone = self._alone(sizes, n, population)
        drawn_alone = fsum(
            number * size * exp(alone[size - 1]) for size, number, _ in sizes.histogram if size <= len(alone)
        )
        return population / n * unique * (unique / drawn_alone), self.caveat

    def _alone(self, sizes: Sizes, n: int, population: int) -> Sequence[float]:
        """The chance that 0, 1, 2, ... others of a class are all left out of the sample, as a logarithm.

        It ends where there are more others than people left out, or where the chance is nothing.
        """
        others = min(sizes.largest - 1, population - n, NOTHING * population // n + 1)
        left_out = np.log1p(-(n - 1) / (population - 1 - np.arange(others, dtype=float)))
        chances: Sequence[float] = np.concatenate([[0.0], np.cumsum(left_out)]).tolist()
        return chances
