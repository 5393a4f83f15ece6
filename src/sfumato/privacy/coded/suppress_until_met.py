"""Settling: classes are left out until those that stay keep to a policy among themselves."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from sfumato.privacy.coded.classes import Grouped
from sfumato.privacy.coded.judge import Judges
from sfumato.privacy.coded.table import Condensed

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags


def settled(judges: Judges, grouped: Grouped, gone: Flags) -> Flags:
    """The classes that have to go when some are gone already, and everybody else is the whole table.

    A measure such as t-closeness compares a class with everybody. When classes are left out, everybody is others than
    before, so a class that kept to its bound may break it now: it goes as well, until nothing changes.
    """
    if not judges.values:
        return gone
    while True:
        left = grouped.without(gone)
        verdict = judges.judged(replace(left, table=_whole(left)), inf)
        assert verdict is not None  # there is no limit
        more = verdict.gone & (left.records > 0)
        if not more.any():
            return gone
        gone = gone | more


def _whole(grouped: Grouped) -> Condensed:
    """The table with the shares of those who are in a grouping, as if there were nobody else."""
    import numpy as np

    together = replace(grouped, ids=np.zeros(len(grouped.ids), dtype=np.int64), space=1)
    values = {}
    for value, coded in grouped.table.values.items():
        cells, shares = together.cells(value), np.zeros(len(coded.shares))
        shares[cells.value] = cells.n / max(cells.n.sum(), 1)
        values[value] = replace(coded, shares=shares)
    return replace(grouped.table, values=values)
