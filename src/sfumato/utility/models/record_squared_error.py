"""Record squared error: how far whole records may be from what was released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.tables.engine import Table, in_units, listed, same, total
from sfumato.utility.exact_total import added_by_engine, engine_total
from sfumato.utility.model_interface import Figure, NotApplicable, Outcome, TableModel
from sfumato.utility.paired.column_cells import ColumnCells
from sfumato.utility.paired.comparison import Comparison


@dataclass(frozen=True)
class RecordSquaredError(TableModel):
    r"""The mean distance from each record to the farthest one that its labels allow, in standard deviations.

    .. math:: \frac1N \sum_x \frac1m \sqrt{\sum_{j=1}^m \Bigl(\frac{\max(|x_j - lo_j|, |x_j - hi_j|)}{\sigma_j}\Bigr)^2}

    Numbers and dates (in days) are taken as they are, other values by their place in the hierarchy; columns in which
    all are alike are left out. When everything is suppressed the farthest are the ends of what a column and its labels
    hold.

    References
    ----------
    Domingo-Ferrer & Torra (2001). A quantitative comparison of disclosure control methods for microdata.
    In: Confidentiality, Disclosure and Data Access, 111-133.

    Examples
    --------
    Two of six people may be 15 years wrong:

    >>> from sfumato.studies.printed_tables import recoded_ages
    >>> round(RecordSquaredError().of(recoded_ages("full-domain")).total.value, 4)
    0.2985
    """

    bounds = "0 upwards, in standard deviations"
    plainly = "how far whole records may be from what was released, in standard deviations"
    applies_to = "anything, where values are numbers, dates or in a hierarchy"

    def of_table(self, compared: Comparison) -> Outcome:
        columns = [cells for cells in compared.cells.values() if cells.placed and cells.moments[1]]
        if not columns:
            return NotApplicable("no column has numbers, dates or a hierarchy, and more than one value")
        farthest, most = _in_arrays(compared, columns) or _in_engine(compared, columns)
        return Figure(farthest, 0.0, most)


def _in_arrays(compared: Comparison, columns: Sequence[ColumnCells]) -> tuple[float, float] | None:
    """The means over pairs that were brought here, of squares that the engine reads off the few cells of each column.

    None where there are too many pairs, or numbers too large.
    """
    codes, means = compared.pair_codes, list[float]()
    if codes is None:
        return None
    squares = _squares_of_cells(compared, columns)
    coded = [codes.columns[cells.column.number] for cells in columns]
    for end in (0, 1):
        units = [[squares[cells.column.number, *cell][end] for cell in column.cells]
                 for cells, column in zip(columns, coded, strict=True)]  # fmt: skip
        sums = added_by_engine([column.places for column in coded], units)
        if sums is None:
            return None
        means.append(engine_total(codes.records * (np.sqrt(sums) / len(columns))) / int(codes.records.sum()))
    return means[0], means[1]


def _squares_of_cells(compared: Comparison, columns: Sequence[ColumnCells]) -> dict[tuple[Any, ...], tuple[int, int]]:
    """By the number of a column, value, label and whether it is gone: both squared distances, in units."""
    each = (
        f"SELECT {cells.column.number} AS col, value, label, gone, {listed(map(in_units, _distances(cells)))} "
        f"FROM {cells.table}"
        for cells in columns
    )
    rows = compared.pairing.engine.fetch(" UNION ALL ".join(each))
    return {(int(col), value, label, bool(gone)): (int(far), int(most)) for col, value, label, gone, far, most in rows}


def _in_engine(compared: Comparison, columns: Sequence[ColumnCells]) -> tuple[float, float]:
    engine, m = compared.pairing.engine, len(columns)
    pairs = engine.numbered(f"SELECT * FROM {compared.pairing.table}", "pair")
    squares = " UNION ALL ".join(_squares(pairs, cells) for cells in columns)
    distances = engine.view(f"""
        SELECT pair, max(n) AS n, sqrt({total("farthest")}) / {m} AS farthest, sqrt({total("most")}) / {m} AS most
        FROM ({squares}) AS by_column GROUP BY pair""")
    means = (f"{total(f'n * {distance}')} / sum(n)" for distance in ("farthest", "most"))
    farthest, most = engine.fetch(f"SELECT {listed(means)} FROM {distances}")[0]
    return float(farthest), float(most)


def _squares(pairs: Table, cells: ColumnCells) -> str:
    """The squared distances of one column for each pair."""
    i, (farthest, most) = cells.column.number, _distances(cells)
    cell = f"SELECT value AS o{i}, label AS l{i}, gone AS g{i}, x, lo, hi FROM {cells.table}"
    return f"""
        SELECT pair.pair, pair.n, {farthest} AS farthest, {most} AS most FROM {pairs} AS pair
        JOIN ({cell}) AS cell ON {same("cell", "pair", [f"o{i}", f"l{i}", f"g{i}"])}"""


def _distances(cells: ColumnCells) -> tuple[str, str]:
    """The squared distances of a cell: to the ends of the label, and to those of the column."""
    deviation = cells.moments[1]

    def square(low: str, high: str) -> str:
        return f"coalesce(pow(greatest(abs(x - {low}), abs(x - {high})) / {deviation!r}, 2), 0)"

    return square("lo", "hi"), square(f"{cells.lowest_label!r}", f"{cells.highest_label!r}")
