"""Record squared error: how far whole records may be from what was released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.cells import Cells
from sfumato.comparison import Compared, Comparison, Figure, NotApplicable, Read
from sfumato.engine import same, total


@dataclass(frozen=True)
class RecordSquaredError(Comparison):
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

    >>> from sfumato.examples import recoded_ages
    >>> round(RecordSquaredError().of(recoded_ages("full-domain")).total.value, 4)
    0.2985
    """

    bounds = "0 upwards, in standard deviations"
    plainly = "how far whole records may be from what was released, in standard deviations"
    applies_to = "anything, where values are numbers, dates or in a hierarchy"

    def of(self, compared: Compared) -> Read:
        columns = [cells for cells in compared.cells.values() if cells.placed and cells.moments[1]]
        if not columns:
            return Read({}, NotApplicable("no column has numbers, dates or a hierarchy, and more than one value"))
        pairs, m = compared.pairing.table, len(columns)
        joins = " ".join(_join(cells) for cells in columns)
        found, most = (f"sqrt({' + '.join(squares)}) / {m}" for squares in _squares(columns))
        row = pairs.engine.fetch(f"SELECT {_mean(found)}, {_mean(most)} FROM {pairs} AS pair {joins}")[0]
        return Read({}, Figure(float(row[0]), 0.0, float(row[1])))


def _mean(distance: str) -> str:
    return f"{total(f'pair.n * {distance}')} / sum(pair.n)"


def _squares(columns: Sequence[Cells]) -> tuple[list[str], list[str]]:
    """The squared distances of each column: to the ends of the label, and to those of the column."""
    found: list[str] = []
    most: list[str] = []
    for cells in columns:
        c, deviation = f"c{cells.column.number}", cells.moments[1]
        ends = (f"{c}.lo", f"{c}.hi"), (f"{cells.lowest_label!r}", f"{cells.highest_label!r}")
        for squares, (low, high) in zip((found, most), ends, strict=True):
            far = f"greatest(abs({c}.x - {low}), abs({c}.x - {high}))"
            squares.append(f"coalesce(pow({far} / {deviation!r}, 2), 0)")
    return found, most


def _join(cells: Cells) -> str:
    i = cells.column.number
    named = f"SELECT value AS o{i}, label AS l{i}, gone AS g{i}, x, lo, hi FROM {cells.table}"
    return f"JOIN ({named}) AS c{i} ON {same(f'c{i}', 'pair', [f'o{i}', f'l{i}', f'g{i}'])}"
