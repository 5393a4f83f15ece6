"""Query error: how wrong the counts are that are asked of the release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PolicyError
from sfumato.utility.model_interface import Figure, NotApplicable, Outcome, TableModel
from sfumato.utility.paired.column_codes import ColumnCodes
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.model_features import FEWEST
from sfumato.utility.paired.sample import Sample

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole

    Query = Mapping[int, Flags]  # by the place of the column: which of its points are asked for

WIDEST = 3  # columns in a query: with six, each range would hold more than half of the records. Chosen, not measured
# Of the records, if the columns had nothing to do with each other. Chosen, not measured: rarer combinations would
# mostly measure the sanity bound.
SELECTIVITY = (0.05, 0.10)


@dataclass(frozen=True)
class QueryError(TableModel):
    r"""The median relative error of counting queries at random, answered by the release.

    .. math:: error = \frac{|\hat n_q - n_q|}{\max(n_q, s N, 1)}, \quad
        \hat n_q = \sum_x \prod_{j \in q} \frac{|leaves_j(x) \cap q_j|}{|leaves_j(x)|}

    A query counts the records with a value in a range (numbers and dates) or among some values (categories), on two or
    three columns at once; were the columns independent, 5 to 10 % of the records would match. :math:`n_q` is the true
    answer. In the release a label counts for the share of the values that it stands for which are asked for, all
    being as likely; a suppressed value may be any of the domain. A missing value never matches. Errors on rare
    combinations are taken relative to s = 0.1 % of the records (the sanity bound). Untouched reads 0; all information
    removed is what the same queries read when everything is suppressed. Of larger tables, a sample is taken.

    References
    ----------
    LeFevre, DeWitt & Ramakrishnan (2006). Workload-aware anonymization. KDD 2006, 277-286. Xiao & Tao
    (2006). Anatomy: simple and effective privacy preservation. VLDB 2006, 139-150. Xiao, Wang & Gehrke
    (2011). Differential privacy via wavelet transforms. IEEE TKDE 23(8), 1200-1214 (the sanity bound).

    Examples
    --------
    Sixty people, one of each age, so that an even spread over tens of years is right about all that is asked:

    >>> import pyarrow as pa
    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.utility.paired.pairing import Pairing
    >>> engine, ages = DuckDB(), list(range(20, 80))
    >>> before = engine.load(pa.table({"age": ages, "ill": [age >= 50 for age in ages]}))
    >>> after = engine.load(pa.table({"age": [f"{age // 10}0s" for age in ages], "ill": [age >= 50 for age in ages]}))
    >>> figure = QueryError().of(Comparison.of(Pairing.of(before, after, ["age", "ill"]))).total
    >>> round(figure.value, 9), figure.removed > 0.4
    (0.0, True)
    """

    bounds = "0 upwards"
    plainly = "how wrong a count is that is asked of the release, in half of the cases at most"
    thorough = True

    queries: int = 200
    sanity: float = 0.001
    records: int = 100_000

    def __post_init__(self) -> None:
        if self.queries < 1 or not 0 < self.sanity <= 1:
            raise PolicyError(f"{self.name()}: queries must be 1 or more, and sanity above 0 and at most 1.")

    def of_table(self, compared: Comparison) -> Outcome:
        if compared.records < FEWEST:
            return NotApplicable(f"needs at least {FEWEST} records")
        return self._error(Sample.of(compared, self.records), compared.seed)

    def _error(self, sample: Sample, seed: int) -> Outcome:
        varying = [place for place, column in enumerate(sample.columns) if column.varies]
        if not varying:
            return NotApplicable("no column varies")
        generator = np.random.default_rng(seed)
        asked = [drawn_query(sample, varying, generator) for _ in range(self.queries)]
        truth, answers, guesses = (
            np.array([counted(sample, codes, query) for query in asked])
            for codes in (sample.before, sample.after, sample.removed)
        )
        errors, worst = (
            np.abs(counts - truth) / np.maximum(truth, max(1.0, self.sanity * sample.records))
            for counts in (answers, guesses)
        )
        more = {"mean": float(errors.mean()), "ninth_decile": float(np.quantile(errors, 0.9)), "queries": self.queries}
        return Figure(float(np.median(errors)), 0.0, float(np.median(worst)), more)


def counted(sample: Sample, codes: Whole, query: Query) -> float:
    """The records that a query counts, or for labels may expect to count."""
    expected = sample.n.astype(float)
    for place, chosen in query.items():
        expected *= sample.columns[place].shares(chosen)[codes[:, place]]
    return float(expected.sum())


def drawn_query(sample: Sample, places: list[int], generator: np.random.Generator) -> Query:
    """A query on two or three of the columns (or one, if there is no other)."""
    width = min(int(generator.integers(2, WIDEST + 1)), len(places))
    share = float(generator.uniform(*SELECTIVITY)) ** (1 / width)
    columns = sorted(int(place) for place in generator.choice(places, width, replace=False))
    return {place: _chosen(sample.columns[place], share, generator) for place in columns}


def _chosen(column: ColumnCodes, share: float, generator: np.random.Generator) -> Flags:
    """A range of numbers, or some categories, that about such a share of the records have."""
    known = np.flatnonzero((column.records > 0) & ~(np.isnan(column.x) & column.numeric))
    order = known if column.numeric else generator.permutation(known)
    upto = np.cumsum(column.records[order]) / column.records[order].sum()
    start = float(generator.uniform(0, 1 - share)) if column.numeric else 0.0
    first, last = np.searchsorted(upto, [start, start + share * (1 - 1e-9)])
    if column.numeric:
        within: Flags = (column.x >= column.x[order[first]]) & (column.x <= column.x[order[last]])
        return within
    return np.isin(np.arange(len(column.x)), order[: last + 1])
