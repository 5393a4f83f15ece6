"""Full-domain recodings that lose less than what a local search found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PolicyError
from sfumato.privacy.coded.distinct_rows import row_numbers
from sfumato.privacy.policy import Policy
from sfumato.search.deadline import in_time
from sfumato.search.levels.examined_nodes import Budget
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.search.local.counted_tuples import CountedTuples, TreeColumn
from sfumato.search.local.group_rules import GroupRules
from sfumato.search.local.recoding import Recoding
from sfumato.search.local.remaining_tuples import mean_weights
from sfumato.search.objectives.loss import Loss

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


# Combinations of levels that are kept in mind: the lattice of the census has 12,960, so of a table like it all that
# could be better. Only where a table has more columns is the promise to lose no more than the best full-domain recoding
# kept among the cheapest of them.
COMBINATIONS = 20_000
# And those of them whose classes are counted: on the tables of docs/explanation/local-recoding.md none ever won, and
# on 33 columns counting all took more than ten minutes.
LOOKS = 2_000
NODES = 20_000  # that are searched where records may be suppressed: more than the lattice of the census has


def full_domain_below(rules: GroupRules, policy: Policy, recoding: Recoding, suppression: float) -> Recoding | None:
    """The best recoding with one level for each column, where it loses less than another recoding."""
    levels = _cheapest(rules, recoding.loss)
    best = _at(rules.tuples, levels, None) if levels is not None else None
    if suppression and _as_condensed(rules.tuples):
        try:
            search = OptimalSearch(policy, Loss(), suppression, budget=Budget(nodes=NODES)).among(rules.tuples.table)
        except PolicyError:  # no levels will do within this share
            return best
        levels = np.array([search.levels[column.name] for column in rules.tuples.columns])
        other = _at(rules.tuples, levels, rules)
        # Persons of several records count otherwise in groups than at levels, so that more classes may have to go.
        if other.suppressed > floor(suppression * rules.tuples.records + 1e-9):
            return best
        if other.loss < min(recoding.loss, best.loss if best else 1.0) - 1e-12:
            return other
    return best


def best_of_levels(
    rules: GroupRules, known: Sequence[Mapping[str, int]], recoding: Recoding, suppression: float
) -> Recoding:
    """The best of a recoding and of some with one level for each column, classes suppressed that break the policy."""
    tuples, best = rules.tuples, recoding
    for levels in known:
        in_time()
        other = _at(tuples, np.array([levels[column.name] for column in tuples.columns]), rules)
        within = other.suppressed <= floor(suppression * tuples.records + 1e-9)
        if within and other.loss < best.loss - 1e-12:
            best = other
    return best


def _as_condensed(tuples: CountedTuples) -> bool:
    """Whether the columns are those of the table itself."""
    ours = [(column.name, column.leaves, column.height) for column in _trees(tuples)]
    return ours == [(column.name, column.width, column.height) for column in tuples.table.columns]


def _at(tuples: CountedTuples, levels: Whole, rules: GroupRules | None) -> Recoding:
    """The recoding at levels; with rules, the classes that break them are suppressed."""
    every = np.tile(np.asarray(levels, dtype=np.int64), (len(tuples.codes), 1))
    if rules is None:
        return Recoding.at_levels(tuples, every)
    group = _classes(tuples, levels)
    met = rules.met(np.arange(len(group)), group, int(group.max()) + 1)
    return Recoding.at_levels(tuples, every, ~met[group])


def _cheapest(rules: GroupRules, loss: float) -> Whole | None:
    """The cheapest levels at which all classes keep to the policy, below a loss.

    A class at higher levels is a union of classes at lower ones, and a union keeps to the policy where its parts do
    (`GroupRules` refuses policies of which this is not true). So where the classes at some levels do not, those at
    lower levels do not either: the highest are looked at first.
    """
    tuples = rules.tuples
    means = [mean_weights(tuples, j) for j in range(len(tuples.columns))]
    cheaper = _cheaper(means, loss * len(means) - 1e-12)
    rows = np.array([row for _, row in cheaper], dtype=np.int64).reshape(len(cheaper), len(means))
    costs, heights = np.array([cost for cost, _ in cheaper]), rows.sum(axis=1)
    best, broken, looks = None, np.zeros(len(rows), dtype=np.bool_), 0
    for i in np.argsort(-heights, kind="stable").tolist():
        if broken[i] or (best is not None and costs[i] >= costs[best]):
            continue
        looks += 1
        if looks > LOOKS:
            break
        in_time()
        group = _classes(tuples, rows[i])
        if rules.met(np.arange(len(group)), group, int(group.max()) + 1).all():
            best = i
        else:
            broken |= (rows <= rows[i]).all(axis=1)
    return None if best is None else rows[best]


def _classes(tuples: CountedTuples, levels: Whole) -> Whole:
    trees = zip(_trees(tuples), levels.tolist(), tuples.codes.T, strict=True)
    return row_numbers([tree.nodes[level].astype(np.int64)[codes] for tree, level, codes in trees])


def _trees(tuples: CountedTuples) -> list[TreeColumn]:
    return [column for column in tuples.columns if isinstance(column, TreeColumn)]


def _cheaper(means: list[Real], limit: float) -> list[tuple[float, tuple[int, ...]]]:
    """The combinations of levels that cost less than a limit."""
    cheaper: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for costs in means:
        further = product(cheaper, enumerate(costs.tolist()))
        cheaper = [(cost + own, (*row, level)) for (cost, row), (level, own) in further if cost + own < limit]
        cheaper = sorted(cheaper)[:COMBINATIONS]
    return cheaper
