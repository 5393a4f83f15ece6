"""Suppression bias: whether some groups of people are left out of a release more often than others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.bins import Bins
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.table import CodedTable, added_up
from sfumato.privacy.dataset import Dataset
from sfumato.search.levels.levels_found import LevelsFound
from sfumato.search.levels.node_states import NodeStates
from sfumato.search.levels.optimal import OptimalSearch
from sfumato.show.documents.explanation import ColumnBiasDocument, SubgroupDocument, SuppressionBiasDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.explanation import bias_sheet
from sfumato.tables.engine import quoted

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


GROUPS = 12  # that a column is compared in at the most: what people read at a glance; chosen, not measured
SMALL = 11  # a group of fewer records is not shown by itself: the size that guidelines for health data ask for
OFTEN = (5, 4)  # 1.25 times as often as everybody, as a fraction, so that nothing is rounded; chosen, not measured
FEW = 5  # suppressed records below which nothing is said, since a ratio of so few is chance; chosen, not measured
MISSING = "(missing)"


@dataclass(frozen=True)
class Subgroup:
    """Records with one label, or with several rare ones together, and how many of them are suppressed."""

    label: str
    labels: int  # that it joins
    records: int
    suppressed: int
    share: float
    ratio: float | None  # to the share of everybody; None where nobody is suppressed
    hit: bool  # clearly more often than everybody


@dataclass(frozen=True)
class ColumnBias:
    """The groups of one column, those that are hit most often first."""

    column: str
    level: int | None  # of the hierarchy; None for values as they are
    groups: tuple[Subgroup, ...]


@dataclass(frozen=True, repr=False)
class SuppressionBias(Presented):
    """Whom suppression hits: the share of suppressed records in each group, against that of everybody.

    Groups of fewer than 11 records are joined, so that no small number of people is shown, and none can be told from
    the others and the total.
    """

    records: int
    suppressed: int
    columns: tuple[ColumnBias, ...]
    left_out: tuple[str, ...]  # columns with too many labels, or too few records, to be compared

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each group that is hit clearly more often than everybody."""
        return tuple(
            f"{column.column} {group.label}: {group.share:.1%} of its records are suppressed, "
            f"{group.ratio:.2f} times as often as everybody's."
            for column in self.columns
            for group in column.groups
            if group.hit
        )

    def content(self) -> SuppressionBiasDocument:
        """Everything as plain values. It holds labels, as results do; no group is of fewer than 11 records."""
        return SuppressionBiasDocument(
            records=self.records,
            suppressed=self.suppressed,
            share=self.suppressed / self.records if self.records else None,
            columns=[
                ColumnBiasDocument(
                    column=each.column,
                    level=each.level,
                    groups=[SubgroupDocument(**vars(group)) for group in each.groups],
                )
                for each in self.columns
            ],
            left_out=self.left_out,
            notes=self.notes,
        )

    def sheet(self) -> Sheet:
        """The same for people."""
        return bias_sheet(self.content())


def with_released_labels(bias: SuppressionBias, released: Mapping[str, Collection[str]]) -> SuppressionBias:
    """The same without a label that the released column lacks: the groups of such labels are one.

    A column of which one group is left is not compared.
    """
    everybody = (bias.records, bias.suppressed)
    columns = [replace(c, groups=_with_labels(c.groups, released.get(c.column, ()), everybody)) for c in bias.columns]
    lone = tuple(column.column for column in columns if len(column.groups) < 2)
    kept = tuple(column for column in columns if len(column.groups) > 1)
    return replace(bias, columns=kept, left_out=(*bias.left_out, *lone))


def _with_labels(
    groups: Sequence[Subgroup], released: Collection[str], everybody: tuple[int, int]
) -> tuple[Subgroup, ...]:
    hidden = [g for g in groups if g.labels == 1 and g.label not in (MISSING, *released)]
    rest = [group for group in groups if group not in hidden]
    if hidden:
        name = f"({len(hidden)} label{'s' * (len(hidden) != 1)} that the release does not show)"
        own = (sum(group.records for group in hidden), sum(group.suppressed for group in hidden))
        rest.append(_group(name, len(hidden), own, everybody))
    return tuple(sorted(rest, key=lambda group: -group.share))


def suppressed_rows(optimal: OptimalSearch, table: CodedTable, best: LevelsFound) -> Flags:
    """Which rows of a condensed table are suppressed at a solution of the search."""
    return NodeStates(optimal, table).at(tuple(best.levels[column.name] for column in table.columns)).suppressed_rows


