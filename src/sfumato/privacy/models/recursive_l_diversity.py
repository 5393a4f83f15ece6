"""Recursive (c, l)-diversity: the commonest value does not dominate the rare ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import DiversityRule, maxima, sums
from sfumato.privacy.measure_interface import INFINITY, Safer, SensitiveMeasure, require_count

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class RecursiveLDiversity(SensitiveMeasure):
    r"""Largest share of the commonest value against the rare ones: the c of (c, l)-diversity.

    .. math:: c = \max_{E} \frac{r_1}{r_\ell + r_{\ell+1} + \dots + r_m}

    where r_1 >= r_2 >= ... are the counts of the sensitive values in the class. The paper requires
    r_1 < c (r_l + ... + r_m), so a release is (c, l)-diverse for every c above this reading, and a reading of
    exactly c is too much. A class
    with fewer than l values, or fewer than l members who have one, has no finite c.

    References
    ----------
    Machanavajjhala et al. (2007), definition 4.2 (recursive (c, l)-diversity).

    Examples
    --------
    Every class of figure 3 has counts 2, 1, 1; with l = 2 the ratio is 2 / (1 + 1):

    >>> from sfumato.studies.printed_tables import three_diverse_inpatients
    >>> RecursiveLDiversity("condition", l=2).of(three_diverse_inpatients().classes())
    1.0
    """

    l: int = field(default=2, kw_only=True)  # noqa: E741  the name it has in the paper
    safer = Safer.LOWER
    monotone = True
    strict = True
    family = "l"
    column = "l_recursive"
    plainly = "how far the commonest value outweighs the rare ones"
    flags_missing = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_count(self, "l", self.l)

    def values_needed(self, bound: float) -> float:
        return self.l

    def by_class(self, classes: EquivalenceClasses) -> str:
        return classes.every_class(
            f"""
            SELECT per_class.class_id, CASE WHEN rest > 0 AND known.size >= {self.l}
                THEN CAST(commonest AS DOUBLE) / rest ELSE {INFINITY} END AS reading
            FROM (
                SELECT class_id, max(n) AS commonest, sum(CASE WHEN r >= {self.l} THEN n ELSE 0 END) AS rest
                FROM (
                    SELECT class_id, n, row_number() OVER (PARTITION BY class_id ORDER BY n DESC) AS r
                    FROM {classes.cells(self.value)}) AS ranked
                GROUP BY class_id) AS per_class
            JOIN {classes.known(self.value)} AS known ON known.class_id = per_class.class_id""",
            otherwise=INFINITY,
        )


class RecursiveLDiversityRule(DiversityRule):
    """The commonest value against those from the l-th on; with fewer than l values there are none."""

    measure = RecursiveLDiversity
    otherwise = inf

    @property
    def least(self) -> int:
        return self._l

    @property
    def _l(self) -> int:
        assert isinstance(self.requirement.measure, RecursiveLDiversity)
        return self.requirement.measure.l

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        order = np.lexsort((-cells.n, cells.owner))
        rank = np.arange(len(order)) - np.repeat(cells.first, cells.counts)
        rest = sums(np.where(rank >= self._l - 1, cells.n[order], 0.0), cells)
        ratio = maxima(cells.n, cells) / np.where(rest > 0, rest, 1)
        return np.where((rest > 0) & (cells.size >= self._l), ratio, inf)

    def hereditary_classes(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Flags:
        return self.different(cells) < self._l
