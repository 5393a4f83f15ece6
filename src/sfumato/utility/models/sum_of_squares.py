"""Sums of squares: what share of the variation the labels still show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Figure, Needs, NotApplicable, Sums, summed
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class SumOfSquares(CellModel):
    r"""The squared distances from values to the middle of their labels, against those of the middles from the mean.

    .. math:: SSE / SST = \frac{\sum_x (x - m_x)^2}{\sum_x (m_x - \bar x)^2}, \quad m_x = \frac{lo + hi}{2}

    Numbers and dates (in days) are taken as they are, other values by their place in the hierarchy. Columns are added
    up before they are divided, as in the microaggregation literature, so those of large numbers weigh most.

    References
    ----------
    Domingo-Ferrer & Mateo-Sanz (2002). Practical data-oriented microaggregation for statistical disclosure control.
    IEEE Transactions on Knowledge and Data Engineering 14(1), 189-201.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> figure = SumOfSquares().of(recoded_ages("full-domain")).total
    >>> figure.value, round(figure.normalised, 4)
    (112.5, 0.0716)
    """

    bounds = "0 upwards; normalised, 1 and more is all information removed"
    plainly = "how much of the variation of the values their labels do not show"
    applies_to = "anything, where values are numbers, dates or in a hierarchy"
    needs = Needs.ORDERED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if not cells.scale:
            return NOTHING_TO_LOSE
        mean, _ = cells.moments
        scale = f"* {cells.scale**2!r}"
        return Sums(
            f"{total(f'n * pow((x - (lo + hi) / 2) / {cells.scale!r}, 2)')} {scale}",
            removed=f"{total(f'n * pow(((lo + hi) / 2 - {mean!r}) / {cells.scale!r}, 2)')} {scale}",
        )

    def together(self, figures: Sequence[Figure]) -> Figure:
        return summed(figures)
