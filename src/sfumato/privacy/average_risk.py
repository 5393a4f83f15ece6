"""Average prosecutor risk: the chance of finding somebody picked at random."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.engine import total
from sfumato.measure import Safer, SizeMeasure


@dataclass(frozen=True)
class AverageRisk(SizeMeasure):
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
    most = 1
    monotone = True
    family = "risk"
    column = "risk"
    plainly = "the chance of finding somebody picked at random"

    def of_size(self) -> str:
        return "CAST(1 AS DOUBLE) / size"

    def overall(self, reading: str, classes: EquivalenceClasses) -> str:
        own = "size" if classes.overlap is None else "own"
        return f"{total(f'CAST({own} AS DOUBLE) / size')} / sum({own})"
