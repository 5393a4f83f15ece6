"""Probabilistic linkage: the released record that most likely is the same person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.attackers.matching.agreement_patterns import Condensed, Weights, estimated, patterns
from sfumato.attackers.matching.coded_tuples import Coded, Tuples, added
from sfumato.attackers.matching.linkage_interface import Linkage, LinkageResult
from sfumato.attackers.matching.linked_records import Linked
from sfumato.attackers.matching.nearest_tuples import Nearest, nearest
from sfumato.attackers.matching.tuple_distance import Space, weighted

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

MOST = 10  # columns; the patterns of agreement double with each
UNITS = 2**16  # of a bit; what columns that are alike differ in by rounding is much less


@dataclass(frozen=True)
class ProbabilisticLinkage(Linkage):
    r"""Names the released records whose agreement with the original one weighs most, if it speaks for the same person.

    .. math::

        W(x, y) = \sum_{k: x_k = y_k} \log_2 \frac{m_k}{u_k} + \sum_{k: x_k \ne y_k} \log_2 \frac{1 - m_k}{1 - u_k},
        \qquad C(x) = \arg\max_{y \in Y} W(x, y) \quad \text{if } \max_y W(x, y) > \text{threshold}

    m is how often a column agrees for the same person, u for any two people. u follows from the frequencies of the
    values, m is estimated without knowing who is who, given that each released record has one original: of all pairs,
    1 / |X| match. A value that lacks equals one that lacks. Weights are rounded to 2^-16 bits.

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
    >>> found = ProbabilisticLinkage().of(Linked.of(pairs, ["age", "sex", "region"]))
    >>> found.true_match_rate, found.linkable
    (1.0, 4)
    """

    threshold: float = 0.0  # bits

    plainly = "weighs on which quasi-identifiers released records agree, and takes the most likely one"

    def of(self, linked: Linked) -> LinkageResult:
        import numpy as np

        tuples = Tuples.of(linked)
        chosen = _telling(tuples)
        if not len(tuples.releases):
            nobody, far = np.zeros_like(tuples.originals), np.full(len(tuples.n), np.inf)
            return tuples.result(self.name(), far[: len(nobody)], nobody, far)
        alike = Condensed.of(chosen, tuples.originals, tuples.releases)
        counts = patterns(alike.columns, alike.originals, alike.releases)
        weights = estimated(counts, len(chosen), 1 / linked.records)
        worth = [round(agree * UNITS) - round(differ * UNITS)
                 for agree, differ in zip(weights.agree, weights.differ, strict=True)]  # fmt: skip
        heavy = [k for k, weight in enumerate(worth) if weight]
        found, space = _heaviest(tuples, [chosen[k] for k in heavy], [worth[k] for k in heavy])
        likely = sum(round(agree * UNITS) for agree in weights.agree) - found.cost > self.threshold * UNITS
        return tuples.result(
            self.name(), found.cost, np.where(likely, found.records, 0), tuples.own(space.cost),
            notes=_limits(linked, chosen), details={"weights": _described(chosen, weights)},
        )  # fmt: skip


def _heaviest(tuples: Tuples, columns: Sequence[Coded], worth: Sequence[int]) -> tuple[Nearest, Space]:
    """What is lost in weight against agreement on all columns, at the least, and the records that lose no more."""
    import numpy as np

    space = weighted(columns, worth)
    if not columns:  # none says anything: all are equally likely
        everybody = np.full(len(tuples.originals), tuples.linked.released, dtype=np.int64)
        return Nearest(np.zeros(len(tuples.originals)), everybody), space
    alike = Condensed.of(columns, tuples.originals, tuples.releases)
    found = nearest(weighted(alike.columns, worth), len(alike.originals), alike.releases)
    return Nearest(found.cost[alike.original], found.records[alike.original]), space


def _telling(tuples: Tuples) -> list[Coded]:
    """The columns, or of too many those on which two people agree least often, in their order."""
    chance = [_chance(column.original, tuples.originals, column.released, tuples.releases) for column in tuples.columns]
    best = sorted(range(len(chance)), key=lambda k: (chance[k], k))[:MOST]
    return [tuples.columns[k] for k in sorted(best)]


def _chance(original: Whole, originals: Whole, released: Whole, releases: Whole) -> int:
    """The pairs of records that agree on a column."""
    import numpy as np

    left, right = added(original, originals), added(released, releases)
    width = min(len(left), len(right))
    return int(np.dot(left[:width], right[:width]))


def _limits(linked: Linked, chosen: Sequence[Coded]) -> tuple[str, ...]:
    left_out = [name for name in linked.names if name not in {column.name for column in chosen}]
    if not left_out:
        return ()
    return (f"Limited to the {MOST} columns that tell most people apart; left out: {', '.join(left_out)}.",)


def _described(columns: Sequence[Coded], weights: Weights) -> list[dict[str, float | str]]:
    found = zip(columns, weights.m, weights.u, weights.agree, weights.differ, strict=True)
    return [{"column": c.name, "m": m, "u": u, "agree": agree, "differ": differ} for c, m, u, agree, differ in found]
