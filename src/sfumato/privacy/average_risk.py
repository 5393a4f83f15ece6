"""Average prosecutor risk: the chance of finding somebody picked at random."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.engine import total
from sfumato.measure import Measure, Safer


@dataclass(frozen=True)
class AverageRisk(Measure):
    r"""Probability of picking the right record, averaged over everybody.

    .. math:: R = \frac{1}{n} \sum_{E} |E| \cdot \frac{1}{|E|} = \frac{\text{number of classes}}{n}

    The number of classes over the number of members. A record reads its own risk, 1 / |E|. Where missing values
    are wildcards, classes overlap and the average is taken over everybody once.

    References
    ----------
    El Emam (2013). Guide to the De-Identification of Personal Health Information. CRC Press, chapter 16.

    Examples
    --------
    Machanavajjhala et al. (2007), figure 2, has three classes of four:

    >>> from sfumato.examples import four_anonymous_inpatients
    >>> AverageRisk().of(four_anonymous_inpatients().classes())
    0.25
    """

    safer = Safer.LOWER
    monotone = True
    family = "risk"
    column = "risk"
    plainly = "the chance of finding somebody picked at random"

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"SELECT class_id, CAST(1 AS DOUBLE) / size AS reading FROM {classes.table}"

    def of(self, classes: EquivalenceClasses) -> float | None:
        if classes.overlap is None:
            return classes.number(f"SELECT CAST(count(*) AS DOUBLE) / sum(size) FROM {classes.table}")
        return classes.number(f"SELECT {total('CAST(own AS DOUBLE) / size')} / sum(own) FROM {classes.table}")
