"""Wasserstein distance: how far numbers would have to be carried."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class Wasserstein(CellModel):
    r"""The area between the cumulative shares of the numbers before and after, as a share of the range.

    .. math:: W_1 = \frac{1}{max - min} \int |P(x) - Q(x)| \, dx

    For numbers and dates. A label is spread evenly over the values that it stands for, a suppressed value is put in the
    middle of the column; missing values are left out.

    References
    ----------
    Villani (2009). Optimal transport: old and new, chapter 6.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(Wasserstein().of(recoded_ages("local")).total.value, 4)
    0.1667
    """

    shares = True
    bounds = "0 to 1 (more, where numbers were moved beyond the range)"
    plainly = "how far the values would have to be carried for the column to look as before, as a share of its range"
    applies_to = "anything done to numbers and dates"
    needs = Needs.NUMBERS

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if not cells.span:
            return NOTHING_TO_LOSE
        scale = f"/ {cells.span!r}"
        return Sums(f"{total(f'width * abs(cp - cq) {scale}')}", removed=f"{total(f'width * abs(cp - cu) {scale}')}")
