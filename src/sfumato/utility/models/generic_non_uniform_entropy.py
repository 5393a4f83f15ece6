"""Generic non-uniform entropy: right for any mixture of generalisation, local recoding and suppression."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import total
from sfumato.utility.model_interface import EntropyModel, Needs, NotApplicable, Sums
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.label_levels import ValueChange


@dataclass(frozen=True)
class GenericNonUniformEntropy(EntropyModel):
    r"""Bits of information lost, counted level by level among the records that were generalised that far.

    .. math:: \Delta(D, D') = \sum_{n > 0} \sum_{x \in A_n} -\log_2 \frac{f(A_n, x, n - 1)}{f(A_n, x, n)}

    :math:`A_n` are the records whose label is at level n of the hierarchy or above, and f counts how many of them share
    the ancestor of x at a level. The level of a record is the lowest at which its value has the label that was
    released; a suppressed value is at the top. Without a hierarchy, a column in which every value has one label at most
    is its own: the value, its label, everything. The sum is never negative, equals the conventional one for
    full-domain generalisation and for total removal, and grows when more records are suppressed.

    References
    ----------
    Prasser, Bild & Kuhn (2016). A generic method for assessing the quality of de-identified health data.
    Studies in Health Technology and Informatics 228, 312-316.

    Examples
    --------
    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> GenericNonUniformEntropy().of(recoded_ages("local")).total.value
    4.0
    >>> GenericNonUniformEntropy().of(recoded_ages("full-domain")).total.value
    2.0
    """

    bounds = "0 to the entropy of the original, in bits"
    plainly = "the bits of information that the labels say less than the values"
    applies_to = "any mixture of generalisation, local recoding and suppression; local recoding needs hierarchies"
    needs = Needs.GENERALISED

    def of_cells(self, cells: ColumnCells) -> Sums | NotApplicable:
        if not cells.levelled and cells.changes[ValueChange.BROADER]:
            return NotApplicable("values have several labels: needs the hierarchy of the column, to know their levels")
        return Sums(total("n * lost"), removed=total(f"n * log2(CAST({cells.records} AS DOUBLE) / f)"))
