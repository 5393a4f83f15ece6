"""Normalised certainty penalty: how wide the labels are."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import NOTHING_TO_LOSE, CellModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class NormalisedCertaintyPenalty(CellModel):
    r"""The average width of the labels, as a share of the width of the column.

    .. math:: NCP = \frac1N \sum_x \begin{cases} (hi - lo) / (max - min) & \text{for numbers and dates} \\\\
        |leaves| / |domain| \text{ or } 0 \text{ for one leaf} & \text{for categories} \end{cases}

    The ends of a label of numbers are the smallest and the largest number of the original that it was given to.

    References
    ----------
    Xu, Wang, Pei, Wang, Shi & Fu (2006). Utility-based anonymization using local recoding. KDD 2006, 785-790.

    Examples
    --------
    Of ages from 20 to 65, two stand as 40 to 55, and the rest alone:

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(NormalisedCertaintyPenalty().of(recoded_ages("full-domain")).total.value, 4)
    0.1111
    """

    bounds = "0 to 1"
    plainly = "how wide the labels are compared with the whole column, on average"
    applies_to = "generalisation, local recoding and suppression"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if cells.domain < 2 or (cells.numeric and not cells.span):
            return NOTHING_TO_LOSE
        if cells.numeric:
            return Sums(f"{total(f'n * coalesce((hi - lo) / {cells.span!r}, 0)')} / {cells.records}")
        width = f"CASE WHEN leaves > 1 THEN CAST(leaves AS DOUBLE) / {cells.domain} ELSE 0 END"
        return Sums(f"{total(f'n * {width}')} / {cells.records}")
