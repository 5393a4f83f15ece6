"""Average prosecutor risk: the chance of finding somebody picked at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import Judgement, WholeTableRule, risks
from sfumato.privacy.measure_interface import RiskMeasure
from sfumato.tables.engine import total

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole
    from sfumato.privacy.coded.classes import CodedClasses


@dataclass(frozen=True)
class AverageRisk(RiskMeasure):
    r"""Probability of picking the right record, averaged over everybody.

    .. math:: R = \frac{1}{n} \sum_{E} |E| \cdot \frac{1}{|E|} = \frac{\text{number of classes}}{n}

    The number of classes over the number of members. A record reads its own risk, `1 / |E|`. Where missing values
    are wildcards, classes overlap and the average is taken over everybody once.

    References
    ----------
    El Emam (2013). Guide to the De-Identification of Personal Health Information. CRC Press, chapter 16.

    Examples
    --------
    Machanavajjhala et al. (2007), figure 2, has three classes of four:

    >>> from sfumato.studies.printed_tables import four_anonymous_inpatients
    >>> AverageRisk().of(four_anonymous_inpatients().classes())
    0.25
    """

    plainly = "the chance of finding somebody picked at random"

    def overall(self, reading: str, classes: EquivalenceClasses) -> str:
        own = "size" if classes.overlap is None else "own"
        return f"{total(f'CAST({own} AS DOUBLE) / size')} / sum({own})"


class AverageRiskRule(WholeTableRule):
    """Classes over members of all that is kept: the smallest classes go until it is low enough.

    Among classes of one size those go first whose labels come first. No class can be said to be lost before it is known
    which others there are.
    """

    measure = AverageRisk

    def readings(self, classes: CodedClasses) -> Real:
        return risks(classes)

    def overall(self, classes: CodedClasses) -> float | None:
        # Every class adds |E| times 1 / |E|: so that the mean over people is classes over people.
        people = float(classes.members.sum())
        return float((classes.members > 0).sum()) / people if people else None

    def judge_rest(self, classes: CodedClasses, suppressed: Flags, hereditary: Flags) -> Judgement:
        import numpy as np

        kept = np.flatnonzero(~suppressed & (classes.members > 0))
        kept = kept[np.argsort(classes.members[kept], kind="stable")]
        sizes = classes.members[kept]
        left = np.cumsum(sizes[::-1])[::-1]
        enough = np.append(~self.breaks(np.arange(len(kept), 0, -1) / np.maximum(left, 1)), True)
        count = int(np.argmax(enough))
        if count:
            tied = np.flatnonzero(sizes == sizes[count - 1])
            kept[tied] = _by_labels(classes, kept[tied])
        broken = np.zeros(classes.space, dtype=np.bool_)
        broken[kept[:count]] = True
        return Judgement(broken)


def _by_labels(classes: CodedClasses, numbers: Whole) -> Whole:
    """Classes in the order of their labels, the first column first: their numbers depend on how they came about."""
    import numpy as np

    rows = classes.examples.take(numbers)
    labels = [classes.table.labels(j, level).take(rows) for j, level in enumerate(classes.levels) if level >= 0]
    return numbers.take(np.lexsort(labels[::-1]))
