"""Non-uniform entropy: how much less labels say than values did."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

from sfumato.search.scoring.by_column import ColumnObjective
from sfumato.search.scoring.leaf_entropy import EntropyScorer
from sfumato.search.scoring.objective_interface import Scorer, Task


@dataclass(frozen=True, kw_only=True)
class Nue(ColumnObjective):
    r"""Bits that are lost when values become labels, and again when records with such labels are suppressed.

    .. math:: x_j = -g \sum_v n_v \log_2 \frac{n_v}{n_{label(v)}} - f \sum_w s_w \log_2 \frac{s_w}{S}

    over the values v, of which n_v records of the whole table have one, and the labels w, which s_w of the S suppressed
    records have; g and f are the factors of generalisation and suppression. With `ignore_suppression` the second sum
    is left out, and with `normalised` each column is divided by all its bits.

    References
    ----------
    De Waal & Willenborg (1999). Information loss through global recoding and local suppression.
    Netherlands Official Statistics 14, 17-20. The second sum is that of ARX 3.9.2, `createEntropyMetric`.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out: 4 bits of the ages, and 3.25 of the towns.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="nue", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    7.2451
    """

    aggregate: str = "sum"
    plainly = "the bits of information that labels say less than values, added up over records"
    ignore_suppression: bool = False
    normalised: bool = False

    def ready(self, task: Task) -> Scorer:
        f = 0.0 if self.ignore_suppression else self.suppression_factor
        scorer = EntropyScorer(self, task, self.generalisation_factor, f, normalised=self.normalised)
        n = task.table.total
        most = n * log2(n) * max(self.generalisation_factor, self.suppression_factor) * (1 + (f > 0))
        scorer.lose_at_most([1.0 if self.normalised else most] * len(task.table.columns))
        return scorer
