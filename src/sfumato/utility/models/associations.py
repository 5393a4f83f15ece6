"""Associations: how much of what links two columns was kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sfumato.tables.engine import Engine, Table, listed, literal, same, total
from sfumato.utility.model_interface import Figure, Figures, NotApplicable, Outcome, UtilityModel
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import LARGEST

# An association below is none. V and eta are square roots, so that an error of rounding, about 1e-16 for each of some
# thousand cells, looks like 1e-7 to 1e-6.
NOTHING = 1e-6
# Columns of which every pair is read, 11,175 of them: two queries each, some minutes together. A table of thousands of
# columns has millions of pairs, which no run would end, and a sample of them would be another figure.
MOST = 150


@dataclass(frozen=True)
class Associations(UtilityModel):
    r"""The mean absolute difference between the associations of two columns before and after, over all pairs.

    .. math:: \frac{1}{|pairs|} \sum_{a < b} |A'(a, b) - A(a, b)|

    A is, for two numbers (or dates), Pearson's correlation; for two categories, Cramér's V without correction of its
    bias, :math:`\sqrt{\phi^2 / \min(r - 1, c - 1)}` with :math:`\phi^2 = \sum_{ij} n_{ij}^2 / (n_i n_j) - 1`; for a
    category and a number the correlation ratio :math:`\eta = \sqrt{SS_{between} / SS_{total}}`. V and :math:`\eta`
    are 1 where nearly every value occurs once, and fewer labels may well have a higher V than the values had.

    The associations after are those that a reader of the release would compute: a label is a category, and of a number
    it is the middle of what it stands for; records of which either value is missing or suppressed are left out
    (`records_after`). A column that has become constant is associated with nothing. Pairs with a column that was
    constant before are left out. The value of a column is the mean over its pairs. Untouched reads 0; with everything
    suppressed all associations are 0, which reads their mean before. Of more than 150 columns it is not read.

    References
    ----------
    Cramér (1946). Mathematical methods of statistics, chapter 21. Pearson (1905). On the general theory of skew
    correlation and non-linear regression (the correlation ratio). Domingo-Ferrer & Torra (2001). Disclosure control
    methods and information loss for microdata (differences of correlations as information loss).

    Examples
    --------
    Age and income rise together, and do so still in tens of years:

    >>> import pyarrow as pa
    >>> from sfumato.tables.engines.duckdb import DuckDB
    >>> from sfumato.utility.paired.pairing import Pairing
    >>> engine = DuckDB()
    >>> before = engine.load(pa.table({"age": [20, 25, 30, 35], "income": [1, 2, 3, 4]}))
    >>> after = engine.load(pa.table({"age": ["20s", "20s", "30s", "30s"], "income": [1, 2, 3, 4]}))
    >>> figure = Associations().of(Comparison.of(Pairing.of(before, after, ["age", "income"]))).total
    >>> figure.more["pairs"][0]["before"], round(figure.more["pairs"][0]["after"], 4), round(figure.value, 4)
    (1.0, 0.8944, 0.1056)
    """

    bounds = "0 to 1 (2 for correlations that turned round)"
    plainly = "by how much the links between two columns differ from before, on average"

    def of(self, compared: Comparison) -> Figures:
        names = [column.name for column in compared.pairing.columns]
        if len(names) < 2:
            return Figures({}, NotApplicable("needs two columns"))
        if len(names) > MOST:
            return Figures({}, NotApplicable(f"reads every pair of columns, of {MOST} at most"))
        sides = _sides(compared)
        associations = [_pair(sides, compared.cells[a], compared.cells[b]) for a, b in combinations(names, 2)]
        pairs = [pair for pair in associations if pair["before"] is not None]
        columns = {name: _mean([pair for pair in pairs if name in pair["columns"]]) for name in names}
        return Figures(columns, _mean(pairs, {"pairs": pairs}))


def _mean(pairs: Sequence[Mapping[str, Any]], more: Mapping[str, Any] | None = None) -> Outcome:
    if not pairs:
        return NotApplicable("no two columns of which both vary")
    changed = math.fsum(abs(pair["after"] - pair["before"]) for pair in pairs)
    return Figure(changed / len(pairs), 0.0, math.fsum(abs(p["before"]) for p in pairs) / len(pairs), more or {})


def _sides(compared: Comparison) -> dict[str, Table]:
    """The records before (b1, b2, ...) and after (a1, a2, ...), each by itself: of the second few are different."""
    table = _side_by_side(compared)
    sides = {}
    for side in "ba":
        columns = listed(f"{side}{column.number}" for column in compared.pairing.columns)
        counted = f"SELECT {columns}, sum(n) AS n FROM {table} GROUP BY {columns}"
        sides[side] = compared.pairing.held(("associations", side), counted)
    return sides


def _side_by_side(compared: Comparison) -> Table:
    """The pairs of records with each column before (b1, b2, ...) and after (a1, a2, ...), as category or as number."""
    pairing = compared.pairing
    cells = [(column.number, compared.cells[column.name]) for column in pairing.columns]
    shown = [
        f"t{i}.b AS b{i}, t{i}.a AS a{i}" if known.numeric else f"pair.o{i} AS b{i}, pair.l{i} AS a{i}"
        for i, known in cells
    ]
    joins = " ".join(_numbers(known) for _, known in cells if known.numeric)
    return pairing.engine.view(f"SELECT {listed(shown)}, pair.n FROM {pairing.table} AS pair {joins}")


def _numbers(cells: ColumnCells) -> str:
    """A join of the pairs with the numbers of a column, before and after."""
    i = cells.column.number
    keys = [f"{part}{i}" for part in "olg"]
    most = literal(LARGEST)
    numbers = f"""
        SELECT value AS o{i}, label AS l{i}, gone AS g{i},
            CASE WHEN value IS NOT NULL AND abs(x) < {most} THEN x END AS b,
            CASE WHEN label IS NOT NULL AND abs(lo) < {most} AND abs(hi) < {most} THEN lo / 2 + hi / 2 END AS a
        FROM {cells.table}"""
    return f"JOIN ({numbers}) AS t{i} ON {same(f't{i}', 'pair', keys)}"


def _pair(sides: Mapping[str, Table], first: ColumnCells, second: ColumnCells) -> dict[str, Any]:
    """The association of two columns before and after, and how many records have both."""
    numbers = [cells.numeric for cells in (first, second)]
    kind, of = {0: ("cramers_v", _cramer), 1: ("eta", _ratio), 2: ("pearson", _pearson)}[sum(numbers)]
    ordered = (second, first) if numbers == [True, False] else (first, second)
    (n, before), (m, after) = (of(table.engine, _both(table, side, *ordered)) for side, table in sides.items())
    return {
        "columns": [first.column.name, second.column.name],
        "kind": kind,
        "before": before,
        "after": 0.0 if after is None else after,
        "records_before": n,
        "records_after": m,
    }


def _both(table: Table, side: str, first: ColumnCells, second: ColumnCells) -> str:
    """The values u and v of two columns, on one side, of the records that have both; numbers from 0 to 1. A SELECT."""
    u, v = (f"{side}{cells.column.number}" for cells in (first, second))
    counted = f"""
        SELECT {u} AS u, {v} AS v, CAST(sum(n) AS DOUBLE) AS n FROM {table}
        WHERE {u} IS NOT NULL AND {v} IS NOT NULL GROUP BY {u}, {v}"""
    shown = (_scaled(name) if cells.numeric else name for name, cells in (("u", first), ("v", second)))
    return "(SELECT {} AS u, {} AS v, n FROM ({}) AS counted) AS both_values".format(*shown, counted)


def _scaled(number: str) -> str:
    """A number on the way from the smallest to the largest; in halves, because that way may be too long for floats."""
    low, high = (f"{end}({number}) OVER () / 2" for end in ("min", "max"))
    return f"coalesce(({number} / 2 - {low}) / nullif({high} - {low}, 0), 0)"


def _cramer(engine: Engine, both: str) -> tuple[int, float | None]:
    """Cramér's V."""
    counted = f"""
        SELECT u, v, n, sum(n) OVER (PARTITION BY u) AS nu, sum(n) OVER (PARTITION BY v) AS nv FROM {both}"""
    n, phi, rows, columns = engine.fetch(f"""
        SELECT coalesce(sum(n), 0), {total("n / nu * n / nv")}, count(DISTINCT u), count(DISTINCT v)
        FROM ({counted}) AS margins""")[0]
    if min(rows, columns) < 2:
        return int(n), None
    return int(n), _association(math.sqrt(max(0.0, float(phi) - 1) / (min(rows, columns) - 1)))


