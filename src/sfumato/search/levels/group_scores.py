"""Group scores: what some columns cost at the least, read off a table that tells no more apart than they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import CodedColumn, CodedTable, added_up, row_keys
from sfumato.search.scoring.by_column import AdditiveScorer, ColumnScorer
from sfumato.search.scoring.objective_interface import NodeState, Task

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


class GroupScorer(ColumnScorer):
    """What some columns cost at the least at a node, and at all nodes below it in the other columns.

    The score of a node is that bound already, since the other columns come down from the top in the search that it is
    for. So the least score of a node of the group bounds them all.
    """

    def __init__(self, scorer: ColumnScorer, columns: frozenset[int], parts: Mapping[frozenset[int], float]) -> None:
        self.scorer, self.how, self.columns, self.heights = scorer, scorer.how, scorer.columns, scorer.heights
        self.group, self.floors = columns, list(parts.items())  # of groups within this one
        self.weights = [weight * (j in columns) for j, weight in enumerate(scorer.weights)]
        self.reads_leaves = scorer.reads_leaves  # type: ignore[misc]

    def of_columns(self, state: NodeState) -> Real:
        return self.scorer.at_least(state)

    def at_least(self, state: NodeState) -> Real:
        return self.scorer.at_least(state)

    def parts(self, state: NodeState) -> list[list[float]]:
        """What each column adds at each level."""
        return self._parts(state)


@dataclass(frozen=True, eq=False)
class CoarseTable:
    """A table whose leaves are the labels at some levels, with rows that are alike there as one.

    At these levels and above it has the same classes with the same records. A search of six columns of 24 goes through
    a few thousand rows so instead of 30,000, and what is suppressed is added up over some hundred labels instead of
    150,000 leaves.
    """

    table: CodedTable
    examples: Sequence[Whole]  # by column: a leaf of each label

    @classmethod
    def of(cls, table: CodedTable, levels: Node) -> CoarseTable:
        """Only for a policy about sizes of classes of records: nothing else is read off its rows."""
        columns, codes, examples = [], [], []
        for j, (column, level) in enumerate(zip(table.columns, levels, strict=True)):
            _, first, numbers = np.unique(column.labels[level], return_index=True, return_inverse=True)
            labels = tuple(column.labels[max(own, level)].take(first) for own in range(column.height + 1))
            leaves = tuple(column.leaves[max(own, level)] for own in range(column.height + 1))
            columns.append(CodedColumn(column.name, labels, leaves, column.domain))
            codes.append(numbers.reshape(-1).take(table.codes[j]))
            examples.append(first)
        keys = row_keys((own, column.width) for own, column in zip(codes, columns, strict=True))
        _, row, owner = np.unique(keys, return_index=True, return_inverse=True)
        records = added_up(owner.reshape(-1), table.weights, len(row)).astype(np.int64)
        rows = np.stack(codes).take(row, axis=1)
        return cls(CodedTable(tuple(columns), rows, records, records, {}, one_record_each=True), examples)

    def scorer(self, scorer: AdditiveScorer, table: CodedTable, levels: Node) -> AdditiveScorer | None:
        """The same costs by label; None where a cost depends on more of a leaf than its label."""
        leaves = np.concatenate([first + start for first, start in zip(self.examples, table.starts, strict=True)])
        costs = [scorer.spare, scorer.extra, *([scorer.units.extra] if scorer.units else [])]
        for j, (column, level) in enumerate(zip(table.columns, levels, strict=True)):
            own, start = slice(table.starts[j], table.starts[j] + column.width), table.starts[j]
            _, numbers = np.unique(column.labels[level], return_inverse=True)
            same = start + self.examples[j].take(numbers.reshape(-1))
            if any((cost[level:, own] != cost[level:, same]).any() for cost in costs):
                return None
        coarse = copy(scorer)
        coarse.starts, coarse.floors = self.table.starts, []
        coarse.spare, coarse.extra = scorer.spare[:, leaves], scorer.extra[:, leaves]
        if scorer.units:
            coarse.units = replace(scorer.units, extra=scorer.units.extra[:, leaves])
        return coarse


def coarsened(task: Task, scorer: ColumnScorer, levels: Node) -> tuple[Task, ColumnScorer]:
    """The same task and costs for nodes from these levels on; by a coarser table where that makes no difference."""
    table = task.table
    counts_only = task.rules.fewest_records > 0 and not task.settled and not table.values
    if not (counts_only and table.one_record_each and table.population is None and isinstance(scorer, AdditiveScorer)):
        return task, scorer
    coarse = CoarseTable.of(table, levels)
    own = coarse.scorer(scorer, table, levels)
    return (task, scorer) if own is None else (replace(task, table=coarse.table), own)
