"""DIS-SUDA: how likely a unique match with a record is right, by the score that the record has as a special unique."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.special_uniques import SpecialUniques
from sfumato.errors import PolicyError
from sfumato.privacy.sizes import Sizes
from sfumato.show.documents.exposure import DisSudaDocument

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real

FRACTION = 0.01  # of the population that is in the sample, where nobody says: the default of sdcMicro


@dataclass(frozen=True, eq=False)
class DisSuda:
    r"""The probability that somebody is right who finds one match with a record, for each record of a sample.

    With U the people who are alone in their class, P those in classes of two, and f the share of the population that is
    in the sample, DIS is that probability for the file. It is what comes of taking records out of it, of putting them
    back with the chance f, and of looking for them: who was alone is found if put back, and of two who are alike the
    other is taken for the one who was not.

    .. math:: DIS = \frac{U f}{U f + P (1 - f)}

    DIS-SUDA gives the records with higher scores more of it. With s the score of a record, m columns, and the sum over
    all records that have a score:

    .. math::

        p = \frac{1}{1 + \dfrac{U / DIS - U}{s^Q \sum_i s_i^{-Q}}}, \qquad Q = 1 + \frac{8 - m}{20}

    Where all scores are the same, p is DIS. Only the ratios of scores matter, so that it makes no difference by what
    all of them are multiplied. Where nobody is in a class of two, DIS has nothing to go by and is 1. A record without a
    score has 0. It is an estimate from a random sample, not a count; f is assumed where nobody says it.

    DIS is that of Skinner and Elliot. How it is distributed is that of sdcMicro (`suda2`, `disScore`), which is where
    the power Q is from; it says nothing on why. Others distribute it in proportion, DIS times s by the sum of all
    scores: that is a share of DIS, which falls with every further unique, and no probability of a record.

    References
    ----------
    Skinner, Elliot (2002). A measure of disclosure risk for microdata. JRSS B 64(4), 855-867.
    Elliot, Manning (2003). Using DIS to modify the classification of special uniques. UNECE/Eurostat work session on
    statistical data confidentiality, Luxembourg.
    Templ, Kowarik, Meindl (2015). Statistical disclosure control for micro-data using the R package sdcMicro. Journal
    of Statistical Software 67(4). Source of sdcMicro 5, `src/Suda2.h`.

    Examples
    --------
    The ten records of the practice guide (see `SpecialUniques`): four are alone, with the scores 6, 12, 6 and 10, and
    six are in pairs. With Q = 1.2 the sum is 0.3467.

    >>> from sfumato.studies.printed_tables import rows
    >>> from sfumato.attackers.special_uniques import special_uniques
    >>> table = ["U F some E", "U F some E", "U F none N", "U M done E", "R F done U", "U M done E", "U F prim N",
    ...          "U M post U", "U F some N", "U F some N"]
    >>> columns = ["residence", "gender", "education", "labour"]
    >>> people = rows([tuple(row.split()) for row in table], columns, **dict.fromkeys(columns, "quasi"))
    >>> dis_suda = DisSuda(special_uniques(people), Sizes.of(people.classes()))
    >>> round(dis_suda.dis, 6), {row: round(p, 6) for row, p in dis_suda.probabilities()}
    (0.006689, {3: 0.004987, 5: 0.011383, 7: 0.004987, 8: 0.009167})
    """

    uniques: SpecialUniques
    sizes: Sizes
    fraction: float = FRACTION
    assumed: bool = True  # whether nobody said which fraction it is

    def __post_init__(self) -> None:
        if not 0 < self.fraction <= 1:
            raise PolicyError("DIS-SUDA: the share of the population that is in the sample is above 0 and at most 1.")

    @property
    def alone(self) -> int:
        """People who are alone in their class: U."""
        return self.sizes.singletons

    @property
    def paired(self) -> int:
        """People in classes of two: P."""
        return sum(size * number for size, number, _ in self.sizes.histogram if size == 2)

    @property
    def dis(self) -> float:
        """The probability that a unique match is right, for the file; 0 where nobody is alone."""
        right = self.alone * self.fraction
        return right / (right + self.paired * (1 - self.fraction)) if self.alone else 0.0

    def probability(self, score: float) -> float:
        """The probability for a record with a score."""
        if not score:
            return 0.0
        weighed: float = score**self._power * self._sum
        # U / DIS - U is P (1 - f) / f, whatever U is: so nothing is divided by a DIS of 0.
        return weighed / (weighed + self.paired * (1 - self.fraction) / self.fraction)

    def probabilities(self) -> Iterator[tuple[int, float]]:
        """The records with a score: the number of each in the source, from 1 on, and its probability."""
        for row, score in self.uniques.scores():
            yield row, self.probability(score)

    @property
    def highest(self) -> float:
        """That of the record with the highest score; 0 where none has one."""
        return self.probability(float(self._scores.max(initial=0.0)))

    @property
    def average(self) -> float:
        """The mean of those with a score; 0 where none has one."""
        scores = self._scores.tolist()
        return fsum(map(self.probability, scores)) / len(scores) if scores else 0.0

    @cached_property
    def _scores(self) -> Real:
        """The scores above 0: once for each person and what they are alone with, however many records say it."""
        scores = self.uniques.score_of_places.astype(np.float64)
        return scores[scores > 0]

    @property
    def _power(self) -> float:
        return 1 + (8 - len(self.uniques.columns)) / 20

    @cached_property
    def _sum(self) -> float:
        return fsum((self._scores**-self._power).tolist())

    def content(self) -> DisSudaDocument:
        """The fraction, DIS, and what records have, as plain values."""
        return DisSudaDocument(
            fraction=self.fraction, assumed=self.assumed, dis=self.dis, highest=self.highest, average=self.average
        )
