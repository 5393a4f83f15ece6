"""delta-disclosure: no value becomes much more, or much less, likely than it is for everybody."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log
from typing import TYPE_CHECKING

from sfumato.errors import PolicyError
from sfumato.privacy.classes import EquivalenceClasses
from sfumato.privacy.coded.rule_interface import CellRule, maxima
from sfumato.privacy.measure_interface import INFINITY, CellMeasure, Safer
from sfumato.tables.engine import literal

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real
    from sfumato.privacy.coded.classes import CodedClasses, SensitiveCells
    from sfumato.privacy.coded.table import CodedValue


@dataclass(frozen=True)
class DeltaDisclosure(CellMeasure):
    r"""Largest change, as a logarithm, in the probability of any sensitive value.

    .. math:: \delta = \max_{E} \max_{s} \Bigl| \log \frac{q_E(s)}{p(s)} \Bigr|

    over every value s of the table: a value that a class lacks has become impossible in it, and the reading
    is infinite. A release is delta-disclosure-private for every delta above this reading. The
    logarithm is natural unless `base` says otherwise.

    References
    ----------
    Brickell, Shmatikov (2008). The cost of privacy: destruction of data-mining utility in
    anonymized data publishing. KDD, 70-78. Definition 4.

    Examples
    --------
    Every class of figure 3 in Machanavajjhala et al. (2007) has all three values; the furthest from the whole
    is cancer, 5 in 12 of everybody and 1 in 4 of one class, a ratio of 5/3:

    >>> from math import exp
    >>> from sfumato.studies.printed_tables import three_diverse_inpatients
    >>> round(exp(DeltaDisclosure("condition").of(three_diverse_inpatients().classes())), 12)
    1.666666666667
    """

    base: float = field(default=2.718281828459045, kw_only=True)
    safer = Safer.LOWER
    monotone = True
    strict = True
    family = "delta"
    column = "delta"
    plainly = "by how much any value becomes more or less likely among people who look alike"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.base, int | float) or not 1 < self.base < inf:
            raise PolicyError("delta_disclosure: the base of the logarithm must be a number above 1.")

    def of_cells(self, classes: EquivalenceClasses) -> str:
        values = f"(SELECT count(*) FROM {classes.whole(self.value)} AS whole)"
        largest = f"max(abs(ln(q / p))) / {literal(log(self.base))}"
        return f"CASE WHEN count(*) < {values} THEN {INFINITY} ELSE {largest} END"


class DeltaDisclosureRule(CellRule):
    """The largest change of a logarithm; infinite in a class that lacks a value, and in every part of it."""

    measure = DeltaDisclosure

    def of_cells(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Real:
        import numpy as np

        changes = np.abs(np.log(cells.q / coded.shares[cells.value])) / log(self._base)
        return np.where(cells.counts < len(coded.shares), inf, maxima(changes, cells))

    def hereditary_classes(self, cells: SensitiveCells, coded: CodedValue, classes: CodedClasses) -> Flags | None:
        # A part in which nobody has a value has no reading, and so breaks nothing.
        return cells.counts < len(coded.shares) if not coded.lacking else None

    @property
    def _base(self) -> float:
        assert isinstance(self.requirement.measure, DeltaDisclosure)
        return self.requirement.measure.base
