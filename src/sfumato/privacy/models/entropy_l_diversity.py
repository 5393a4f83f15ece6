"""Entropy l-diversity: the values in a class are not only different but also even."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import DiversityRule, sums
from sfumato.privacy.measure_interface import DiversityMeasure
from sfumato.tables.engine import total

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class EntropyLDiversity(DiversityMeasure):
    r"""Exponential of the smallest entropy of any class.

    .. math:: \ell = \min_{E} \exp\Bigl( -\sum_{s} q_E(s) \ln q_E(s) \Bigr)

    The effective number of equally frequent sensitive values; a real number, not rounded. A class in which
    nobody has a value reads 0.

    References
    ----------
    Machanavajjhala et al. (2007), definition 4.1 (entropy l-diversity).

    Examples
    --------
    Every class of figure 3 has counts 2, 1, 1, whose entropy is (3/2) ln 2:

    >>> from sfumato.studies.printed_tables import three_diverse_inpatients
    >>> round(EntropyLDiversity("condition").of(three_diverse_inpatients().classes()), 6)
    2.828427
    """

    column = "l_entropy"
    plainly = "the smallest effective number of equally common values"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return f"least(round(exp({total('-q * ln(q)')}), 12), max(size))"


class EntropyLDiversityRule(DiversityRule):
    """The exponential of the entropy, which is never more than how many values there are."""

    measure = EntropyLDiversity

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        entropy = sums(-cells.q * np.log(cells.q), cells)
        return np.minimum(np.round(np.exp(entropy), 12), cells.size)
