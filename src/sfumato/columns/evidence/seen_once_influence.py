"""Values seen once and influence: how much a primary quasi-identifier adds to re-identification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.columns.evidence_interface import Evidence, Finding
from sfumato.columns.profile import ColumnProfile
from sfumato.columns.surroundings import ALONE, Surroundings
from sfumato.schema import Role


@dataclass(frozen=True)
class SeenOnceInfluence(Evidence):
    r"""The re-identifiability score of a column (S4).

    .. math:: U(C) = \frac{\#\{v : n_v = 1\}}{n} \qquad I(C) = 1 - \frac{N_E(T - C)}{N_E(T)} \qquad S = U + I

    U, the *values seen once*, is the share of records whose value nobody else has (the paper says uniqueness, a word
    that others use for the records alone on several columns); I the share of the classes of the table's
    quasi-identifiers T that only this column tells apart. A primary quasi-identifier with S > 0 is a secondary one; a
    recipient's threshold (0.25, 0.5 or 0.75) selects the final ones.

    References
    ----------
    Jung et al., A determination scheme for quasi-identifiers using uniqueness and influence (S4).

    Examples
    --------
    >>> from sfumato.tables.engine import Kind
    >>> age = ColumnProfile("age", Kind.INTEGER, 5, missing=0, distinct=3, once=1, rarity=2, pairs=2, influence=0.25)
    >>> SeenOnceInfluence().of(age).number
    0.45
    """

    method: ClassVar[str] = "seen-once-influence"

    def of(self, column: ColumnProfile, beside: Surroundings = ALONE) -> Finding | None:
        if column.score is None:
            return None
        sentence = (
            f"Values seen once per record {column.values_seen_once:.4f} and influence {column.influence:.4f} "
            f"make {column.score:.4f}."
        )
        return Finding(self.method, Role.QUASI if column.score > 0 else None, column.score, sentence)
