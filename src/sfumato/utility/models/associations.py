"""Associations: how much of what links two columns was kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.privacy.coded.arrow_columns import numbers_from_arrow
from sfumato.privacy.coded.distinct_rows import first_places, value_numbers
from sfumato.tables.engine import Table, listed, literal, same
from sfumato.utility.exact_total import exact_total, exact_totals
from sfumato.utility.model_interface import Figure, Figures, NotApplicable, Outcome, UtilityModel
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.label_levels import LARGEST
from sfumato.utility.paired.pair_codes import Cell

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Real, Whole

# An association below is none. V and eta are square roots, so that an error of rounding, about 1e-16 for each of some
# thousand cells, looks like 1e-7 to 1e-6.
NOTHING = 1e-6
# Columns of which every pair is read, 11,175 of them: seconds to minutes together. A table of thousands of columns has
# millions of pairs, which no run would end, and a sample of them would be another figure.
MOST = 150
DENSE = 4  # places that are counted in for each pair of records, before those that are taken are looked for instead


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
        both = _sides(compared)
        associations = [_pair(both, compared.cells[a], compared.cells[b]) for a, b in combinations(names, 2)]
        pairs = [pair for pair in associations if pair["before"] is not None]
        columns = {name: _mean([pair for pair in pairs if name in pair["columns"]]) for name in names}
        return Figures(columns, _mean(pairs, {"pairs": pairs}))


def _mean(pairs: Sequence[Mapping[str, Any]], more: Mapping[str, Any] | None = None) -> Outcome:
    if not pairs:
        return NotApplicable("no two columns of which both vary")
    changed = math.fsum(abs(pair["after"] - pair["before"]) for pair in pairs)
    return Figure(changed / len(pairs), 0.0, math.fsum(abs(p["before"]) for p in pairs) / len(pairs), more or {})


def _sides(compared: Comparison) -> Callable[[str, str], _Both]:
    """What gives the values of two columns of one side (b1 and b2 before, a1 and a2 after) and counts them together.

    Few pairs of records are brought here once, as codes; of many, each pair of columns is counted where they are.
    """
    engine, codes = compared.pairing.engine, compared.pair_codes
    if codes is None:
        table = _side_by_side(compared)

        def counted(u: str, v: str) -> _Both:
            both = f"SELECT {u}, {v}, CAST(sum(n) AS BIGINT) AS n FROM {table} GROUP BY {u}, {v}"
            coded, n = _coded(engine.arrow(both))
            return _Both.of(coded[u], coded[v], n)

        return counted
    sides = _sides_of_cells(compared)
    held = {
        f"{side}{i}": _Values.of([sides[i][cell][place] for cell in column.cells], column.places)
        for i, column in codes.columns.items()
        for place, side in enumerate("ba")
    }
    return lambda u, v: _Both.of(held[u], held[v], codes.records)


def _sides_of_cells(compared: Comparison) -> dict[int, Mapping[Cell, tuple[Any, Any]]]:
    """Of each column, by its number: what a cell is before and after, as category or as number."""
    assert compared.pair_codes is not None
    sides: dict[int, dict[Cell, tuple[Any, Any]]] = {
        i: {cell: cell[:2] for cell in column.cells} for i, column in compared.pair_codes.columns.items()
    }
    numeric = [cells for cells in compared.cells.values() if cells.numeric]
    each = (f"SELECT {cells.column.number} AS col, * FROM ({_numbers_of_cells(cells)}) AS cell" for cells in numeric)
    for col, value, label, gone, before, after in (
        compared.pairing.engine.fetch(" UNION ALL ".join(each)) if numeric else ()
    ):
        sides[int(col)][value, label, bool(gone)] = before, after
    return dict(sides)


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
    cell = f"SELECT value AS o{i}, label AS l{i}, gone AS g{i}, b, a FROM ({_numbers_of_cells(cells)}) AS cell"
    return f"JOIN ({cell}) AS t{i} ON {same(f't{i}', 'pair', [f'{part}{i}' for part in 'olg'])}"


def _numbers_of_cells(cells: ColumnCells) -> str:
    """The cells of a column with their numbers before and after."""
    most = literal(LARGEST)
    return f"""
        SELECT value, label, gone, CASE WHEN value IS NOT NULL AND abs(x) < {most} THEN x END AS b,
            CASE WHEN label IS NOT NULL AND abs(lo) < {most} AND abs(hi) < {most} THEN lo / 2 + hi / 2 END AS a
        FROM {cells.table}"""


@dataclass(frozen=True)
class _Values:
    """A column as codes, negative where there is no value, and the values that they stand for."""

    codes: Whole
    values: Sequence[Any]

    @classmethod
    def of(cls, known: Sequence[Any], places: Whole) -> _Values:
        """Values that rows have by their places among some."""
        numbers = {value: number for number, value in enumerate(dict.fromkeys(v for v in known if v is not None))}
        return cls(np.array([numbers.get(value, -1) for value in known], dtype=np.int64)[places], list(numbers))


def _coded(table: pa.Table) -> tuple[dict[str, _Values], Whole]:
    """The columns of a table as codes, and the records of its rows, n."""
    coded = {}
    for name in table.column_names:
        if name != "n":
            column = table[name].dictionary_encode().unify_dictionaries()
            codes = [numbers_from_arrow(chunk.indices, missing=-1) for chunk in column.chunks]
            values = column.chunk(0).dictionary.to_pylist() if column.num_chunks else []
            coded[name] = _Values(np.concatenate([np.zeros(0, dtype=np.int64), *codes]), values)
    return coded, numbers_from_arrow(table["n"])


@dataclass(frozen=True)
class _Both:
    """The values of two columns of the records that have both: the codes of each different pair, and its records."""

    u: Whole
    v: Whole
    n: Real
    values: tuple[Sequence[Any], Sequence[Any]]

    @classmethod
    def of(cls, first: _Values, second: _Values, n: Whole) -> _Both:
        known = (first.codes >= 0) & (second.codes >= 0)
        width = max(1, len(second.values))
        cells = first.codes[known] * width + second.codes[known]
        if len(first.values) * width <= DENSE * (1 + len(n)):  # a place for each pair of values that there could be
            counts = np.bincount(cells, weights=n[known])
            different = np.flatnonzero(counts)
            counts = counts[different]
        else:
            places = value_numbers(cells)
            counts, different = np.bincount(places, weights=n[known]), cells[first_places(places)]
        return cls(different // width, different % width, counts.astype(float), (first.values, second.values))

    @property
    def turned(self) -> _Both:
        return _Both(self.v, self.u, self.n, (self.values[1], self.values[0]))

    @property
    def records(self) -> int:
        return int(self.n.sum())

    def scaled(self, place: int) -> Real:
        """The numbers of one column, each on the way from the smallest to the largest of those that occur here.

        In halves, because that way may be too long for floats.
        """
        halves = np.array(self.values[place], dtype=float)[(self.u, self.v)[place]] / 2
        low, high = halves.min(initial=np.inf), halves.max(initial=-np.inf)
        return (halves - low) / (high - low) if low < high else np.zeros(len(halves))


def _pair(both: Callable[[str, str], _Both], first: ColumnCells, second: ColumnCells) -> dict[str, Any]:
    """The association of two columns before and after, and how many records have both."""
    numbers = [cells.numeric for cells in (first, second)]
    kind, of = {0: ("cramers_v", _cramer), 1: ("eta", _ratio), 2: ("pearson", _pearson)}[sum(numbers)]
    sides = [both(f"{side}{first.column.number}", f"{side}{second.column.number}") for side in "ba"]
    before, after = (of(side.turned if numbers == [True, False] else side) for side in sides)
    return {
        "columns": [first.column.name, second.column.name],
        "kind": kind,
        "before": before,
        "after": 0.0 if after is None else after,
        "records_before": sides[0].records,
        "records_after": sides[1].records,
    }


def _cramer(both: _Both) -> float | None:
    """Cramér's V."""
    n, nu, nv = both.n, np.bincount(both.u, weights=both.n), np.bincount(both.v, weights=both.n)
    fewest = min(np.count_nonzero(nu), np.count_nonzero(nv))
    if fewest < 2:
        return None
    phi = exact_total(n / nu[both.u] * n / nv[both.v])
    return _association(math.sqrt(max(0.0, phi - 1) / (fewest - 1)))


def _ratio(both: _Both) -> float | None:
    """The correlation ratio of the category u and the number v."""
    groups, n, v = value_numbers(both.u), both.n, both.scaled(1)
    if int(groups.max(initial=0)) < 1 or v.min() == v.max():
        return None
    s, q = exact_totals(n * v, groups), exact_totals(n * v * v, groups)
    between = exact_total(s / np.bincount(groups, weights=n) * s)
    square = exact_total(s) ** 2 / both.records
    return _association(math.sqrt(max(0.0, between - square) / (exact_total(q) - square)))


def _pearson(both: _Both) -> float | None:
    """The correlation of two numbers."""
    n, a, b = both.n, both.scaled(0), both.scaled(1)
    if not len(n) or a.min() == a.max() or b.min() == b.max():
        return None
    products = (n * a, n * b, n * a * a, n * b * b, n * a * b)
    u, v, uu, vv, uv = (exact_total(product) / both.records for product in products)
    return _association((uv - u * v) / math.sqrt((uu - u * u) * (vv - v * v)))


def _association(number: float) -> float:
    return 0.0 if abs(number) < NOTHING else min(1.0, max(-1.0, number))
