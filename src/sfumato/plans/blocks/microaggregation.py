"""Microaggregation: groups of at least k records that lie near each other, and what stands for a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


def numpy() -> Any:
    """The package for arrays, imported when it is needed: it is heavy."""
    import numpy

    return numpy


def mdav(points: Real, k: int) -> Whole:
    r"""The group of each point, by maximum distance to the average vector (MDAV).

    While 3k points or more are left: the one farthest from their mean, r, and its k - 1 nearest are a group; then the
    one of the rest that is farthest from r, and its k - 1 nearest. Of 2k to 3k - 1 points, r and its nearest are a
    group and the others are another; fewer stay together. Equal distances: the lower number first.

    Each group holds k to 2k - 1 points. The time grows with the square of the number of points over k.

    References
    ----------
    Domingo-Ferrer, Mateo-Sanz (2002). Practical data-oriented microaggregation for statistical disclosure control.
    IEEE Trans. Knowledge and Data Engineering 14(1), 189-201.
    Domingo-Ferrer, Torra (2005). Ordinal, continuous and heterogeneous k-anonymity through microaggregation.
    Data Mining and Knowledge Discovery 11(2), 195-212, algorithm 5.1.
    """
    np = numpy()
    left, labels, label = np.arange(len(points)), np.zeros(len(points), dtype=np.int64), 0
    while len(left) >= 2 * k:
        far = left[np.argmax(_distances(points[left], points[left].mean(axis=0)))]
        for centre_on_rest in (False, True)[: 1 if len(left) < 3 * k else 2]:
            if centre_on_rest:
                far = left[np.argmax(_distances(points[left], points[far]))]
            near = _nearest(_distances(points[left], points[far]), k)
            labels[left[near]] = label
            left, label = left[~near], label + 1
    labels[left] = label
    return cast("Whole", labels)


def sorted_groups(values: Real, k: int) -> Whole:
    """The group of each value: k at a time from the lowest, the last group with what is left over."""
    np = numpy()
    labels = np.empty(len(values), dtype=np.int64)
    places = np.arange(len(values)) // k
    labels[np.argsort(values, kind="stable")] = np.minimum(places, max(len(values) // k - 1, 0))
    return cast("Whole", labels)


def standardised(points: Real) -> Real:
    """Each column with mean 0 and deviation 1, so that units do not matter; a constant column is 0."""
    np = numpy()
    deviation = points.std(axis=0)
    return cast("Real", (points - points.mean(axis=0)) / np.where(deviation > 0, deviation, 1))


def medians(values: Real, labels: Whole) -> Real:
    """The median of its group, for each value."""
    np = numpy()
    inside = values[np.lexsort((values, labels))]
    sizes = np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    low, high = inside[starts + (sizes - 1) // 2], inside[starts + sizes // 2]
    return cast("Real", (low + (high - low) / 2)[labels])


def means(values: Real, labels: Whole) -> Real:
    """The mean of its group, for each value; as distances from the median, so that equal values stay as they are."""
    np = numpy()
    middle = medians(values, labels)
    return cast("Real", middle + (np.bincount(labels, weights=values - middle) / np.bincount(labels))[labels])


def _distances(points: Real, centre: Real) -> Real:
    np = numpy()
    apart = points - centre
    return cast("Real", np.einsum("ij,ij->i", apart, apart))


def _nearest(distances: Real, k: int) -> Flags:
    """Which k are nearest; of equal ones the first."""
    np: Any = numpy()
    limit = np.partition(distances, k - 1)[k - 1]
    near = distances < limit
    near[np.flatnonzero(distances == limit)[: k - int(near.sum())]] = True
    return cast("Flags", near)
