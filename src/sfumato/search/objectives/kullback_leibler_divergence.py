"""Divergence: how surprising the original is to somebody who knows the release."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.search.scoring.objective_interface import Objective, Scorer, Task
from sfumato.search.scoring.surprise import SurpriseScorer


@dataclass(frozen=True, kw_only=True)
class Divergence(Objective):
    r"""The Kullback-Leibler divergence of the records from what the release says of them, in bits per record.

    .. math:: D(p \| q) = \sum_t p(t) \log_2 \frac{p(t)}{q(t)}, \quad
        p(t) = \frac{|t|}{N}, \quad q(t) = \frac{|E_t|}{N \prod_j |leaves_j(E_t)|}

    over the combinations of values t that occur, where the records of a class are spread evenly over all it stands
    for; suppressed records are one class over the whole domain. As `compare` reads it.

    References
    ----------
    Kifer & Gehrke (2006). Injecting utility into anonymized datasets. SIGMOD 2006, 217-228 (section 3).

    Examples
    --------
    Four people, whose ages end as two decades and whose towns are left out: p is 1/4 and q is
    2/4 over 2 x 2 for each of them.

    >>> import pyarrow as pa, sfumato as sf
    >>> people = pa.table({"age": [34, 36, 52, 57], "town": ["Lyon", "Lyon", "Lyon", "Nice"]})
    >>> release = sf.anonymise(people, quasi=["age", "town"], k=2, objective="divergence", compare=False)
    >>> round(release.document()["score"]["value"], 4)
    1.0
    """

    plainly = "how surprising the original is to somebody who knows the release, in bits per record"

    def ready(self, task: Task) -> Scorer:
        return SurpriseScorer(task, lambda table: table.weights)
