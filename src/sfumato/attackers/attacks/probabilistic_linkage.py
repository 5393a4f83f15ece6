"""Probabilistic linkage: the released record that most likely is the same person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.attackers.attack_interface import Linkage, LinkageResult
from sfumato.attackers.matching.agreement_patterns import AgreementTuples, Weights, estimated_weights, pattern_counts
from sfumato.attackers.matching.coded_tuples import MatchedColumn, Tuples, records_by_number
from sfumato.attackers.matching.linkage_count import linkage_count
from sfumato.attackers.matching.linked_records import LinkedRecords
from sfumato.attackers.matching.nearest_tuples import Nearest, nearest
from sfumato.attackers.matching.tuple_distance import TupleDistance, weighted_distance

# Columns: the patterns of agreement double with each, and ten have 1,024. Chosen, not measured; beyond it the result
# says which columns were left out.
MOST = 10
# Weights are whole numbers of 1/65,536 of a bit, so that they add exactly and ties are ties: what the estimates of
# columns that are alike differ in by rounding is far less than a unit.
UNITS = 2**16


@dataclass(frozen=True)
class ProbabilisticLinkage(Linkage):
    r"""Names the released records whose agreement with the original one weighs most, if it speaks for the same person.

    .. math::

        W(x, y) = \sum_{k: x_k = y_k} \log_2 \frac{m_k}{u_k} + \sum_{k: x_k \ne y_k} \log_2 \frac{1 - m_k}{1 - u_k},
        \qquad C(x) = \arg\max_{y \in Y} W(x, y) \quad \text{if } \max_y W(x, y) > \text{threshold}

    m is how often a column agrees for the same person, u for any two people. u follows from the frequencies of the
    values, m is estimated without knowing who is who, given that each released record has one original: of all pairs,
    `1 / |X|` match; where persons have several records, as many as are of the same person. A value that lacks equals
    one that lacks. Weights are rounded to 2^-16 bits.

    It suits a release in which some columns were changed for some people (swapped, suppressed), and finds out itself
    which columns can be trusted. Near values count as different. The patterns of agreement double with every column:
    of more than ten columns the ten that tell most people apart are used, and the result says so.

    References
    ----------
    Fellegi, Sunter (1969). A theory for record linkage. JASA 64(328), 1183-1210.

    Examples
    --------
    The sex of one of four people was changed. She is found all the same.

    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> pairs = DuckDB().query('''
    ...     SELECT * FROM (VALUES (20, 'f', 'N', 20, 'm', 'N', TRUE), (40, 'm', 'N', 40, 'm', 'N', TRUE),
    ...                           (60, 'f', 'S', 60, 'f', 'S', TRUE), (70, 'm', 'S', 70, 'm', 'S', TRUE))
    ...     AS pair(o1, o2, o3, r1, r2, r3, kept)''')
    >>> result = ProbabilisticLinkage().of(LinkedRecords.of(pairs, ["age", "sex", "region"]))
    >>> result.true_match_rate, result.linkable
    (1.0, 4)
    """

    threshold: float = 0.0  # bits

    plainly = "weighs on which quasi-identifiers released records agree, and takes the most likely one"
    place = 3

    def of(self, linked: LinkedRecords) -> LinkageResult:
        tuples = Tuples.of(linked)
        chosen = _most_telling(tuples)
        if not len(tuples.releases):
            nobody = Nearest(np.full(len(tuples.originals), np.inf), np.zeros_like(tuples.originals))
            return linkage_count(self.name(), tuples, weighted_distance([], []), nobody)
        alike = AgreementTuples.of(chosen, tuples.originals, tuples.releases)
        counts = pattern_counts(alike.columns, alike.originals, alike.releases)
        weights = estimated_weights(counts, len(chosen), _same_person(tuples))
        worth = [round(agree * UNITS) - round(differ * UNITS)
                 for agree, differ in zip(weights.agree, weights.differ, strict=True)]  # fmt: skip
        heavy = [k for k, weight in enumerate(worth) if weight]
        near, distance = _heaviest(tuples, [chosen[k] for k in heavy], [worth[k] for k in heavy])
        likely = sum(round(agree * UNITS) for agree in weights.agree) - near.cost > self.threshold * UNITS
        return linkage_count(
            self.name(), tuples, distance, replace(near, records=np.where(likely, near.records, 0)),
            notes=_limits(linked, chosen), details={"weights": _described(chosen, weights)},
        )  # fmt: skip


def _same_person(tuples: Tuples) -> float:
    """The share of pairs of an original and a released record that are of the same person."""
    if tuples.held is None:
        return 1 / tuples.linked.records
    person, n, kept = tuples.held.person, tuples.held.n, tuples.released[tuples.held.pair] >= 0
    records, released = np.bincount(person, weights=n), np.bincount(person, weights=n * kept)
    return float(np.dot(records, released) / (records.sum() * released.sum()))


def _heaviest(tuples: Tuples, columns: Sequence[MatchedColumn], worth: Sequence[int]) -> tuple[Nearest, TupleDistance]:
    """What is lost in weight against agreement on all columns, at the least, and the records that lose no more."""
    distance = weighted_distance(columns, worth)
    if not columns:  # none says anything: all are equally likely
        everybody = np.full(len(tuples.originals), tuples.linked.released, dtype=np.int64)
        return Nearest(np.zeros(len(tuples.originals)), everybody), distance
    alike = AgreementTuples.of(columns, tuples.originals, tuples.releases)
    near = nearest(weighted_distance(alike.columns, worth), len(alike.originals), alike.releases)
    return Nearest(near.cost[alike.original], near.records[alike.original]), distance


def _most_telling(tuples: Tuples) -> list[MatchedColumn]:
    """The columns, or of too many those on which two people agree least often, in their order."""
    agreeing = [_agreeing_pairs(column, tuples) for column in tuples.columns]
    best = sorted(range(len(agreeing)), key=lambda k: (agreeing[k], k))[:MOST]
    return [tuples.columns[k] for k in sorted(best)]


def _agreeing_pairs(column: MatchedColumn, tuples: Tuples) -> int:
    left = records_by_number(column.original, tuples.originals)
    right = records_by_number(column.released, tuples.releases)
    width = min(len(left), len(right))
    return int(np.dot(left[:width], right[:width]))


def _limits(linked: LinkedRecords, chosen: Sequence[MatchedColumn]) -> tuple[str, ...]:
    left_out = [name for name in linked.names if name not in {column.name for column in chosen}]
    if not left_out:
        return ()
    return (f"Limited to the {MOST} columns that tell most people apart; left out: {', '.join(left_out)}.",)


def _described(columns: Sequence[MatchedColumn], weights: Weights) -> list[dict[str, float | str]]:
    return [
        {"column": column.name, "m": m, "u": u, "agree": agree, "differ": differ}
        for column, m, u, agree, differ in zip(
            columns, weights.m, weights.u, weights.agree, weights.differ, strict=True
        )
    ]
