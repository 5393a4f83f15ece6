"""Loss: the share of the domain that a label stands for."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class Loss(CellModel):
    r"""The average share of a column's domain that the labels leave open.

    .. math:: LM = \frac1N \sum_x \frac{|leaves(x)| - 1}{|domain| - 1}

    A value by itself leaves nothing open, a label over half of the domain half of it, and a suppressed value
    everything. The domain is what the hierarchy lists; without one, the values that occur. Granularity, the plain
    share :math:`|leaves| / |domain|`, gives the same once it is normalised.

    References
    ----------
    Iyengar (2002). Transforming data to satisfy privacy constraints. KDD 2002, 279-288 (section 3).

    Examples
    --------
    Four ages in two steps of twenty years: two have one age each, one has two of the four:

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> Loss().of(recoded_ages("full-domain")).total.value
    0.1111111111111111
    """

    bounds = "0 to 1"
    plainly = "how much of what a column could hold its labels leave open, on average"
    applies_to = "generalisation, local recoding and suppression"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if cells.domain < 2:
            return NOTHING_TO_LOSE
        return Sums(f"{total('n * CAST(leaves - 1 AS DOUBLE)')} / {cells.records * (cells.domain - 1)}")
