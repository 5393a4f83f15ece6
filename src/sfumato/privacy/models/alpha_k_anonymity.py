"""(alpha, k)-anonymity: no value is too likely among people who look alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import CellRule, above_share, maxima
from sfumato.privacy.measure_interface import INFINITY, Safer, SensitiveMeasure, require_count

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class AlphaKAnonymity(SensitiveMeasure):
    r"""Largest share of one sensitive value in any class of at least k members: the alpha of (alpha, k).

    .. math:: \alpha = \max_{E} \max_{s} \frac{n_E(s)}{|E|} \quad \text{where every } |E| \ge k

    Who finds the class of a person infers a value with this confidence at most. A class with fewer than k
    members has no finite alpha.

    References
    ----------
    Wong, Li, Fu, Wang (2006). (alpha, k)-anonymity: an enhanced k-anonymity model for
    privacy preserving data publishing. KDD, 754-759.

    Examples
    --------
    In figure 3 of Machanavajjhala et al. (2007) every class of four has one value twice:

    >>> from sfumato.studies.printed_tables import three_diverse_inpatients
    >>> AlphaKAnonymity("condition", k=4).of(three_diverse_inpatients().classes())
    0.5
    """

    k: int = field(default=1, kw_only=True)
    safer = Safer.LOWER
    monotone = True
    family = "alpha"
    column = "alpha"
    bounds = "0 to 1"
    plainly = "the confidence with which one value can be inferred"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_count(self, "k", self.k)

    def by_class(self, classes: EquivalenceClasses) -> str:
        return f"""
            SELECT cell.class_id, CASE WHEN max(class.size) < {self.k} THEN {INFINITY}
                ELSE max(CAST(cell.n AS DOUBLE) / cell.size) END AS reading
            FROM {classes.distribution(self.value)} AS cell
            JOIN {classes.table} AS class ON class.class_id = cell.class_id
            GROUP BY cell.class_id"""


class AlphaKAnonymityRule(CellRule):
    """The largest share of a value in a class of k members or more."""

    measure = AlphaKAnonymity
    compares = False

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        return np.where(classes.members[cells.classes] < self._k, inf, maxima(cells.n, cells) / cells.size)

    def hereditary_classes(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Flags | None:
        # A part in which nobody has a value has no reading, and so breaks nothing.
        return classes.members[cells.classes] < self._k if not coded.lacking else None

    def fewest_members(self, readings: Real, cells: SensitiveCells, coded: CodedValue) -> Real:
        import numpy as np

        return above_share(np.full(len(coded.shares), self.limit), cells)

    @property
    def _k(self) -> int:
        assert isinstance(self.requirement.measure, AlphaKAnonymity)
        return self.requirement.measure.k
