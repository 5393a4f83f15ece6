"""Clustering agreement: whether the same groups of records are found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PolicyError
from sfumato.utility.model_interface import Better, Figure, NotApplicable, Outcome, TableModel
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.model_features import FEWEST, RECORDS, Encoding, learning

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Codes, Real

STARTS = 10  # of k-means, the best of which counts: for long the usual number of scikit-learn


@dataclass(frozen=True)
class ClusteringAgreement(TableModel):
    r"""The adjusted Rand index of the clusters of the original records and those of the released ones.

    .. math:: ARI = \frac{\sum_{ij} \binom{n_{ij}}{2} - E}{\tfrac12 \left( \sum_i \binom{a_i}{2} + \sum_j
        \binom{b_j}{2} \right) - E}, \quad E = \sum_i \binom{a_i}{2} \sum_j \binom{b_j}{2} \Big/ \binom{N}{2}

    Both sides are clustered by k-means on the encodings of `sfumato.utility.paired.model_features`, from the same
    random starts; :math:`n_{ij}` records are in cluster i before and j after, of :math:`a_i` and :math:`b_j`. 1: the
    same clusters; 0: no more agreement than by chance, as with everything suppressed, when all records are one
    cluster; below 0: less. Where the original has no clear clusters even small changes lead to others, so a low value
    says that the clusters were not kept, not that little was. With fewer different records than clusters there are
    fewer clusters.

    References
    ----------
    Hubert & Arabie (1985). Comparing partitions. Journal of Classification 2, 193-218.
    Fung, Wang, Wang & Hung (2009). Privacy-preserving data publishing for cluster analysis. Data & Knowledge
    Engineering 68(6), 552-575.

    Examples
    --------
    Twenty people around 30 and twenty around 70, by tens of years:

    >>> import pyarrow as pa
    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.utility.paired.pairing import Pairing
    >>> engine, ages = DuckDB(), [*range(20, 40), *range(60, 80)]
    >>> before = engine.load(pa.table({"age": ages}))
    >>> after = engine.load(pa.table({"age": [f"{age // 10}0s" for age in ages]}))
    >>> ClusteringAgreement(k=2).of(Comparison.of(Pairing.of(before, after, ["age"]))).total.value
    1.0
    """

    better = Better.HIGHER
    bounds = "-0.5 to 1"
    plainly = "whether the same groups of records are found, from 0 (as by chance) to 1 (the same)"
    thorough = True

    k: int = 5
    records: int = RECORDS

    def __post_init__(self) -> None:
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < 2:
            raise PolicyError(f"{self.name()}: k must be a whole number from 2 on.")

    def of_table(self, compared: Comparison) -> Outcome:
        if compared.records < FEWEST:
            return NotApplicable(f"needs at least {FEWEST} records")
        with learning("Clustering"):
            return self._agreement(Encoding.of(compared, records=self.records), compared.seed)

    def _agreement(self, encoding: Encoding, seed: int) -> Outcome:
        from sklearn.metrics import adjusted_rand_score

        k = min(self.k, len(np.unique(encoding.before, axis=0)))
        if k < 2:
            return NotApplicable("all records are alike")
        before, after = (_clusters(rows, k, seed) for rows in (encoding.before, encoding.after))
        return Figure(float(adjusted_rand_score(before, after)), 1.0, 0.0, {"clusters": k})


def _clusters(rows: Real, k: int, seed: int) -> Codes:
    from sklearn.cluster import KMeans

    clusters: Codes = KMeans(k, n_init=STARTS, random_state=seed).fit_predict(rows)
    return clusters
