"""Distinct l-diversity: everyone in a class has company of a different kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import DiversityRule
from sfumato.privacy.measure_interface import DiversityMeasure

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class DistinctLDiversity(DiversityMeasure):
    r"""Fewest distinct sensitive values in any class.

    .. math:: \ell = \min_{E} \min( |\{ s : n_E(s) > 0 \}|, |E| )

    A class with one value tells the value of everybody in it. A class in which nobody has a value reads 0.
    One person with several values is still one person, so no class reads more than it has members.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam (2007). l-diversity: privacy beyond
    k-anonymity. ACM TKDD 1(1), 3.

    Examples
    --------
    Figure 3 of the paper is 3-diverse:

    >>> from sfumato.studies.printed_tables import three_diverse_inpatients
    >>> DistinctLDiversity("condition").of(three_diverse_inpatients().classes())
    3.0
    """

    column = "l_count"
    counts = True
    shorthand = "l"
    plainly = "the fewest different values among people who look alike"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return "least(count(*), max(size))"


class DistinctLDiversityRule(DiversityRule):
    """A class needs l different values, and as many members who have one."""

    measure = DistinctLDiversity
    hereditary = True

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        return self.different(cells)
