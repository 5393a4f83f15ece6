"""Suppressing until a policy is met: classes are left out until those that stay keep to it among themselves."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags


def suppressed_until_met(rules: PolicyRules, classes: CodedClasses, suppressed: Flags) -> Flags:
    """The classes that have to go when some are gone already, and everybody else is the whole table.

    A measure such as t-closeness compares a class with everybody. When classes are left out, everybody is others than
    before, so a class that kept to its bound may break it now: it goes as well, until nothing changes. This ends, since
    classes only ever go.
    """
    if not rules.values:
        return suppressed
    while True:
        left = classes.without(suppressed)
        again = rules.suppression(replace(left, table=_table_of(left)), inf)
        assert again is not None  # there is no limit
        more = again.here & (left.records > 0)
        if not more.any():
            return suppressed
        suppressed = suppressed | more


def _table_of(classes: CodedClasses) -> CodedTable:
    """The table with the shares of those who are in some classes, as if there were nobody else."""
    together = replace(classes, ids=np.zeros(len(classes.ids), dtype=np.int64), space=1)
    values = {}
    for value, coded in classes.table.values.items():
        cells, shares = together.cells(value), np.zeros(len(coded.shares))
        shares[cells.value] = cells.n / max(cells.n.sum(), 1)
        values[value] = replace(coded, shares=shares)
    return replace(classes.table, values=values)
