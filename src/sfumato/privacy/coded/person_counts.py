"""Counting persons who are in several rows: once in every class, and once for every value there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.table import added_up

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


def members_by_class(ids: Whole, weights: Real, persons: Whole | None, space: int) -> Real:
    """How many members each class has: what rows weigh, and everybody who is in several rows of it once.

    >>> members_by_class(np.array([0, 0, 0, 1]), np.array([4.0, 1, 1, 1]), np.array([-1, 7, 7, 7]), 2).tolist()
    [5.0, 1.0]
    """
    if persons is None:
        return added_up(ids, weights, space)
    keys, numbers = once_each(ids, weights, persons)
    return added_up(keys, numbers, space)


def once_each(keys: Whole, weights: Real, persons: Whole) -> tuple[Whole, Real]:
    """Keys and weights in which a person of several rows with the same key is there once, with the weight 1.

    Rows that weigh nothing are nobody's.
    """
    lone = np.flatnonzero((persons < 0) & (weights > 0))
    known = np.flatnonzero((persons >= 0) & (weights > 0))
    different, places = np.unique(keys.take(known), return_inverse=True)
    width = int(persons.max(initial=0)) + 1
    pairs = np.unique(places.reshape(-1) * width + persons.take(known))
    every = np.concatenate([keys.take(lone), different.take(pairs // width)])
    return every, np.concatenate([weights.take(lone), np.ones(len(pairs))])
