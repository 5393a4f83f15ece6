"""The count of a linkage: whom the nearest released tuples name, and how often that is right."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.attackers.attack_interface import LinkageResult
from sfumato.attackers.matching.coded_tuples import Tuples
from sfumato.attackers.matching.nearest_tuples import Nearest, tied
from sfumato.attackers.matching.tuple_distance import TupleDistance

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole


def linkage_count(method: str, tuples: Tuples, distance: TupleDistance, near: Nearest, **more: Any) -> LinkageResult:
    """The result of an attack that names, for each original tuple, the released ones that cost least.

    Counted are records or, where a subject is known, persons: see `LinkageResult`.
    """
    linked = tuples.linked
    counts, linkable = (_records if tuples.held is None else _persons)(tuples, distance, near)
    rows = linked.engine.load(pa.table({"row": pa.array(linkable, pa.int64())}))
    return LinkageResult(
        method=method,
        records=linked.records,
        released=linked.released,
        persons=linked.persons,
        rows=rows if tuples.held is None else linked.alike(rows),
        recoded=linked.recoded,
        **counts,
        **more,
    )


def _records(tuples: Tuples, distance: TupleDistance, near: Nearest) -> tuple[dict[str, Any], Whole]:
    """Counts of records, and the numbers of those that are linkable.

    A pair that costs no more than what is nearest is itself among those named.
    """
    sizes, kept = near.records[tuples.original], tuples.released >= 0
    own = np.full(len(tuples.n), np.inf)
    own[kept] = distance.cost(tuples.original[kept], tuples.released[kept])
    named = kept & (sizes > 0) & (own <= near.cost[tuples.original])
    linkable = np.sort(tuples.row[named & (sizes == 1)])
    return {
        "matched": int(tuples.originals[near.records > 0].sum()),
        "own_named": int(tuples.n[named].sum()),
        "expected": fsum(tuples.n[named] / sizes[named]),
        "linkable": len(linkable),
    }, linkable


def _persons(tuples: Tuples, distance: TupleDistance, near: Nearest) -> tuple[dict[str, Any], Whole]:
    """Counts of persons, and the number of a record of each by which they are linkable.

    Of several released tuples that are equally near, a person may have more than one: whom they name is a union, and
    not a sum of counts, so the tuples themselves are looked up.
    """
    assert tuples.held is not None
    known, released = tuples.original_holders, tuples.release_holders
    chance = np.zeros(int(tuples.held.person.max()) + 1)  # by person: of being picked, by the record that tells most
    matched = np.zeros_like(chance, dtype=np.bool_)
    alone: list[tuple[int, int]] = []  # original tuples and the only person that each names, rightly
    before, named = b"", np.array([], dtype=np.int64)
    for original, nearest in tied(distance, tuples.releases, near):
        if (key := nearest.tobytes()) != before:  # where nothing tells people apart, all have the same
            before, named = key, released.persons_of(nearest)
        here = known.persons_of(np.array([original]))
        matched[here] = True
        own = here[np.isin(here, named)]
        chance[own] = np.maximum(chance[own], 1 / len(named))
        alone += [(original, int(person)) for person in own if len(named) == 1]
    return {
        "matched": int(matched.sum()),
        "own_named": int((chance > 0).sum()),
        "expected": fsum(chance),
        "linkable": len({person for _, person in alone}),
    }, _first_rows(tuples, alone)


def _first_rows(tuples: Tuples, alone: Sequence[tuple[int, int]]) -> Whole:
    """The first record of each of some original tuples and persons."""
    assert tuples.held is not None
    width = int(tuples.held.person.max()) + 1
    keys = tuples.original[tuples.held.pair] * width + tuples.held.person
    wanted = np.array([original * width + person for original, person in alone], dtype=np.int64)
    chosen = np.flatnonzero(np.isin(keys, wanted))
    rows = tuples.held.row[chosen[np.unique(keys[chosen], return_index=True)[1]]]
    return np.sort(rows)
