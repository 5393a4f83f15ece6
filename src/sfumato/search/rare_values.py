"""Rare values: a few records that take everybody to higher levels, and what leaving them out would save."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import InfeasiblePolicy
from sfumato.privacy.coded.classes import CodedClasses
from sfumato.privacy.coded.policy_rules import PolicyRules
from sfumato.privacy.coded.table import CodedTable
from sfumato.search.levels.examined_nodes import Budget
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.show.documents.anonymisation import RareColumnDocument, RareValuesDocument

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags

FEW = 0.05  # of the records: more are no exception that could be left out; the share that is usual for suppression
WORTH = 0.05  # of the score: what leaving them out has to save to be worth a word; chosen, not measured
LOOKS = 2000  # nodes of the search without them, as for explanations: the census needs 329 for its proof


@dataclass(frozen=True)
class RareColumn:
    """A column whose values at the lowest level some records share with too few others, whatever else they have."""

    column: str
    level: int  # to which everybody went
    values: int
    records: int


@dataclass(frozen=True)
class RareValues:
    """Columns that everybody is generalised in for the sake of a few, and what could be had without those.

    A class has no more members than one of its columns alone leaves alike. So a value that breaks the policy by itself
    and in every part does so in every class: no combination of levels keeps the column without leaving its records out.
    """

    columns: tuple[RareColumn, ...]
    records: int  # that have such a value in any of the columns
    share: float  # of all, rounded up so that as many may be left out
    score: float
    without: float  # the score where as many records may be left out
    normalised: float
    normalised_without: float

    def content(self) -> RareValuesDocument:
        """The same as plain values. It counts values and names none."""
        return RareValuesDocument(
            **{**vars(self), "columns": [RareColumnDocument(**vars(column)) for column in self.columns]}
        )


def rare_values(optimal: OptimalSearch, table: CodedTable, best: LevelsFound) -> RareValues | None:
    """The rare values that keep a solution of the search up; None where there are none, or little would be saved."""
    if optimal.scenarios or table.population is not None:
        return None
    rules, columns, any_of = PolicyRules.of(optimal.policy), [], np.zeros(table.rows, dtype=np.bool_)
    for j, column in enumerate(table.columns):
        lowest = optimal.limits.get(column.name, (0, 0))[0]
        if best.levels[column.name] <= lowest:
            continue
        broken = _broken_alone(rules, table, j, lowest)
        records = int(table.records[broken].sum())
        if 0 < records <= FEW * table.total:
            values = int(np.count_nonzero(np.bincount(table.labels(j, lowest)[broken & (table.records > 0)])))
            columns.append(RareColumn(column.name, best.levels[column.name], values, records))
            any_of |= broken
    records = int(table.records[any_of].sum())
    if not columns or records <= best.suppressed or records > FEW * table.total:
        return None
    share = ceil(records / table.total * 1e6) / 1e6
    try:
        easier = replace(optimal, suppression=share, budget=Budget(LOOKS, optimal.budget.seconds)).among(table)
    except InfeasiblePolicy:  # within so many looks none was found
        return None
    if easier.score > best.score - WORTH * abs(best.score):
        return None
    return RareValues(
        columns=tuple(columns),
        records=records,
        share=share,
        score=best.score,
        without=easier.score,
        normalised=best.normalised,
        normalised_without=easier.normalised,
    )


def _broken_alone(rules: PolicyRules, table: CodedTable, column: int, level: int) -> Flags:
    """The rows whose value of one column breaks the policy even if they had nothing else in common with nobody."""
    classes = CodedClasses.at(table, tuple(level if j == column else -1 for j in range(len(table.columns))))
    suppression = rules.suppression(classes, inf)
    assert suppression is not None  # there is no limit
    rows: Flags = suppression.hereditary.take(classes.ids)
    return rows
