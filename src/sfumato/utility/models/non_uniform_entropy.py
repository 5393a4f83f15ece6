"""Non-uniform entropy: how much less a label says than the value did."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import EntropyModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells


@dataclass(frozen=True)
class NonUniformEntropy(EntropyModel):
    r"""Bits of information lost when each value is replaced by its label, weighted by how rare the value was.

    .. math:: \Delta(D, D') = \sum_x -\log_2 \frac{f(D, x)}{f(D', x)}

    over all cells x, where f is how many records share the value of the cell in its column: in the original (D) and
    in the release (D'). Nothing is lost where a column is unchanged, and most where everybody gets one label.

    This is the conventional form. It is right when every record of a column is generalised to the same level. After
    local recoding or partial suppression the labels of different levels compete for the same records: the sum becomes
    too small, even negative, a gain of information out of nothing (`GenericNonUniformEntropy` is right there).

    References
    ----------
    De Waal & Willenborg (1999). Information loss through global recoding and local suppression.
    Netherlands Official Statistics 14, 17-20.
    Gionis & Tassa (2009). k-Anonymization with minimal loss of information. IEEE TKDE 21(2), 206-219.

    Examples
    --------
    Ages 20, 65, 55, 40, 65, 65, all in steps of twenty years, and some of them in coarser ones:

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> NonUniformEntropy().of(recoded_ages("full-domain")).total.value
    2.0
    >>> round(NonUniformEntropy().of(recoded_ages("local")).total.value, 6)
    1.245112
    """

    bounds = "0 to the entropy of the original, in bits; below 0 after local recoding"
    plainly = "the bits of information that the labels say less than the values (one level per column)"
    applies_to = "generalisation of whole columns; misleading after local recoding or partial suppression"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        return Sums(
            total("n * log2(CAST(g AS DOUBLE) / f)"), removed=total(f"n * log2(CAST({cells.records} AS DOUBLE) / f)")
        )
