"""Precision: how far up their hierarchies the values were taken."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import Better, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.label_levels import ValueChange


@dataclass(frozen=True)
class Precision(CellModel):
    r"""One minus the average height of the labels in their hierarchy.

    .. math:: Prec = 1 - \frac1N \sum_x \frac{level(x)}{height}

    It counts steps, whatever they cost: a level that merges two values weighs as much as one that merges a thousand.

    References
    ----------
    Sweeney (2002). Achieving k-anonymity privacy protection using generalization and suppression.
    Int. J. Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 571-588 (section 4).

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> Precision().of(recoded_ages("full-domain")).total.value
    0.5
    """

    better = Better.HIGHER
    bounds = "0 (everything at the top) to 1 (nothing generalised)"
    plainly = "how low in their hierarchies the values stayed, on average"
    applies_to = "generalisation, local recoding and suppression; needs hierarchies"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if cells.hierarchy is None and cells.changes[ValueChange.BROADER]:
            return NotApplicable("needs the hierarchy of the column, to know the levels of its labels")
        height = cells.hierarchy.height if cells.hierarchy else 2
        return Sums(f"1 - {total('n * CAST(depth AS DOUBLE)')} / {cells.records * height}", "1", "0")
