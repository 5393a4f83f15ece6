"""Random rows and requests: few and many persons, even and uneven groups, one to three columns, linked tables, sums."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from tests.statistics.independent_attacker import Rules, Truth, faults

import sfumato as sf

SHAPES = ((2,), (5,), (2, 2), (2, 3), (3, 4), (2, 2, 2), (2, 3, 2))
LINKED = ((("a", "b"), ("a", "c")), (("a",), ("b", "c")), (("a", "b"), ("b", "c"), ("a", "c")))


@dataclass(frozen=True)
class RandomTable:
    """What is asked for, and the rows."""

    rows: Sequence[dict[str, Any]]
    tables: Sequence[Sequence[str]]
    rules: Rules
    sums: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for table in self.tables for column in table))

    def tabulated(self) -> sf.Tabulation:
        rules = self.rules
        return sf.tabulate(
            pa.Table.from_pylist(list(self.rows)), self.tables, sums=self.sums, threshold=rules.threshold,
            round_to=rules.base, zeros="shown" if rules.zeros_shown else "hidden", p=rules.p,
            dominance=(rules.largest, rules.share),
        )  # fmt: skip

    def truth(self) -> Truth:
        return Truth(self.rows, self.columns)

    def faults(self) -> list[str]:
        return list(faults(self.tabulated().table_csv(), self.truth(), self.rules, self.sums))


def drawn(number: int, *, most: int = 90, sums: bool = True) -> RandomTable:
    """The random table of a number, always the same."""
    draw = random.Random(number)
    shape = draw.choice(SHAPES)
    names = "abc"[: len(shape)]
    weights = [[draw.random() ** draw.choice([0.3, 3]) + 0.01 for _ in range(size)] for size in shape]
    rows = []
    for _ in range(draw.randint(1, most)):
        row: dict[str, Any] = {
            name: f"{name}{draw.choices(range(size), each)[0]}"
            for name, size, each in zip(names, shape, weights, strict=True)
        }
        row["cost"] = round(draw.lognormvariate(3, draw.choice([0.3, 1.5])), 2)
        rows.append(row)
    linked = len(shape) == 3 and draw.random() < 0.5
    measured = ("cost",) if sums and draw.random() < 0.4 and len({row["cost"] for row in rows}) > 2 else ()
    threshold = draw.choice([2, 3, 5, 10])
    return RandomTable(
        rows,
        draw.choice(LINKED) if linked else (tuple(names),),
        Rules(
            threshold=threshold, base=1 if measured or threshold < 3 else draw.choice([1, 1, 5]),
            zeros_shown=draw.random() < 0.4,
        ),
        measured,
    )  # fmt: skip
