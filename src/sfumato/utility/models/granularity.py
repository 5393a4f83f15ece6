"""Granularity: the share of the domain that a label stands for."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class Granularity(CellModel):
    r"""The average share of a column's domain that the labels stand for.

    .. math:: \frac1N \sum_x \frac{|leaves(x)|}{|domain|}

    A value by itself stands for one value of the domain, a suppressed one for all of them. Normalised it is the loss of
    Iyengar (`Loss`).

    References
    ----------
    Iyengar (2002). Transforming data to satisfy privacy constraints. KDD 2002, 279-288 (section 3).

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(Granularity().of(recoded_ages("full-domain")).total.value, 4)
    0.3333
    """

    bounds = "one by the size of the domain, to 1"
    plainly = "how much of what a column could hold its labels stand for, on average"
    applies_to = "generalisation, local recoding and suppression"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if cells.domain < 2:
            return Sums("1.0", "1.0", "1.0")
        share = f"{total('n * CAST(leaves AS DOUBLE)')} / {cells.records * cells.domain}"
        return Sums(share, f"{1 / cells.domain!r}")
