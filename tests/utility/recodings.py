"""Random tables, hierarchies and recodings, and what should be read off them, record by record."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from hypothesis import strategies as st

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.tables.engine import Engine
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

LEAVES = ("a", "b", "c", "d", "e")
Level = list[int]


@dataclass(frozen=True)
class Recoding:
    """A column of values, its hierarchy, and the level to which each record is generalised."""

    values: tuple[str | None, ...]
    hierarchy: Hierarchy
    levels: tuple[int, ...]

    @property
    def labels(self) -> list[str | None]:
        return [self.hierarchy.label(v, level) for v, level in zip(self.values, self.levels, strict=True)]

    def compared(self, engine: Engine) -> Comparison:
        before, after = (engine.load(table(column)) for column in (self.values, self.labels))
        return Comparison.of(Pairing.of(before, after, ["x"], hierarchies={"x": self.hierarchy}))

    def own_levels(self) -> list[int]:
        """The lowest level at which each value has its label."""
        h = self.hierarchy
        return [
            next(n for n in range(h.height + 1) if n == level or h.label(value, n) == h.label(value, level))
            for value, level in zip(self.values, self.levels, strict=True)
        ]

    def generic(self) -> float:
        """S1.8, in bits: for each level, the records that reached it, counted among themselves."""
        lost = 0.0
        for n in range(1, self.hierarchy.height + 1):
            affected = [v for v, level in zip(self.values, self.own_levels(), strict=True) if level >= n]
            before = Counter(self.hierarchy.label(v, n - 1) for v in affected)
            after = Counter(self.hierarchy.label(v, n) for v in affected)
            lost += sum(
                -math.log2(before[self.hierarchy.label(v, n - 1)] / after[self.hierarchy.label(v, n)]) for v in affected
            )
        return lost

    def conventional(self) -> float:
        """S1.6, in bits."""
        before, after = Counter(self.values), Counter(self.labels)
        return sum(-math.log2(before[v] / after[w]) for v, w in zip(self.values, self.labels, strict=True))

    def leaves(self, value: str | None, level: int) -> int:
        label = self.hierarchy.label(value, level)
        if value is None and level < self.hierarchy.height:
            return 1
        return sum(line[level] == label for line in self.hierarchy.lines)


def table(column: Sequence[str | None], name: str = "x") -> pa.Table:
    return pa.table({name: pa.array(list(column), pa.string())})


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """Trees over five leaves, of height 1 to 3; a label may stay the same from one level to the next."""
    height = draw(st.integers(1, 3))
    lines = [[leaf] for leaf in LEAVES]
    for n in range(1, height):
        groups = {label: draw(st.sampled_from(("p", "q", label))) for label in sorted({line[-1] for line in lines})}
        for line in lines:
            group = groups[line[-1]]
            line.append(group if group == line[-1] else f"{group}{n}")
    return Hierarchy(tuple((*line, "*") for line in lines))


@st.composite
def recodings(draw: st.DrawFn, *, full_domain: bool = False, missing: bool = True) -> Recoding:
    hierarchy = draw(hierarchies())
    leaf: st.SearchStrategy[str | None] = st.sampled_from(LEAVES)
    values = draw(st.lists(leaf | st.none() if missing else leaf, min_size=1, max_size=12))
    one = st.integers(0, hierarchy.height)
    levels = [draw(one)] * len(values) if full_domain else [draw(one) for _ in values]
    return Recoding(tuple(values), hierarchy, tuple(levels))
