"""Random small tables with trees, orders, missing and sensitive values, and what is true of them record by record."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from tests.search.broken_classes import BREAKS

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.table import CodedColumn, CodedTable, CodedValue
from sfumato.privacy.measure_interface import Measure
from sfumato.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from sfumato.privacy.models.basic_beta_likeness import BasicBetaLikeness
from sfumato.privacy.models.delta_disclosure import DeltaDisclosure
from sfumato.privacy.models.distinct_l_diversity import DistinctLDiversity
from sfumato.privacy.models.entropy_l_diversity import EntropyLDiversity
from sfumato.privacy.models.k_anonymity import KAnonymity
from sfumato.privacy.models.maximum_risk import MaximumRisk
from sfumato.privacy.models.recursive_l_diversity import RecursiveLDiversity
from sfumato.privacy.models.t_closeness import TCloseness
from sfumato.privacy.policy import Policy, Requirement
from sfumato.search.local.counted_tuples import CountedTuples, OrderedColumn, TreeColumn
from sfumato.search.local.recoding import Recoding

LEAVES = "abcdef"
MEASURES: dict[str, Measure] = {  # by the names of tests.search.broken_classes
    "k": KAnonymity(),
    "risk": MaximumRisk(),
    "distinct": DistinctLDiversity("s"),
    "entropy": EntropyLDiversity("s"),
    "recursive": RecursiveLDiversity("s", l=2),
    "t": TCloseness("s"),
    "beta": BasicBetaLikeness("s"),
    "delta": DeltaDisclosure("s"),
    "alpha": AlphaKAnonymity("s"),
}
NAMES = {measure.name(): name for name, measure in MEASURES.items()}


def required(**bounds: float) -> Policy:
    return Policy(tuple(Requirement(MEASURES[name], bound) for name, bound in bounds.items()))


def _coded(column: TreeColumn | OrderedColumn) -> CodedColumn:
    """A column as a condensed table has it; an ordered one has its values only."""
    if isinstance(column, OrderedColumn):
        return CodedColumn(
            column.name, (np.arange(column.leaves),), (np.ones(column.leaves, dtype=int),), column.missing
        )
    labels = tuple(nodes.astype(np.int64) for nodes in column.nodes)
    leaves = tuple(np.maximum(np.bincount(nodes[:-1], minlength=int(nodes.max()) + 1), 1) for nodes in labels)
    return CodedColumn(column.name, labels, leaves, column.leaves - 1)


@dataclass(frozen=True)
class Small:
    """Rows of codes and the sensitive value of each, None where it is missing."""

    columns: tuple[TreeColumn | OrderedColumn, ...]
    rows: tuple[tuple[int, ...], ...]
    sensitive: tuple[int | None, ...]

    @cached_property
    def table(self) -> CodedTable:
        """The rows condensed: those with the same codes and sensitive value are one."""
        counted = Counter(zip(self.rows, self.sensitive, strict=True))
        order = sorted(counted, key=lambda row: (row[0], math.inf if row[1] is None else row[1]))
        records = np.array([counted[row] for row in order], dtype=np.int64)
        known = sorted({value for value in self.sensitive if value is not None})
        held = np.array([-1 if value is None else known.index(value) for _, value in order], dtype=np.int64)
        shares = np.bincount(held[held >= 0], weights=records[held >= 0], minlength=len(known))
        value = CodedValue(held, shares / max(shares.sum(), 1), None, int(records[held < 0].sum()))
        codes = np.array([row for row, _ in order], dtype=np.int64).T
        columns = tuple(_coded(column) for column in self.columns)
        return CodedTable(
            columns=columns,
            codes=codes,
            records=records,
            members=records,
            values={Value("s"): value},
            one_record_each=True,
        )

    @property
    def tuples(self) -> CountedTuples:
        return CountedTuples.of(self.columns, self.table.codes, self.table)

    def classes(self, found: Recoding) -> dict[tuple[str | None, ...], list[int | None]]:
        """The sensitive values of the records that are released alike, told apart by their labels."""
        places = {tuple(row): i for i, row in enumerate(found.tuples.codes.tolist())}
        classes = defaultdict(list)
        for row, value in zip(self.rows, self.sensitive, strict=True):
            group = int(found.group[places[row]])
            classes[tuple(found.label(group, j) for j in range(len(self.columns)))].append(value)
        return dict(classes)

    def met(self, policy: Policy, values: list[int | None]) -> bool:
        """Whether a class meets a policy, from the definitions."""
        own = [None if value is None else f"{value}" for value in values]
        whole = Counter(f"{value}" for value in self.sensitive if value is not None)
        bounds = [(NAMES[r.measure.name()], r.bound) for r in policy.requirements]
        return all(
            len(own) >= 1 / bound - 1e-6 if name == "risk" else not BREAKS[name](own, whole, bound)
            for name, bound in bounds
        )

    def feasible(self, policy: Policy) -> bool:
        return self.met(policy, list(self.sensitive))

    def released(self, found: Recoding) -> tuple[pa.Table, pa.Table]:
        """The original and the release, as tables of texts."""
        places = {tuple(row): i for i, row in enumerate(found.tuples.codes.tolist())}
        before, after = {}, {}
        for j, column in enumerate(self.columns):
            groups = [int(found.group[places[row]]) for row in self.rows]
            before[column.name] = pa.array([column.labels[0][row[j]] for row in self.rows], pa.string())
            after[column.name] = pa.array([found.label(group, j) for group in groups], pa.string())
        return pa.table(before), pa.table(after)

    def best_full_domain(self, policy: Policy, suppression: float = 0.0) -> float:
        """The least loss with one level for each column, by trying them all; classes that break it are suppressed."""
        best = math.inf
        for levels in itertools.product(*(range(column.height + 1) for column in self.columns)):
            classes = defaultdict(list)
            for i, row in enumerate(self.rows):
                classes[tuple(int(c.nodes[lv, x]) for c, lv, x in zip(self.columns, levels, row, strict=True))].append(
                    i
                )
            broken = [own for own in classes.values() if not self.met(policy, [self.sensitive[i] for i in own])]
            gone = {i for own in broken for i in own}
            loss = 0.0
            for i, row in enumerate(self.rows):
                cells = zip(self.columns, levels, row, strict=True)
                loss += sum(c.open if i in gone else float(c.weights[lv, leaf]) for c, lv, leaf in cells)
            if len(gone) <= suppression * len(self.rows) + 1e-9:
                best = min(best, loss / len(self.rows) / len(self.columns))
        return best


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    height = draw(st.integers(1, 3))
    lines = [[leaf] for leaf in LEAVES[: draw(st.integers(1, 6))]]
    for n in range(1, height):
        groups = {label: draw(st.sampled_from(("p", "q", label))) for label in sorted({line[-1] for line in lines})}
        for line in lines:
            group = groups[line[-1]]
            line.append(group if group == line[-1] else f"{group}{n}")
    return Hierarchy(tuple((*line, "*") for line in lines))


def trees() -> st.SearchStrategy[TreeColumn]:
    return hierarchies().map(lambda hierarchy: TreeColumn.of("tree", hierarchy))


def orders() -> st.SearchStrategy[OrderedColumn]:
    numbers = st.lists(st.integers(-3, 40), min_size=1, max_size=7, unique=True)
    return numbers.map(lambda found: OrderedColumn.of("order", [str(number) for number in found]))


@st.composite
def small_tables(draw: st.DrawFn, *, ordered: bool = True) -> Small:
    column = trees() | orders() if ordered else trees()
    drawn = draw(st.lists(column, min_size=1, max_size=3))
    columns = tuple(replace(of, name=f"c{i}") for i, of in enumerate(drawn))
    row = st.tuples(*(st.integers(0, column.leaves - 1) for column in columns))
    rows = tuple(draw(st.lists(row, min_size=1, max_size=24)))
    values = st.lists(st.none() | st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    return Small(columns, rows, tuple(draw(values)))


def policies() -> st.SearchStrategy[Policy]:
    size = st.integers(1, 5).map(lambda k: ("k", k)) | st.integers(1, 5).map(lambda k: ("risk", 1 / k))
    others = st.one_of(
        st.tuples(st.just("distinct"), st.integers(1, 3)),
        st.tuples(st.just("entropy"), st.floats(1, 2.5)),
        st.tuples(st.just("recursive"), st.floats(0.5, 3)),
        st.tuples(st.just("t"), st.floats(0.05, 0.9)),
        st.tuples(st.just("beta"), st.floats(0.2, 3)),
        st.tuples(st.just("delta"), st.floats(0.3, 3)),
        st.tuples(st.just("alpha"), st.floats(0.3, 0.95)),
    )
    return st.tuples(size, st.lists(others, max_size=2)).map(lambda found: required(**dict([found[0], *found[1]])))
