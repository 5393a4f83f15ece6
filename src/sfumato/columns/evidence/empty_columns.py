"""Columns that had better be left out: constant ones, and those that are nearly empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings


@dataclass(frozen=True)
class EmptyColumns(Evidence):
    """A column with one value tells nothing, and one that is mostly missing tells much about the few who have a value.

    `mostly` is the share of missing values above which a column is called nearly empty.

    References
    ----------
    Menten, thesis (S0), where the bound of 85 % is from; the registry study of S3, which drops such columns first.

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> country = ColumnProfile("country", Kind.TEXT, records=4, missing=0, distinct=1, once=0, rarity=0.25, pairs=6)
    >>> EmptyColumns().of(country).sentence
    'Every record has the same value.'
    """

    method: ClassVar[str] = "dropping"
    mostly: float = 0.85

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if not column.records:
            return None
        share = column.missing_share
        if share == 1:
            return self._drop(1.0, "No record has a value.")
        if share > self.mostly:
            return self._drop(share, f"{share:.1%} of the records have no value.")
        if column.distinct == 1 and column.records > 1:
            return self._drop(0.0, "Every record has the same value.")
        return None

    def _drop(self, share: float, sentence: str) -> Finding:
        return Finding(self.method, None, share, sentence, drop=True)
