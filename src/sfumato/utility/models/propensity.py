"""Propensity: how well a model tells released records from original ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.utility.model_interface import Figure, NotApplicable, Outcome, TableModel
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.model_features import FEWEST, RECORDS, Encoding, learning, scores

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


@dataclass(frozen=True)
class Propensity(TableModel):
    r"""The mean squared difference of propensity scores from the share of released records (pMSE).

    .. math:: pMSE = \frac{1}{N} \sum_{i=1}^{N} (\hat p_i - c)^2, \quad c = \tfrac12

    Original and released records are put together, and a logistic regression (with a slight ridge penalty, C = 1) says
    with which probability :math:`\hat p_i` a record is a released one. If it cannot tell, all probabilities are c.
    Its features are the columns, squares of numbers, and products of every two columns (of a category, of its rank by
    frequency). Released records have to be of the same kind as the original ones, so each label is replaced by one of
    the values that it stands for, drawn evenly, and a suppressed value by one of the domain, as a reader of the release
    would have to guess. The expectations that `sfumato.utility.paired.model_features` has for labels would hide them:
    on average they are what the original is.

    An untouched release is a copy, which reads 0 (to within 1e-9). All information removed is what the same model
    reads when everything is suppressed. `null_expectation` is what a release reads that was drawn anew from the same
    population, :math:`(k - 1)(1 - c)^2 c / N` with k parameters, and `ratio` the value divided by it; the penalty
    makes both a little too small. Where not even an all-suppressed release is told from the original beyond chance (the
    expectation and two deviations), nothing can be said. Of larger tables, a sample is taken.

    References
    ----------
    Woo, Reiter, Oganian & Karr (2009). Global measures of data utility for microdata masked for disclosure limitation.
    Journal of Privacy and Confidentiality 1(1), 111-124. Snoke, Raab, Nowok, Dibben & Slavkovic (2018).
    General and specific utility measures for synthetic data. JRSS A 181(3), 663-688.

    Examples
    --------
    Forty people, more young than old, and the older are ill. An even spread over twenty years makes them older:

    >>> import pyarrow as pa
    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.utility.paired.pairing import Pairing
    >>> engine, ages = DuckDB(), [20 + place**2 // 40 for place in range(40)]
    >>> ill, decades = [age > 35 for age in ages], [f"{age // 20 * 20}+" for age in ages]
    >>> before, after = (engine.load(pa.table({"age": a, "ill": ill})) for a in (ages, decades))
    >>> figure = Propensity().of(Comparison.of(Pairing.of(before, after, ["age", "ill"]))).total
    >>> 0 < figure.normalised < 1
    True
    """

    bounds = "0 to 0.25"
    plainly = "how well a model tells released records from original ones"
    thorough = True

    records: int = RECORDS

    def of_table(self, compared: Comparison) -> Outcome:
        if compared.records < FEWEST:
            return NotApplicable(f"needs at least {FEWEST} records")
        with learning("Telling released records from original ones"):
            return self._told(Encoding.of(compared, records=self.records), compared.seed)

    def _told(self, encoding: Encoding, seed: int) -> Outcome:
        value, _ = _pmse(encoding, encoding.sample.after, seed)
        removed, parameters = _pmse(encoding, encoding.sample.removed, seed)
        # Of each parameter but the intercept: (1 - c)**2 * c / N with c = 1/2, and N the records of both sides.
        chance = 1 / 8 / (2 * encoding.sample.records)
        if removed <= chance * (parameters + 2 * (2 * parameters) ** 0.5):
            return NotApplicable("not even an all-suppressed release could be told from the original")
        more = {"null_expectation": chance * parameters, "ratio": value / (chance * parameters)}
        return Figure(value, 0.0, removed, more)


def _pmse(encoding: Encoding, codes: Whole, seed: int) -> tuple[float, int]:
    """How well records are told from the original ones, and by how many parameters."""
    from sklearn.linear_model import LogisticRegression

    generator = np.random.default_rng(seed)
    columns = encoding.sample.columns
    drawn = np.column_stack([column.drawn(codes[:, i], generator) for i, column in enumerate(columns)])
    stacked = np.vstack([_described(encoding, encoding.sample.before), _described(encoding, drawn)])
    deviation = stacked.std(axis=0)
    varying = deviation > 1e-9  # of features that are about 1 wide: below it is rounding
    if not varying.any():
        return 0.0, 0
    points = (stacked[:, varying] - stacked[:, varying].mean(axis=0)) / deviation[varying]
    released = np.repeat([0, 1], len(drawn))
    chances = LogisticRegression(max_iter=1000).fit(points, released).predict_proba(points)[:, 1]
    return float(((chances - 0.5) ** 2).mean()), int(np.linalg.matrix_rank(points.T @ points, hermitian=True))


def _described(encoding: Encoding, points: Whole) -> Real:
    """The features of records, the squares of their numbers, and the products of their columns."""
    columns = encoding.sample.columns
    scored = [scores(column)[points[:, i]] for i, column in enumerate(columns)]
    squares = [score**2 for score, column in zip(scored, columns, strict=True) if column.numeric]
    products = [first * second for first, second in combinations(scored, 2)]
    return np.column_stack([encoding.rows(points), *squares, *products])
