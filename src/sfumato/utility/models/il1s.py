"""IL1s: how far numbers were moved, in standard deviations."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import KNOWN, ColumnCells


@dataclass(frozen=True)
class Il1s(CellModel):
    r"""The mean distance of each number from what was released for it, in standard deviations times the root of two.

    .. math:: IL1s = \frac1N \sum_x \frac{|x - x'|}{\sqrt2 \, S}

    x' is the released number, or the middle of its label, and S the standard deviation of the column, so that columns
    in different units can be averaged.

    References
    ----------
    Yancey, Winkler & Creecy (2002). Disclosure risk assessment in perturbative microdata protection.
    Inference Control in Statistical Databases, LNCS 2316, 135-152.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(Il1s().of(recoded_ages("full-domain")).total.value, 4)
    0.1055
    """

    bounds = "0 upwards, in standard deviations"
    plainly = "how far the numbers were moved, in standard deviations, on average"
    applies_to = "anything done to numbers and dates; made for perturbation"
    needs = Needs.NUMBERS

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        _, deviation = cells.moments
        if not deviation and cells.scale:
            return NotApplicable("all values are alike, so that there is no standard deviation")
        if not deviation:
            return NOTHING_TO_LOSE
        scale = f"* {cells.span / (sqrt(2) * deviation)!r} / {KNOWN}"
        return Sums(
            f"{total(f'n * abs(x - (lo + hi) / 2) / {cells.span!r}')} {scale}",
            removed=f"{total(f'n * abs(x - {cells.middle!r}) / {cells.span!r}')} {scale}",
        )
