"""Distinct l-diversity: everyone in a class has company of a different kind."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.classes import EquivalenceClasses
from sfumato.measure import CellMeasure, Safer


@dataclass(frozen=True)
class DistinctLDiversity(CellMeasure):
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

    >>> from sfumato.examples import three_diverse_inpatients
    >>> DistinctLDiversity("condition").of(three_diverse_inpatients().classes())
    3.0
    """

    safer = Safer.HIGHER
    monotone = True
    family = "l"
    column = "l_count"
    plainly = "the fewest different values among people who look alike"
    flags_missing = True
    otherwise = "0"

    def of_cells(self, classes: EquivalenceClasses) -> str:
        return "least(count(*), max(size))"
