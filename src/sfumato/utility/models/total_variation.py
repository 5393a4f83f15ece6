"""Total variation: how differently the values are distributed."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import CellModel, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class TotalVariation(CellModel):
    r"""Half the difference between the shares of the values before and after.

    .. math:: \tfrac12 \sum_v |p(v) - q(v)|

    p is the share of a value in the original. q is what a reader of the release must take it for: a label is spread
    evenly over the values that it stands for; what is suppressed is a value of its own.

    References
    ----------
    Levin, Peres & Wilmer (2009). Markov chains and mixing times, section 4.1.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(TotalVariation().of(recoded_ages("local")).total.value, 4)
    0.3333
    """

    shares = True
    bounds = "0 to 1"
    plainly = "the share of records that would have to change for the column to look as before"

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        return Sums(f"{total('abs(p - q)')} / 2", removed=f"{total('abs(p - u)')} / 2")
