"""Label levels: what became of each value, and the level, the leaves and the numbers of the label that it got."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from sfumato.hierarchies.hierarchy import TOP
from sfumato.tables.engine import Table, listed, literal
from sfumato.utility.paired.hierarchy_table import highest_level, label_table
from sfumato.utility.paired.interval_label import IntervalLabel
from sfumato.utility.paired.pairing import PairedColumn

if TYPE_CHECKING:
    import pyarrow as pa


class ValueChange(StrEnum):
    """What became of a value."""

    SAME = "same"
    BROADER = "broader"  # generalised: the label stands for several values, this one among them
    GONE = "gone"  # suppressed, in the cell or with its record
    MOVED = "moved"  # perturbed: another value stands in its place


# A number beyond is infinite: it is a value, but nothing can be reckoned with it. The largest double is 1.8e308, so
# that sums and differences of numbers below stay finite; squares are only taken of shares of a range.
LARGEST = 1e300
KEPT = (ValueChange.SAME, ValueChange.MOVED)  # what a label says of itself


def cells_with_levels(
    counted: Table, columns: Sequence[PairedColumn], tree: Table | None
) -> tuple[Table, frozenset[int]]:
    """Every value beside its label with what became of it, and the columns in which values have several labels."""
    others = [column for column in columns if not column.hierarchy]
    parts, several = [], frozenset[int]()
    names = listed([*PLACED, *(f"a{n}" for n in range(1, highest_level(columns) + 1))])
    if tree:
        parts.append(
            _by_hierarchy(counted, [column for column in columns if column.hierarchy], tree, highest_level(columns))
        )
    if others:
        table, several = _by_values(counted, others, highest_level(columns))
        parts.append(table)
    return counted.engine.view(" UNION ALL ".join(f"SELECT {names} FROM {part}" for part in parts)), several


PLACED = (
    "col", "value", "label", "gone", "n", "own", "moved_to", "place", "first", "last", "label_place", "known",
    "strange", "level", "highest", "depth", "leaves", "change",
)  # fmt: skip


def _by_hierarchy(counted: Table, columns: Sequence[PairedColumn], tree: Table, top: int) -> Table:
    """ColumnCells with the level at which a hierarchy gives a value its label, and the leaves of that label."""
    engine, levels = counted.engine, range(top + 1)
    height = _by_column((column, str(column.hierarchy.height)) for column in columns if column.hierarchy)
    level, highest = (
        " ".join(f"WHEN cell.label IS NOT DISTINCT FROM tree.a{n} THEN {n}" for n in order)
        for order in (levels, reversed(levels))
    )
    ancestors = listed(f"tree.a{n}, tree.w{n}, tree.s{n}, tree.e{n}" for n in levels)
    chosen = listed(str(column.number) for column in columns)
    levelled = engine.view(f"""
        SELECT cell.*, {own_of_columns(columns, "cell.value")} AS own, tree.place, tree.known IS NOT NULL AS known,
            CASE WHEN cell.gone THEN {height} {level} END AS level,
            CASE WHEN cell.gone THEN {height} {highest} END AS highest, {ancestors}
        FROM {counted} AS cell
        LEFT JOIN {tree} AS tree ON tree.tree_of = cell.col AND tree.value IS NOT DISTINCT FROM cell.value
        WHERE cell.col IN ({chosen})""")
    labels = engine.load(label_table(columns))

    def of_level(part: str) -> str:
        return "CASE " + " ".join(f"WHEN level = {n} THEN {part}{n}" for n in levels) + " END"

    to = own_of_columns(columns, "levelled.label", "levelled")
    change = f"""CASE WHEN gone THEN {literal(ValueChange.GONE)} WHEN level = 0 THEN {literal(ValueChange.SAME)}
        WHEN level > 0 THEN {literal(ValueChange.BROADER)} ELSE {literal(ValueChange.MOVED)} END"""
    return engine.view(f"""
        SELECT levelled.*, {change} AS change, {of_level("w")} AS leaves, CAST({of_level("s")} AS DOUBLE) AS first,
            CAST({of_level("e")} AS DOUBLE) AS last, {to} AS moved_to, listed.place AS label_place,
            coalesce(level, 0) AS depth,
            level IS NULL AND known AND listed.label IS NULL AS strange
        FROM {levelled} AS levelled LEFT JOIN {labels} AS listed
            ON listed.label_of = levelled.col AND listed.label = levelled.label""")


def _by_values(counted: Table, columns: Sequence[PairedColumn], height: int) -> tuple[Table, frozenset[int]]:
    """ColumnCells without a hierarchy, and the columns in which values have several labels.

    A label stands for the values that became it, unless values were exchanged. Where every value has one label the
    column itself says what its hierarchy is: the value, its label, everything.
    """
    engine, chosen = counted.engine, listed(str(column.number) for column in columns)
    values = f"(SELECT DISTINCT col AS known_col, value AS known_value FROM {counted} WHERE value IS NOT NULL)"
    domains = f"(SELECT col AS domain_col, count(DISTINCT value) AS domain FROM {counted} GROUP BY col)"
    own, to = (own_of_columns(columns, f"cell.{text}") for text in ("value", "label"))
    cells = engine.view(f"""
        SELECT cell.*, {own} AS own, {to} AS moved_to, known_value IS NOT NULL AS listed, domain,
            count(*) OVER (PARTITION BY col, label, gone) AS members, max(label) OVER (PARTITION BY col, value) AS its
        FROM {counted} AS cell
        LEFT JOIN {values} AS known ON known_col = cell.col AND known_value = cell.label
        JOIN {domains} AS domains ON domain_col = cell.col WHERE cell.col IN ({chosen})""")
    exchanging, several = _manner(cells)
    spans = _spans(cells, columns)
    within = "(SELECT -1 AS span_of, '' AS span_label, 0 AS span)" if spans is None else f"{engine.load(spans)}"
    exchanged = f"(col IN ({listed(map(str, sorted(exchanging))) or '-1'}))"
    change = f"""CASE WHEN gone THEN {literal(ValueChange.GONE)}
        WHEN label IS NOT DISTINCT FROM value AND (members = 1 OR {exchanged}) THEN {literal(ValueChange.SAME)}
        WHEN {exchanged} AND (listed OR moved_to IS NOT NULL) THEN {literal(ValueChange.MOVED)}
        ELSE {literal(ValueChange.BROADER)} END"""
    changed = engine.view(f"SELECT *, {change} AS change FROM {cells}")
    tops = listed(f"{literal(TOP)} AS a{n}" for n in range(2, height + 1))
    lacking = listed(f"CAST(NULL AS DOUBLE) AS {name}" for name in ("place", "first", "last", "label_place"))
    return engine.view(f"""
        SELECT *, CAST(NULL AS INTEGER) AS level, CAST(NULL AS INTEGER) AS highest, TRUE AS known,
            FALSE AS strange, {lacking}, coalesce(its, value) AS a1, {tops},
            CASE WHEN gone THEN 2 WHEN change = {literal(ValueChange.BROADER)} THEN 1 ELSE 0 END AS depth,
            CASE WHEN gone THEN greatest(1, domain)
                 WHEN change = {literal(ValueChange.BROADER)} THEN coalesce(span, members) ELSE 1 END AS leaves
        FROM {changed} AS changed LEFT JOIN {within} AS spans ON span_of = changed.col AND span_label = changed.label
        """), several


def _spans(cells: Table, columns: Sequence[PairedColumn]) -> pa.Table | None:
    """How many values lie in each interval; None where there are no intervals.

    A label leaves open all values that lie between its ends. Where intervals overlap, as after cuts in several columns
    (Mondrian), these are more than the values that became it.
    """
    import pyarrow as pa

    numeric = {column.number: column for column in columns if column.kind.numeric or column.moment}
    if not numeric:
        return None
    ends = cells.engine.fetch(f"""
        SELECT col, label, min(own), max(own) FROM {cells}
        WHERE col IN ({listed(map(str, numeric))}) AND NOT gone AND own IS NOT NULL AND label IS DISTINCT FROM value
        GROUP BY col, label ORDER BY col, label""")  # of all columns at once: for each, all of them would be looked at
    intervals: dict[int, dict[str, IntervalLabel]] = defaultdict(dict)
    for col, label, low, high in ends:
        interval = interval_of(str(label), numeric[int(col)])
        if interval is not None and interval.holds(float(low), float(high)):
            intervals[int(col)][str(label)] = interval
    if not intervals:
        return None
    values_of = cells.engine.query(f"""
        SELECT DISTINCT col, own FROM {cells} WHERE col IN ({listed(map(str, intervals))}) AND own IS NOT NULL""")
    rows: list[tuple[int, str, int]] = []
    for number, by_label in intervals.items():
        own = cells.engine.fetch(f"SELECT own FROM {values_of} WHERE col = {number} ORDER BY own")
        values = [float(value) for (value,) in own]
        rows += [(number, label, _between(values, interval)) for label, interval in by_label.items()]
    cells.engine.drop(values_of)
    return pa.table([list(part) for part in zip(*rows, strict=True)], names=["span_of", "span_label", "span"])


def _between(values: Sequence[float], interval: IntervalLabel) -> int:
    """How many of some values, in ascending order, lie in an interval."""
    start = 0 if interval.low is None else bisect_left(values, interval.low)
    end = len(values) if interval.high is None else bisect_left(values, interval.high)
    return end - start


def interval_of(label: str, column: PairedColumn) -> IntervalLabel | None:
    """The numbers or days that a label of a column stands for; None where it is no interval."""
    return IntervalLabel.of_period(label) if column.moment else IntervalLabel.of(label, whole=column.whole)


def _manner(cells: Table) -> tuple[frozenset[int], frozenset[int]]:
    """The columns in which values were exchanged for others rather than grouped, and those of several labels a value.

    Groups are a function that leaves its results alone: one label for every value, and a label that is itself a
    value keeps its own. Where every number became another number of its own, or their order changed, they were moved.
    """
    changed = "NOT cell.gone AND cell.value IS NOT NULL AND cell.label IS DISTINCT FROM cell.value"
    numbers = f"CASE WHEN {changed} AND cell.moved_to IS NOT NULL THEN cell.label END"
    rows = cells.engine.fetch(f"""
        SELECT col, max(labels), sum(moved), count(DISTINCT moved_label)
        FROM (SELECT cell.col, cell.value, count(*) AS labels, count({numbers}) AS moved, min({numbers}) AS moved_label
              FROM {cells} AS cell WHERE NOT cell.gone AND cell.value IS NOT NULL
              GROUP BY cell.col, cell.value) AS by_value
        GROUP BY col""")
    several = frozenset(int(col) for col, labels, _, _ in rows if labels > 1)
    alone = frozenset(int(col) for col, _, moved, different in rows if moved > 1 and moved == different)
    moved = [int(col) for col, _, moved, _ in rows if moved]
    return several | alone | _chained(cells, changed) | (_out_of_order(cells) if moved else frozenset()), several


def _chained(cells: Table, changed: str) -> frozenset[int]:
    """The columns in which a value became one that became another itself."""
    rows = cells.engine.fetch(f"""
        SELECT DISTINCT cell.col FROM {cells} AS cell
        JOIN (SELECT cell.col AS other_col, cell.value AS other_value FROM {cells} AS cell WHERE {changed}) AS other
            ON other.other_col = cell.col AND other.other_value = cell.label
        WHERE {changed}""")
    return frozenset(int(col) for (col,) in rows)


def _out_of_order(cells: Table) -> frozenset[int]:
    """The columns in which a larger number got a smaller one in its place than a smaller did: groups keep the order."""
    before = "max(moved_to) OVER (PARTITION BY col ORDER BY own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    rows = cells.engine.fetch(f"""
        SELECT DISTINCT col FROM (SELECT col, moved_to, {before} AS largest FROM {cells}
                                  WHERE NOT gone AND own IS NOT NULL AND moved_to IS NOT NULL) AS listed
        WHERE moved_to < largest""")
    return frozenset(int(col) for (col,) in rows)


def cells_with_numbers(placed: Table, columns: Sequence[PairedColumn]) -> str:
    """The cells with their frequencies, what they lost, and the numbers that values and labels stand for."""
    numbers = placed.engine.view(f"SELECT *, coalesce(own, CAST(place AS DOUBLE)) AS x FROM {placed}")
    numeric = any(column.kind.numeric or column.moment for column in columns)
    low, high = (_end(all_of, edge, numeric=numeric) for all_of, edge in (("min", "first"), ("max", "last")))
    shown = listed(name for name in PLACED if name not in ("place", "first", "last", "label_place"))
    return f"""
        SELECT {shown}, x, sum(n) OVER (PARTITION BY col, value) AS f, sum(n) OVER (PARTITION BY col, label, gone) AS g,
            {_lost(highest_level(columns))} AS lost, {low} AS lo, {high} AS hi
        FROM {numbers}"""


def _end(all_of: str, edge: str, *, numeric: bool) -> str:
    """The smallest or largest number that a label stands for: of the numbers that became it, or by the hierarchy."""
    observed = f"""WHEN change = {literal(ValueChange.GONE)} THEN {all_of}(x) OVER (PARTITION BY col)
        ELSE {all_of}(x) OVER (PARTITION BY col, label, change)""" if numeric else ""  # fmt: skip
    return f"""CASE WHEN change = {literal(ValueChange.SAME)} THEN x
        WHEN change = {literal(ValueChange.MOVED)} THEN coalesce(moved_to, label_place)
        WHEN own IS NULL AND {edge} IS NOT NULL THEN CAST({edge} AS DOUBLE) {observed} END"""


def _lost(height: int) -> str:
    """The bits that a record lost, level by level, among those that were generalised as far (S1's generic method)."""

    def among(level: int, at: int) -> str:
        by = f"a{at}" if at else "value"
        return f"sum(CASE WHEN depth >= {level} THEN n ELSE 0 END) OVER (PARTITION BY col, {by})"

    def step(level: int) -> str:
        fewer = f"log2(CAST({among(level, level)} AS DOUBLE) / {among(level, level - 1)})"
        return f"CASE WHEN depth >= {level} THEN {fewer} ELSE 0 END"

    return " + ".join(map(step, range(1, height + 1)))


def own_number(column: PairedColumn, text: str) -> str:
    """A text of a column as the number that it is, in SQL: days for dates, null for other texts."""
    if column.kind.numeric:
        number = f"TRY_CAST({text} AS DOUBLE)"
        return f"CASE WHEN abs({number}) < {LARGEST} THEN {number} END"
    if column.moment:
        day = f"TRY_CAST({text} AS TIMESTAMP)"
        return f"(CAST(date_diff('second', CAST('1970-01-01' AS TIMESTAMP), {day}) AS DOUBLE) / 86400)"
    return "CAST(NULL AS DOUBLE)"


def own_of_columns(columns: Sequence[PairedColumn], text: str, table: str = "cell") -> str:
    """The same for a text of whichever column."""
    numbers = [(column, own_number(column, text)) for column in columns if column.kind.numeric or column.moment]
    return _by_column(numbers, f"{table}.col") if numbers else "CAST(NULL AS DOUBLE)"


def _by_column(chosen: Iterable[tuple[PairedColumn, str]], col: str = "cell.col") -> str:
    """What is said of each column, as SQL."""
    whens = " ".join(f"WHEN {column.number} THEN {sql}" for column, sql in chosen)
    return f"CASE {col} {whens} END"
