"""Utility loss: in how many ways the labels could be read."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells

# The lowest power of two that is raised: below it is nothing beside the 1 of a suppressed value, and some engines
# refuse a result that a real number cannot hold (2^-1074 is the last).
LOWEST = -1000


@dataclass(frozen=True)
class UtilityLoss(CellModel):
    r"""The average share of all readings of a column that the labels leave open (UL, the utility criterion).

    .. math:: UL = \frac1N \sum_x w \, \frac{2^{|leaves(x)|} - 1}{2^{|domain|} - 1}, \qquad w = 1

    It was made for sets of items (diagnoses of a patient): an item that stands for m items may stand for any of their
    :math:`2^m - 1` subsets that are not empty, and so each further value doubles what a label leaves open. A value by
    itself leaves 1 reading, a suppressed one all of them. Wide labels cost far more than with `loss`: of ten values,
    half of them cost 3 % and nine 50 %. Over twenty values or so, it shows little but the share that is suppressed.

    The thesis that asks for it (S0, appendix 6) names the *utility criterion* (UC) of Loukides and Gkoulalas-Divanis
    (2012) without its formula. What is computed is the utility loss (UL) by which the same authors judge their
    algorithms COAT and PCTA: generalised items count by their size as above, by their weight w and by the share of
    records that have them. No text of these papers beyond their abstracts was at hand when this was written: the
    formula is given from memory, and whether UC differs from it is not known (decision 0059). A cell of a table is a
    set of one item; columns are averaged, and nobody gives weights.

    References
    ----------
    Loukides, Gkoulalas-Divanis (2012). Utility-preserving transaction data anonymization with low information loss.
    Expert Systems with Applications 39(10), 9764-9777 (the utility criterion).
    Loukides, Gkoulalas-Divanis, Malin (2011). COAT: constraint-based anonymization of transactions. Knowledge and
    Information Systems 28(2), 251-282 (the utility loss).

    Examples
    --------
    Six ages, four different ones, in steps of twenty years. The labels of four people stand for one age, those of the
    two others for two: (4 * 1 + 2 * 3) / (6 * 15).

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> UtilityLoss().of(recoded_ages("full-domain")).total.value
    0.11111111111111112
    """

    bounds = "1 / (2^domain - 1) to 1"
    plainly = "how many of all the ways in which a column could be read its labels leave open, on average"
    applies_to = "generalisation, local recoding and suppression"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if cells.domain < 2:
            return NOTHING_TO_LOSE
        # Divided by 2^domain above and below, so that nothing grows beyond what a real number holds.
        one = 2.0**-cells.domain
        power = f"power(CAST(2 AS DOUBLE), CAST(leaves - {cells.domain} AS DOUBLE))"
        readings = f"CASE WHEN leaves - {cells.domain} < {LOWEST} THEN 0 ELSE {power} - {one!r} END"
        value = f"{total(f'n * CAST({readings} AS DOUBLE)')} / {cells.records} / {1 - one!r}"
        return Sums(value, untouched=f"{one / (1 - one)!r}")
