"""Local recoding: every tuple its own levels, so that as little as possible is lost."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from sfumato.errors import HierarchyError, PolicyError
from sfumato.group_rules import ClassPolicy, refuse_unknown
from sfumato.partitioning import CountedTuples, Tree
from sfumato.recoding import Recoding
from sfumato.search.peeling import peeled
from sfumato.search.regrouping import regrouped
from sfumato.tuples import combined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Flags = NDArray[np.bool_]

COMBINATIONS = 200_000  # of levels that are looked at for a full-domain recoding that loses less


def recoded_locally(tuples: CountedTuples, policy: ClassPolicy) -> Recoding:
    """A recoding to nodes of the hierarchies, nothing suppressed, that keeps to the policy and loses little.

    Classes are peeled off from the cheapest on, tuples that found none join the group where they cost least, and
    outliers change places as long as that saves something. No full-domain recoding that keeps to the policy loses
    less: those that could are looked at.

    References
    ----------
    The search is our own; what it starts from, taking away what a full-domain recoding serves and going on with the
    rest, is how ARX recodes locally.

    Examples
    --------
    Three of one town and three of two others: only the latter are generalised.

    >>> import numpy as np
    >>> from sfumato.group_rules import at_least
    >>> from sfumato.hierarchy import Hierarchy
    >>> towns = Tree.of("town", Hierarchy((("Lyon", "France", "*"), ("Nice", "France", "*"), ("Bonn", "Germany", "*"))))
    >>> people = CountedTuples.of([towns], np.array([[0], [0], [1], [2], [2], [2]], dtype=np.int32))
    >>> found = recoded_locally(people, at_least(3))
    >>> [found.label(group, 0) for group in range(found.classes)], round(found.loss, 6)
    (['France', 'Bonn'], 0.25)
    """
    import numpy as np

    refuse_unknown(policy, tuples)
    for column in tuples.columns:
        if not isinstance(column, Tree):
            raise HierarchyError(f"Local recoding needs a hierarchy for the column {column.name!r}.")
    every = np.zeros(len(tuples.counts), dtype=np.int64)
    if not policy.met(tuples, np.arange(len(every)), every, 1).all():
        raise PolicyError("The policy is not met even with everybody in one class. Loosen a requirement.")
    levels, housed = peeled(tuples, policy)
    group = Recoding.at_levels(tuples, levels).group
    group = regrouped(tuples, _all_housed(tuples, policy, group, housed), policy)
    found = Recoding.of(tuples, group)
    return _full_domain_below(tuples, policy, found) or found


def _all_housed(tuples: CountedTuples, policy: ClassPolicy, group: Whole, housed: Flags) -> Whole:
    """The groups when everybody has one that keeps to the policy: the others become one class, with as many
    groups as it takes, the most expensive first.
    """
    import numpy as np

    own = np.where(housed, group, -1)
    ids, own = np.unique(own, return_inverse=True)
    met = policy.met(tuples, np.arange(len(own)), own, len(ids)) & (ids >= 0)
    if met.all():
        return own
    recoding = Recoding.of(tuples, own)
    cost = np.zeros(len(ids))
    cost[own] = recoding.weights.sum(axis=1)[recoding.group]
    order = np.concatenate(
        [np.flatnonzero(~met), *(np.flatnonzero(met)[[i]] for i in np.argsort(-cost[met], kind="stable"))]
    )
    rank = np.empty(len(ids), dtype=np.int64)
    rank[order] = np.arange(len(ids))
    count, more = int((~met).sum()), 1
    while count < len(ids):
        inside = np.flatnonzero(rank[own] < count)
        if policy.met(tuples, inside, np.zeros(len(inside), dtype=np.int64), 1).all():
            break
        count, more = min(count + more, len(ids)), 2 * more
    return np.where(rank[own] < count, len(ids), own)


def _full_domain_below(tuples: CountedTuples, policy: ClassPolicy, found: Recoding) -> Recoding | None:
    """The best recoding with one level for each column, where it loses less than what was found."""
    import numpy as np

    means = [tuples.mean_weights(j) for j in range(len(tuples.columns))]
    limit = found.loss * len(means) - 1e-12
    every = np.arange(len(tuples.counts))
    for _, levels in sorted(_cheaper(means, limit)):
        classes = combined([tree.nodes[level].astype(np.int64)[codes] for tree, level, codes
                            in zip(_trees(tuples), levels, tuples.codes.T, strict=True)])  # fmt: skip
        if policy.met(tuples, every, classes, int(classes.max()) + 1).all():
            return Recoding.at_levels(tuples, np.tile(np.array(levels, dtype=np.int64), (len(every), 1)))
    return None


def _trees(tuples: CountedTuples) -> list[Tree]:
    return [column for column in tuples.columns if isinstance(column, Tree)]


def _cheaper(means: list[NDArray[np.float64]], limit: float) -> list[tuple[float, tuple[int, ...]]]:
    """The combinations of levels that cost less than a limit."""
    found: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for costs in means:
        further = product(found, enumerate(costs.tolist()))
        found = [(cost + own, (*row, level)) for (cost, row), (level, own) in further if cost + own < limit]
        found = sorted(found)[:COMBINATIONS]
    return found
