"""Mean squared error: how far the middle of a label is from the value."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import KNOWN, ColumnCells


@dataclass(frozen=True)
class MeanSquaredError(CellModel):
    r"""The mean of squared distances from each number to the middle of its label.

    .. math:: MSE = \frac1N \sum_x \Bigl(x - \frac{lo + hi}{2}\Bigr)^2

    For numbers and dates (in days) only. A suppressed value is put in the middle of the column. Perturbed numbers may
    do worse than that; they count as all information removed then.

    References
    ----------
    Prasser, Bild & Kuhn (2016). A generic method for assessing the quality of de-identified health data.
    Studies in Health Technology and Informatics 228, 312-316 (discussion: continuous variables).

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> MeanSquaredError().of(recoded_ages("full-domain")).total.value
    18.75
    """

    bounds = "0 upwards, in squared units of the column"
    plainly = "how far the numbers are from the middle of what was released, squared, on average"
    applies_to = "anything done to numbers and dates"
    needs = Needs.NUMBERS

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if not cells.scale:
            return NOTHING_TO_LOSE
        scale = f"* {cells.scale**2!r} / {KNOWN}"
        return Sums(
            f"{total(f'n * pow((x - (lo + hi) / 2) / {cells.scale!r}, 2)')} {scale}",
            removed=f"{total(f'n * pow((x - {cells.middle!r}) / {cells.scale!r}, 2)')} {scale}",
        )