def bias_of(
    table: CodedTable,
    suppressed: Flags | Whole,
    hierarchies: Mapping[str, Hierarchy],
    names: Mapping[Value, Sequence[str]] | None = None,
    levels: Mapping[str, int] | None = None,
) -> SuppressionBias:
    """Whom suppression hits, for any way of suppressing.

    `suppressed` says of each row whether it is suppressed, or how many of its records are. Quasi-identifiers are
    compared at the lowest level that has few labels, none below those in `levels`, and sensitive attributes by value
    where their `names` are given (see `value_names`) or are numbers.
    """
    import numpy as np

    gone = table.weights * suppressed if suppressed.dtype == np.bool_ else suppressed.astype(float)
    columns, left_out = [], []
    for name, level, codes, labels in (*_columns(table, hierarchies, levels or {}), *_values(table, names or {})):
        records, lost = added_up(codes, table.weights, len(labels)), added_up(codes, gone, len(labels))
        groups = _groups(records, lost, labels)
        if len(groups) > 1:
            columns.append(ColumnBias(name, level, groups))
        elif (records > 0).sum() > 1:
            left_out.append(name)
    return SuppressionBias(table.total, round(float(gone.sum())), tuple(columns), tuple(left_out))


def value_names(dataset: Dataset, value: Value) -> tuple[str, ...]:
    """The values of a sensitive attribute as texts, in the order in which a condensed table numbers them."""
    column = quoted(value.sensitive)
    read = Bins(value.bins, dataset.separator).of(column) if value.bins else column
    values = dataset.table.engine.fetch(
        f"SELECT CAST(w AS VARCHAR) FROM (SELECT DISTINCT {read} AS w FROM {dataset.table}) AS known "
        f"WHERE w IS NOT NULL ORDER BY w"
    )
    order = dataset.schema[value.sensitive].order
    ranks = {label: i for i, label in enumerate(Bins(value.bins, dataset.separator).labels if value.bins else order)}
    texts = [str(text) for (text,) in values]
    missing = (MISSING,) if value.count_missing else ()
    return (*sorted(texts, key=lambda text: ranks.get(text, len(ranks))), *missing)


LabelledColumn = tuple[
    str, int | None, "Whole", list[str]
]  # a column, its level, the label of each row, and the labels


def _columns(
    table: CodedTable, hierarchies: Mapping[str, Hierarchy], lowest: Mapping[str, int]
) -> Iterator[LabelledColumn]:
    """The quasi-identifiers at the lowest level below the top with few labels, or else with all they have."""
    for j, column in enumerate(table.columns):
        least = lowest.get(column.name, 0)
        levels = range(least, max(column.height, least + 1))
        level = next((level for level in levels if table.label_count(j, level) <= GROUPS), max(levels))
        lines = (*hierarchies[column.name].lines, hierarchies[column.name].missing)
        known: dict[int, str] = {}
        for leaf, code in enumerate(column.labels[level].tolist()):
            known.setdefault(code, MISSING if lines[leaf][level] is None else str(lines[leaf][level]))
        yield column.name, level, table.labels(j, level), [known[code] for code in range(column.count(level))]


def _values(table: CodedTable, names: Mapping[Value, Sequence[str]]) -> Iterator[LabelledColumn]:
    """The sensitive attributes by value; nobody's value is one too."""
    import numpy as np

    compared = set()
    for value, coded in table.values.items():
        texts = names.get(value) or (None if coded.numbers is None else [f"{x:g}" for x in coded.numbers.tolist()])
        if texts is None or value.sensitive in compared:
            continue
        compared.add(value.sensitive)
        count = len(coded.shares)
        yield value.sensitive, None, np.where(coded.codes < 0, count, coded.codes), [*texts[:count], MISSING]


def _groups(records: Real, lost: Real, labels: Sequence[str]) -> tuple[Subgroup, ...]:
    """The groups, those hit most often first; rare labels together. None where there are too many."""
    import numpy as np

    order = [int(i) for i in np.argsort(-records, kind="stable") if records[i]]
    total, gone = float(records.sum()), float(lost.sum())
    if len(order) > GROUPS:
        return ()
    rare = [i for i in order if records[i] < SMALL]
    shown = [i for i in order if records[i] >= SMALL]
    while rare and shown and records[rare].sum() < SMALL:
        rare.append(shown.pop())  # or the size of the rare ones could be told from the others and the total
    parts = [(labels[i], [i]) for i in shown]
    if rare and records[rare].sum() >= SMALL:
        parts.append((f"({len(rare)} rare labels together)", rare))
    everybody = (int(total), round(gone))
    groups = (_group(label, len(own), (int(records[own].sum()), round(float(lost[own].sum()))), everybody)
             for label, own in parts)  # fmt: skip
    return tuple(sorted(groups, key=lambda group: -group.share))


def _group(label: str, labels: int, own: tuple[int, int], everybody: tuple[int, int]) -> Subgroup:
    """A group by its records and how many of them are suppressed, against everybody's."""
    (records, suppressed), (total, gone) = own, everybody
    share = suppressed / records
    often = suppressed * total * OFTEN[1] >= OFTEN[0] * records * gone
    ratio = share / (gone / total) if gone else None
    return Subgroup(
        label=label,
        labels=labels,
        records=records,
        suppressed=suppressed,
        share=share,
        ratio=ratio,
        hit=often and suppressed >= FEW,
    )
