"""Random small tables with trees, orders, missing and sensitive values, and what is true of them record by record."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from sfumato.group_rules import AtLeast, ClassPolicy, CloseValues, DistinctValues, EvenValues
from sfumato.hierarchy import Hierarchy
from sfumato.partitioning import CountedTuples, Order, Tree
from sfumato.recoding import Recoding

LEAVES = "abcdef"


@dataclass(frozen=True)
class Small:
    """Rows of codes and the sensitive value of each, None where it is missing."""

    columns: tuple[Tree | Order, ...]
    rows: tuple[tuple[int, ...], ...]
    sensitive: tuple[int | None, ...]

    @property
    def tuples(self) -> CountedTuples:
        return CountedTuples.of(self.columns, np.array(self.rows, dtype=np.int32), [("s", self.sensitive)])

    def classes(self, found: Recoding) -> dict[tuple[str | None, ...], list[int | None]]:
        """The sensitive values of the records that are released alike, told apart by their labels."""
        places = {tuple(row): i for i, row in enumerate(found.tuples.codes.tolist())}
        classes = defaultdict(list)
        for row, value in zip(self.rows, self.sensitive, strict=True):
            group = int(found.group[places[row]])
            classes[tuple(found.label(group, j) for j in range(len(self.columns)))].append(value)
        return dict(classes)

    def met(self, policy: ClassPolicy, values: list[int | None]) -> bool:
        """Whether a class meets a policy, from the definitions."""
        known = [value for value in values if value is not None]
        share = Counter(known)
        whole = Counter(value for value in self.sensitive if value is not None)
        entropy = -sum(n / len(known) * math.log(n / len(known)) for n in share.values())
        away = sum(abs(share[v] / max(len(known), 1) - n / whole.total()) for v, n in whole.items()) / 2
        return all(
            {
                AtLeast: lambda rule: len(values) >= rule.k,
                DistinctValues: lambda rule: len(share) >= rule.l,
                EvenValues: lambda rule: bool(known) and math.exp(entropy) >= rule.l - 1e-9,
                CloseValues: lambda rule: not known or away <= rule.t + 1e-9,
            }[type(rule)](rule)
            for rule in policy.rules
        )

    def feasible(self, policy: ClassPolicy) -> bool:
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

    def best_full_domain(self, policy: ClassPolicy) -> float:
        """The least loss with one level for each column, by trying them all."""
        best = math.inf
        for levels in itertools.product(*(range(column.height + 1) for column in self.columns)):
            classes = defaultdict(list)
            loss = 0.0
            for row, value in zip(self.rows, self.sensitive, strict=True):
                labels = [int(c.nodes[lv, leaf]) for c, lv, leaf in zip(self.columns, levels, row, strict=True)]
                classes[tuple(labels)].append(value)
                loss += sum(float(c.weights[lv, x]) for c, lv, x in zip(self.columns, levels, row, strict=True))
            if all(self.met(policy, values) for values in classes.values()):
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


def trees() -> st.SearchStrategy[Tree]:
    return hierarchies().map(lambda hierarchy: Tree.of("tree", hierarchy))


def orders() -> st.SearchStrategy[Order]:
    numbers = st.lists(st.integers(-3, 40), min_size=1, max_size=7, unique=True)
    return numbers.map(lambda found: Order("order", np.array(sorted(found), dtype=np.float64)))


@st.composite
def small_tables(draw: st.DrawFn, *, ordered: bool = True) -> Small:
    column = trees() | orders() if ordered else trees()
    drawn = draw(st.lists(column, min_size=1, max_size=3))
    columns = tuple(replace(of, name=f"c{i}") for i, of in enumerate(drawn))
    row = st.tuples(*(st.integers(0, column.leaves - 1) for column in columns))
    rows = tuple(draw(st.lists(row, min_size=1, max_size=24)))
    values = st.lists(st.none() | st.integers(0, 3), min_size=len(rows), max_size=len(rows))
    return Small(columns, rows, tuple(draw(values)))


def policies() -> st.SearchStrategy[ClassPolicy]:
    k = st.integers(1, 5).map(AtLeast)
    others = st.one_of(
        st.integers(1, 3).map(lambda number: DistinctValues("s", number)),
        st.floats(1, 2.5).map(lambda number: EvenValues("s", number)),
        st.floats(0.05, 0.9).map(lambda t: CloseValues("s", t)),
    )
    return st.tuples(k, st.lists(others, max_size=2)).map(lambda found: ClassPolicy((found[0], *found[1])))
