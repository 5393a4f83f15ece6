"""Agreement: on which columns original and released records agree, counted over all pairs without forming one.

The pairs that agree at least on some columns are those of equal values on them: a sum of products of counts. What
agrees on these columns and no others follows by inclusion and exclusion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.matching.coded_tuples import MatchedColumn, records_by_number
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers, value_numbers

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


# The estimation of m. Where it starts and how far it goes were chosen, not measured; it goes on far below the 2^-16
# bits to which weights are rounded, so that they do not depend on where it ends.
STEPS = 1000  # at most
SETTLED = 1e-10  # change of a probability in a step, below which it has ended
START = 0.9  # m before the first step
SURE = 1e-9  # probabilities are kept this far from 0 and 1, whose logarithms would be infinite


@dataclass(frozen=True)
class AgreementTuples:
    """Tuples of which it matters only where they agree: values that the other side does not have are all the same."""

    columns: tuple[MatchedColumn, ...]
    originals: Whole  # records
    releases: Whole
    original: Whole  # by original tuple as it was, the condensed one

    @classmethod
    def of(cls, columns: Sequence[MatchedColumn], originals: Whole, releases: Whole) -> AgreementTuples:
        """Condense tuples on some columns."""
        sides = [_shared(column) for column in columns]
        original, released = row_numbers([left for left, _, _ in sides]), row_numbers([right for _, right, _ in sides])
        first, last = first_places(original), first_places(released)
        condensed = tuple(replace(column, original=left[first], value=left[first], released=right[last], codes=codes)
                          for column, (left, right, codes) in zip(columns, sides, strict=True))  # fmt: skip
        return cls(
            columns=condensed,
            originals=records_by_number(original, originals),
            releases=records_by_number(released, releases),
            original=original,
        )


def _shared(column: MatchedColumn) -> tuple[Whole, Whole, int]:
    """The codes of both sides; those that one side only has become one code for each side."""
    both = np.intersect1d(column.original, column.released)
    sides = []
    for alone, codes in enumerate((column.original, column.released)):
        place = np.searchsorted(both, codes)
        there = both[np.minimum(place, max(len(both) - 1, 0))] == codes if len(both) else np.zeros(len(codes), np.bool_)
        sides.append(np.where(there, place, len(both) + alone))
    return sides[0], sides[1], len(both) + 2


def pattern_counts(columns: Sequence[MatchedColumn], originals: Whole, releases: Whole) -> Whole:
    """The pairs of records with each pattern; bit k of a pattern says that they agree on column k.

    >>> def column(name: str, original: list[int], released: list[int]) -> MatchedColumn:
    ...     known = np.array(original)
    ...     return MatchedColumn(name=name, original=known, value=known, released=np.array(released), codes=3)
    >>> sex, age = column("sex", [1, 2], [1, 2]), column("age", [1, 2], [1, 1])
    >>> pattern_counts([sex, age], np.array([5, 1]), np.array([2, 3])).tolist()  # neither, sex, age, both
    [2, 3, 15, 10]
    """
    counts: Whole = np.zeros(2 ** len(columns), dtype=np.int64)
    sides = [np.concatenate([column.original, column.released]) for column in columns]
    n = np.concatenate([originals, releases])
    rows = np.arange(len(n))
    counting = _PatternCounting(
        sides=sides, codes=[column.codes for column in columns], n=n, is_original=rows < len(originals), counts=counts
    )
    counting.count(np.zeros_like(n), rows, 0, 0)
    for k in range(len(columns)):  # those that agree on column k as well are no longer among those that do not
        halves = counts.reshape(-1, 2, 2**k)
        halves[:, 0] -= halves[:, 1]
    return counts


@dataclass(frozen=True)
class _PatternCounting:
    """Counts pairs that agree at least on some columns, for all choices of columns, one more column at a time."""

    sides: Sequence[Whole]  # codes of each column: those of the originals, then those of the released tuples
    codes: Sequence[int]
    n: Whole
    is_original: Flags
    counts: Whole  # by pattern, where they are written down

    def count(self, groups: Whole, rows: Whole, chosen: int, start: int) -> None:
        """Count the pairs within groups, then divide the groups by each of the columns from `start` on."""
        n, original = self.n[rows], self.is_original[rows]
        width = int(groups.max(initial=-1)) + 1
        left, right = (np.bincount(groups[side], weights=n[side], minlength=width) for side in (original, ~original))
        self.counts[chosen] = int((left.astype(np.int64) * right.astype(np.int64)).sum())
        both = ((left > 0) & (right > 0))[groups]  # who has nobody on the other side will not agree on more columns
        groups, rows = groups[both], rows[both]
        for k in range(start, len(self.sides)) if len(rows) else ():
            finer = value_numbers(groups * self.codes[k] + self.sides[k][rows])
            self.count(finer, rows, chosen | 1 << k, k + 1)


@dataclass(frozen=True)
class Weights:
    r"""How often columns agree for the same person (m) and for any two people (u), and what that is worth in bits.

    .. math:: w_k^{+} = \log_2 \frac{m_k}{u_k}, \qquad w_k^{-} = \log_2 \frac{1 - m_k}{1 - u_k}
    """

    m: tuple[float, ...]
    u: tuple[float, ...]

    @property
    def agree(self) -> tuple[float, ...]:
        """What it is worth that a column agrees."""
        return tuple(log2(m / u) for m, u in zip(self.m, self.u, strict=True))

    @property
    def differ(self) -> tuple[float, ...]:
        """What it is worth that a column differs: below 0."""
        return tuple(log2((1 - m) / (1 - u)) for m, u in zip(self.m, self.u, strict=True))


def estimated_weights(counts: Whole, columns: int, prior: float) -> Weights:
    r"""Estimate m by expectation and maximisation over the patterns, given the share p of pairs that match.

    .. math::

        g(\gamma) = \frac{p \prod_k m_k^{\gamma_k} (1 - m_k)^{1 - \gamma_k}}
                         {p \prod_k m_k^{\gamma_k} (1 - m_k)^{1 - \gamma_k}
                          + (1 - p) \prod_k u_k^{\gamma_k} (1 - u_k)^{1 - \gamma_k}}, \qquad
        m_k = \frac{\sum_\gamma N(\gamma) g(\gamma) \gamma_k}{\sum_\gamma N(\gamma) g(\gamma)}, \qquad
        u_k = \frac{a_k - p m_k}{1 - p}

    a is how often a column agrees over all pairs, which follows from the frequencies of its values; without those that
    match it is u. They are few, but on a column that is different for everybody they are all that agree. A column that
    agrees for the same person less often than for any two says nothing: m is at least a.

    References
    ----------
    Fellegi, Sunter (1969). A theory for record linkage. JASA 64(328), 1183-1210.
    Winkler (1988). Using the EM algorithm for weight computation in the Fellegi-Sunter model of record linkage.
    """
    agrees = (np.arange(len(counts))[:, None] >> np.arange(columns)) & 1 == 1
    occur = counts > 0
    agrees, n = agrees[occur], counts[occur].astype(np.float64)
    overall: Real = (n[:, None] * agrees).sum(axis=0) / n.sum()
    m = _inside(np.maximum(START, overall))
    for _ in range(STEPS):
        same = prior * _likelihood(agrees, m)
        share = n * same / (same + (1 - prior) * _likelihood(agrees, _others(overall, m, prior)))
        step = _inside(np.maximum((share[:, None] * agrees).sum(axis=0) / share.sum(), overall))
        moved, m = float(np.abs(step - m).max()), step
        if moved < SETTLED:
            break
    return Weights(tuple(map(float, m)), tuple(map(float, _others(overall, m, prior))))


def _others(overall: Real, m: Real, prior: float) -> Real:
    """How often columns agree for two different people; a single person has no other, and is left with all."""
    return _inside((overall - prior * m) / (1 - prior) if prior < 1 else overall)


def _inside(probability: Real) -> Real:
    return np.clip(probability, SURE, 1 - SURE)


def _likelihood(agrees: Flags, probability: Real) -> Real:
    likelihood: Real = np.where(agrees, probability, 1 - probability).prod(axis=1)
    return likelihood
