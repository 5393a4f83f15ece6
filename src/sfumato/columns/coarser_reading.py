"""CoarserReading: how a column would be read with less detail, to see what that would do to the risk.

This is a forecast for ranking columns, not a transformation: a plan says in full what is done to a column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sfumato.columns.profile import ColumnProfile
from sfumato.tables.engine import Kind, Table, listed, literal, one_value, quoted

# A forecast has to be one usual first step, the same for every column, so that columns can be compared: ten bands and
# five categories are what people begin with. Chosen, not measured.
BANDS = 10  # intervals of a number
KEPT = 5  # categories that are kept, the others being merged
CODE = re.compile(r"[\w./-]*\d[\w./ -]*")


@dataclass(frozen=True)
class CoarserReading:
    """A coarser reading, as SQL over `value`, and in words."""

    sql: str
    words: str


def coarser_reading(table: Table, column: ColumnProfile) -> CoarserReading | None:
    """The usual first step for a column of this kind; None where nothing is left to coarsen."""
    if column.known <= 2:
        return None
    if column.kind in (Kind.DATE, Kind.TIMESTAMP):
        return CoarserReading("extract(year FROM value)", "the year only")
    if column.kind.numeric:
        return _bands(table, column) if column.known > BANDS else _merged(table, column)
    if column.kind is Kind.TEXT and _codes(column):
        return CoarserReading(
            "substr(value, 1, CAST(ceil(length(value) / 2.0) AS INTEGER))", "the first half of the code"
        )
    return _merged(table, column)


def _codes(column: ColumnProfile) -> bool:
    """Whether most values look like codes: without blanks at most one word, and with a digit."""
    matched = sum(CODE.fullmatch(text) is not None for text in column.sample)
    return matched > len(column.sample) / 2


def _bands(table: Table, column: ColumnProfile) -> CoarserReading | None:
    value = one_value(quoted(column.name), column.kind)
    low, high = table.engine.fetch(f"SELECT min({value}), max({value}) FROM {table}")[0]
    width = (float(high) - float(low)) / BANDS
    if not 0 < width < float("inf"):
        return None
    banded = f"least(floor((CAST(value AS DOUBLE) - {literal(float(low))}) / {literal(width)}), {BANDS - 1})"
    return CoarserReading(banded, "ten equal bands")


def _merged(table: Table, column: ColumnProfile) -> CoarserReading:
    """The most frequent categories, and all others as one."""
    kept, name = min(KEPT, column.known // 2), f"CAST({quoted(column.name)} AS VARCHAR)"
    frequent = table.engine.fetch(f"""
        SELECT {name} FROM {table} WHERE {name} IS NOT NULL
        GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {kept}""")
    text = "CAST(value AS VARCHAR)"
    same = f"{text} IN ({listed(literal(str(value)) for (value,) in frequent)})"
    words = f"the {kept} most frequent values, the others as one" if kept > 1 else "the most frequent value or another"
    return CoarserReading(f"CASE WHEN value IS NULL OR {same} THEN {text} ELSE 'other' END", words)
