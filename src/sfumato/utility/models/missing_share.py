"""Missing share: how many cells say nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.utility.model_interface import CellModel, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class MissingShare(CellModel):
    r"""The share of cells that are missing or suppressed in the release.

    .. math:: \frac1N \, |\{x : \text{no value}\}|

    What was missing in the original counts too, and is what the normalised value starts from.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(MissingShare().of(recoded_ages("local")).total.value, 4)  # two of six are at the top
    0.3333
    """

    bounds = "0 to 1"
    plainly = "the share of cells without a value"

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        counted = "CAST(sum(CASE WHEN {} IS NULL THEN n ELSE 0 END) AS DOUBLE) / " + str(cells.records)
        return Sums(counted.format("label"), counted.format("value"))
