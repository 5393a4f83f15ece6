"""Record squared error: how far whole records may be from what was released."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.tables.engine import Table, listed, same, total
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
        engine, m = compared.pairing.engine, len(columns)
        pairs = engine.numbered(f"SELECT * FROM {compared.pairing.table}", "pair")
        squares = " UNION ALL ".join(_squares(pairs, cells) for cells in columns)
        distances = engine.view(f"""
            SELECT pair, max(n) AS n, sqrt({total("farthest")}) / {m} AS farthest, sqrt({total("most")}) / {m} AS most
            FROM ({squares}) AS by_column GROUP BY pair""")
        means = (f"{total(f'n * {distance}')} / sum(n)" for distance in ("farthest", "most"))
        farthest, most = engine.fetch(f"SELECT {listed(means)} FROM {distances}")[0]
        return Figure(float(farthest), 0.0, float(most))


def _squares(pairs: Table, cells: ColumnCells) -> str:
    """The squared distances of one column: to the ends of the label, and to those of the column."""
    i, deviation = cells.column.number, cells.moments[1]
    cell = f"SELECT value AS o{i}, label AS l{i}, gone AS g{i}, x, lo, hi FROM {cells.table}"

    def square(low: str, high: str) -> str:
        return f"coalesce(pow(greatest(abs(x - {low}), abs(x - {high})) / {deviation!r}, 2), 0)"

    most = square(f"{cells.lowest_label!r}", f"{cells.highest_label!r}")
    return f"""
        SELECT pair.pair, pair.n, {square("lo", "hi")} AS farthest, {most} AS most FROM {pairs} AS pair
        JOIN ({cell}) AS cell ON {same("cell", "pair", [f"o{i}", f"l{i}", f"g{i}"])}"""
