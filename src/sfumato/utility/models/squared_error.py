"""Squared error: how far, at worst, a label can be from the value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Figure, Needs, NotApplicable, Sums, summed
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class SquaredError(CellModel):
    r"""The sum of squared distances from each value to the farthest end of its label.

    .. math:: \sum_x \min\bigl(\max\{(x - lo)^2, (x - hi)^2\},\; M_x\bigr), \quad
        M_x = \max\{(x - min)^2, (x - max)^2\}

    Numbers and dates (in days) are taken as they are, other values by their place in the hierarchy. The ends of a
    label are the smallest and the largest value that it stands for. It reaches its largest value,
    :math:`\sum M_x`, when everything is suppressed.

    References
    ----------
    Domingo-Ferrer & Torra (2001). A quantitative comparison of disclosure control methods for microdata.
    In: Confidentiality, Disclosure and Data Access, 111-133.

    Examples
    --------
    The ages 40 and 55 share a label: each may be wrong by 15 years.

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> SquaredError().of(recoded_ages("full-domain")).total.value
    450.0
    """

    bounds = "0 to the sum of squared distances to the farther end of the column"
    plainly = "how far the values may be from what was released, squared and added up"
    applies_to = "anything, where values are numbers, dates or in a hierarchy"
    needs = Needs.ORDERED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if not cells.scale:
            return NOTHING_TO_LOSE
        most = _farther("x", f"{cells.lowest!r}", f"{cells.highest!r}", cells.scale)
        worst = _farther("x", "lo", "hi", cells.scale)
        return Sums(
            f"{total(f'n * least({worst}, {most})')} * {cells.scale**2!r}",
            removed=f"{total(f'n * {most}')} * {cells.scale**2!r}",
        )

    def together(self, figures: Sequence[Figure]) -> Figure:
        return summed(figures)


def _farther(x: str, low: str, high: str, span: float) -> str:
    """The squared distance to the farther of two ends, as a share of the span."""
    return f"pow(greatest(abs({x} - {low}), abs({x} - {high})) / {span!r}, 2)"
