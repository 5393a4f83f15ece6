"""Distinction and separation of a single column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.combinations import ColumnCombination
from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings


@dataclass(frozen=True)
class Separation(Evidence):
    r"""How many values a column has per record, and which share of pairs of records it tells apart.

    .. math:: \alpha = \frac{d}{n} \qquad \sigma = 1 - \sum_v \binom{n_v}{2} \Big/ \binom{n}{2}

    The numbers that ARX shows for columns and combinations of columns. They rank; there is no threshold from which a
    column would be a quasi-identifier, so there is no verdict.

    References
    ----------
    Motwani and Xu (2007), Efficient algorithms for masking and finding quasi-identifiers.

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> sex = ColumnProfile("sex", Kind.TEXT, records=4, missing=0, distinct=2, once=0, rarity=1, pairs=2)
    >>> round(Separation().of(sex).number, 4)
    0.6667
    """

    method: ClassVar[str] = "separation"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        alone = ColumnCombination((column.name,), column.records, column.distinct, column.once, column.pairs)
        sentence = f"Distinction {alone.distinction:.4f}, separation {alone.separation:.4f}."
        return Finding(self.method, None, alone.separation, sentence)
