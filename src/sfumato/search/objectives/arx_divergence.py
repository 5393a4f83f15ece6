"""ARX's divergence, in which a combination of values counts once for every record that has it."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.search.scoring.objective_interface import Objective, Scorer, Task
from sfumato.search.scoring.surprise import SurpriseScorer


@dataclass(frozen=True, kw_only=True)
class ArxDivergence(Objective):
    r"""The sum that ARX calls Kullback-Leibler divergence: over records, and not over different ones.

    .. math:: \sum_r p_r \log_2 \frac{p_r}{q_r}

    A combination that n records share is weighed by n squared, so this is no divergence: frequent ones count for too
    much. It is here for comparison with ARX; `divergence` is the proper one.

    References
    ----------
    ARX 3.9.2, `createKLDivergenceMetric`.

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out. No two are alike: this is the divergence.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="arx-divergence", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    1.0
    """

    plainly = "ARX's divergence, in which frequent combinations of values count for too much"

    def ready(self, task: Task) -> Scorer:
        return SurpriseScorer(task, lambda table: table.squares)
