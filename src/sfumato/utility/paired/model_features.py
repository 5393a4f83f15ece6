"""Model features: original and released records as points in one space, for models that are fitted to both."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import MissingExtra
from sfumato.utility.paired.column_codes import ColumnCodes
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.sample import Sample

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


RECORDS = 20_000  # that models are fitted to, in seconds. Chosen, not measured
FEWEST = 20  # records below which no model is fitted: with fewer, five folds have less than four each
FREQUENT = 20  # values of a category with a feature of their own, so that no column outweighs the others. Chosen
FURTHEST = 1e3  # deviations from the mean: a number further out is taken for this far, lest it rule the fit
ROUNDING = 1e-12  # a deviation below, of numbers scaled to 1, is that of equal numbers


@dataclass(frozen=True)
class Encoding:
    """The records of a sample as rows of features, in the same space before and after.

    A number is standardised by the mean and the deviation of the original. A broader label is the middle of the
    numbers that became it; a suppressed value is the mean. A category is a feature for each of its most frequent
    values and one for all others; a broader label is what may be expected of it: the shares of the values that
    became it. A suppressed value is the shares of the whole column. What is missing is a feature of its own.
    Every number that was exchanged for another, and every such value, is the other.
    """

    sample: Sample  # a row per record
    features: tuple[Real, ...]  # of each column, by code

    @classmethod
    def of(cls, compared: Comparison, *, without: str | None = None, records: int = RECORDS) -> Encoding:
        """The encoding of a sample of records, on request without a column."""
        sample = Sample.of(compared, records).without(without).one_by_one()
        return cls(sample, tuple(map(features, sample.columns)))

    @cached_property
    def before(self) -> Real:
        """The original records."""
        return self.rows(self.sample.before)

    @cached_property
    def after(self) -> Real:
        """The released records."""
        return self.rows(self.sample.after)

    def rows(self, codes: Whole) -> Real:
        """Any records, given as codes."""
        return np.hstack([known[codes[:, place]] for place, known in enumerate(self.features)])


def features(column: ColumnCodes) -> Real:
    """The features of each code of a column; the last row is that of a missing value."""
    points = _numbers(column, column.x) if column.numeric else _categories(column)
    missing = np.eye(points.shape[1])[-1:]
    counts = np.append(column.records, column.missing)
    average = counts @ np.vstack([points, missing]) / max(1, counts.sum())
    broader = _numbers(column, column.middles) if column.numeric else _expected(column, points)
    return np.vstack([points, average, broader, missing])


def scores(column: ColumnCodes) -> Real:
    """One number for each point of a column, and 0 for a missing value: the number, or the rank of a category.

    Standardised. The rank is by frequency: it has no meaning, but two columns that go together have ranks that do.
    """
    numbers = column.x if column.numeric else np.argsort(np.argsort(-column.records, kind="stable")).astype(float)
    return np.append(_standardised(column, numbers, numbers), 0.0)


@contextmanager
def learning(what: str) -> Iterator[None]:
    """Where scikit-learn works: on one thread, because several add up in any order, and without a word."""
    try:
        for part in ("cluster", "linear_model"):  # what is not loaded yet would not be kept to one thread
            import_module(f"sklearn.{part}")
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingExtra(what, "stats") from None
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        yield


def _numbers(column: ColumnCodes, numbers: Real) -> Real:
    return np.column_stack([_standardised(column, column.x, numbers), np.isnan(numbers)])


def _standardised(column: ColumnCodes, points: Real, numbers: Real) -> Real:
    """Numbers in deviations from the mean of the points of the original; 0 for one that is not known."""
    known = ~np.isnan(points) & (column.records > 0)
    if not known.any():
        return np.zeros(len(numbers))
    scale = float(np.abs(points[known]).max()) or 1.0
    mean = np.average(points[known] / scale, weights=column.records[known])
    spread = np.average((points[known] / scale - mean) ** 2, weights=column.records[known]) ** 0.5
    deviations = (numbers / scale - mean) / (spread if spread > ROUNDING else 1.0)
    return np.nan_to_num(np.clip(deviations, -FURTHEST, FURTHEST))


def _categories(column: ColumnCodes) -> Real:
    """A feature for each frequent value, one for the others, and one for missing, which no point has."""
    order = np.argsort(-column.records, kind="stable")[:FREQUENT]
    features = np.zeros((len(column.x), len(order) + 2))
    features[order, np.arange(len(order))] = 1.0
    features[:, -2] = 1.0 - features.sum(axis=1)
    return features


def _expected(column: ColumnCodes, points: Real) -> Real:
    """The shares of the values that became each broader label; evenly, where none did."""
    label, value, records = column.members
    became = np.bincount(label, weights=records, minlength=len(column.middles))
    weights = np.where(became[label] > 0, records, 1.0)
    expected: Real = np.zeros((len(column.middles), points.shape[1]))
    np.add.at(expected, label, weights[:, None] * points[value])
    expected /= expected.sum(axis=1, keepdims=True)
    return expected
