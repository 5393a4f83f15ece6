"""Distance-based linkage: the nearest released record."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from sfumato.attackers.attack_interface import Linkage, LinkageResult
from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.linkage_count import linkage_count
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.nearest_tuples import nearest
from sfumato.attackers.matching.tuple_distance import mixed_distance


@dataclass(frozen=True)
class DistanceLinkage(Linkage):
    r"""Names the released records that lie nearest to the original one.

    .. math::

        C(x) = \arg\min_{y \in Y} d(x, y), \qquad
        d(x, y) = \sum_{k \text{ numeric}} \frac{|x_k - y_k|}{\sigma_k} + \sum_{k \text{ other}} [x_k \ne y_k]

    Numbers and dates count in standard deviations of the original records, categories 0 or 1; a value that lacks on
    one side costs 1. It finds people in spite of noise and rounding. With `farthest`, nobody is named who lies farther.

    The search is exact: all records that lie equally near are counted (up to 2^-32 of a standard deviation). It
    compares different tuples, not records, and in blocks (`sfumato.attackers.matching.nearest_tuples`).

    References
    ----------
    Pagliuca, Seri (1999). Some results of individual ranking method on the system of enterprise accounts annual survey.
    Domingo-Ferrer, Torra (2001). A quantitative comparison of disclosure control methods for microdata.

    Examples
    --------
    Ages moved by at most three years, and far from each other: everybody is found.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> pairs = DuckDB().query('''
    ...     SELECT * FROM (VALUES (20, 'f', 23, 'f', TRUE), (40, 'm', 38, 'm', TRUE), (60, 'f', 61, 'f', TRUE))
    ...     AS pair(o1, o2, r1, r2, kept)''')
    >>> result = DistanceLinkage().of(LinkedRecords.of(pairs, ["age", "sex"]))
    >>> result.true_match_rate, result.false_match_rate, result.linkable
    (1.0, 0.0, 3)
    """

    farthest: float = inf

    plainly = "looks for the released records that lie nearest on the quasi-identifiers"
    place = 2

    def of(self, linked: LinkedRecords) -> LinkageResult:
        tuples = Tuples.of(linked)
        distance = mixed_distance(tuples.columns, tuples.originals)
        near = nearest(distance, len(tuples.originals), tuples.releases, farthest=self.farthest * distance.unit)
        return linkage_count(self.name(), tuples, distance, near)