def _ratio(engine: Engine, both: str) -> tuple[int, float | None]:
    """The correlation ratio of the category u and the number v."""
    groups = f"""
        SELECT u, sum(n) AS n, {total("n * v")} AS s, {total("n * v * v")} AS q, min(v) AS low, max(v) AS high
        FROM {both} GROUP BY u"""
    n, categories, low, high, s, q, between = engine.fetch(f"""
        SELECT coalesce(sum(n), 0), count(*), min(low), max(high), {total("s")}, {total("q")}, {total("s / n * s")}
        FROM ({groups}) AS categories""")[0]
    if categories < 2 or low == high:
        return int(n), None
    everything = float(q) - float(s) ** 2 / float(n)
    return int(n), _association(math.sqrt(max(0.0, float(between) - float(s) ** 2 / float(n)) / everything))


def _pearson(engine: Engine, both: str) -> tuple[int, float | None]:
    """The correlation of two numbers."""
    sums = listed(total(f"n * {product}") for product in ("u", "v", "u * u", "v * v", "u * v"))
    n, u0, u1, v0, v1, *sums_of_products = engine.fetch(f"""
        SELECT coalesce(sum(n), 0), min(u), max(u), min(v), max(v), {sums} FROM {both}""")[0]
    if u0 == u1 or v0 == v1:
        return int(n), None
    u, v, uu, vv, uv = (float(number) / float(n) for number in sums_of_products)
    return int(n), _association((uv - u * v) / math.sqrt((uu - u * u) * (vv - v * v)))


def _association(number: float) -> float:
    return 0.0 if abs(number) < NOTHING else min(1.0, max(-1.0, number))
