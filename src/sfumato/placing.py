"""Placing: the level, the leaves and the numbers of the labels that values were given."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sfumato.engine import Engine, Table, listed, literal, total
from sfumato.hierarchy import TOP, Hierarchy
from sfumato.pairing import PairedColumn

if TYPE_CHECKING:
    import pyarrow as pa


class Change(StrEnum):
    """What became of a value."""

    SAME = "same"
    BROADER = "broader"  # generalised: the label stands for several values, this one among them
    GONE = "gone"  # suppressed, in the cell or with its record
    MOVED = "moved"  # perturbed: another value stands in its place


LARGEST = 1e300  # a number beyond is infinite: it is a value, but nothing can be reckoned with it
KEPT = (Change.SAME, Change.MOVED)  # what a label says of itself


def tree_of(engine: Engine, column: PairedColumn) -> Table | None:
    """The hierarchy of a column as a table, one row per value; None without one."""
    return engine.load(_lines(column.hierarchy)) if column.hierarchy else None


def by_hierarchy(counted: Table, column: PairedColumn, hierarchy: Hierarchy, tree: Table) -> Table:
    """Cells with the level at which the hierarchy gives a value its label, and the leaves of that label."""
    engine, levels = counted.engine, range(hierarchy.height + 1)
    level = " ".join(f"WHEN cell.label IS NOT DISTINCT FROM tree.a{n} THEN {n}" for n in levels)
    ancestors = listed(f"tree.a{n}, tree.w{n}, tree.s{n}, tree.e{n}" for n in levels)
    found = engine.view(f"""
        SELECT cell.*, {own_number(column, "cell.value")} AS own, tree.place, tree.known IS NOT NULL AS known,
            CASE WHEN cell.gone THEN {hierarchy.height} {level} END AS level, {ancestors}
        FROM {counted} AS cell LEFT JOIN {tree} AS tree ON tree.value IS NOT DISTINCT FROM cell.value""")
    labels = engine.load(_labels(hierarchy))

    def of_level(part: str) -> str:
        return "CASE " + " ".join(f"WHEN level = {n} THEN {part}{n}" for n in levels) + " END"

    to = own_number(column, "found.label")
    change = f"""CASE WHEN gone THEN {literal(Change.GONE)} WHEN level = 0 THEN {literal(Change.SAME)}
        WHEN level > 0 THEN {literal(Change.BROADER)} ELSE {literal(Change.MOVED)} END"""
    return engine.view(f"""
        SELECT found.*, {change} AS change, {of_level("w")} AS leaves, {of_level("s")} AS first,
            {of_level("e")} AS last, {to} AS moved_to, listed.place AS label_place, coalesce(level, 0) AS depth,
            level IS NULL AND known AND listed.label IS NULL AND {to} IS NULL AS strange
        FROM {found} AS found LEFT JOIN {labels} AS listed ON listed.label = found.label""")


def by_values(counted: Table, column: PairedColumn) -> tuple[Table, bool]:
    """Cells without a hierarchy, and whether every value has one label at most.

    A label stands for the values that became it, unless values were exchanged. Where every value has one label the
    column itself says what its hierarchy is: the value, its label, everything.
    """
    engine = counted.engine
    values = f"(SELECT DISTINCT value AS known_value FROM {counted} WHERE value IS NOT NULL)"
    own, to = own_number(column, "cell.value"), own_number(column, "cell.label")
    number = "moved_to IS NOT NULL" if column.kind.numeric or column.moment else "FALSE"
    found = engine.view(f"""
        SELECT cell.*, {own} AS own, {to} AS moved_to, known_value IS NOT NULL AS listed,
            count(*) OVER (PARTITION BY label, gone) AS members, max(label) OVER (PARTITION BY value) AS its_label
        FROM {counted} AS cell LEFT JOIN {values} AS known ON known_value = cell.label""")
    exchanging, several = _manner(found, number)
    change = f"""CASE WHEN gone THEN {literal(Change.GONE)}
        WHEN label IS NOT DISTINCT FROM value AND (members = 1 OR {exchanging}) THEN {literal(Change.SAME)}
        WHEN {exchanging} AND (listed OR {number}) THEN {literal(Change.MOVED)} ELSE {literal(Change.BROADER)} END"""
    changed = engine.view(f"SELECT *, {change} AS change FROM {found}")
    return engine.view(f"""
        SELECT *, CAST(NULL AS INTEGER) AS level, TRUE AS known, FALSE AS strange,
            CAST(NULL AS DOUBLE) AS place, CAST(NULL AS DOUBLE) AS first, CAST(NULL AS DOUBLE) AS last,
            CAST(NULL AS DOUBLE) AS label_place,
            value AS a0, coalesce(its_label, value) AS a1, {literal(TOP)} AS a2,
            CASE WHEN gone THEN 2 WHEN change = {literal(Change.BROADER)} THEN 1 ELSE 0 END AS depth,
            CASE WHEN gone THEN greatest(1, (SELECT count(*) FROM {values} AS listed_values))
                 WHEN change = {literal(Change.BROADER)} THEN members ELSE 1 END AS leaves
        FROM {changed}"""), not several


def _manner(found: Table, number: str) -> tuple[bool, bool]:
    """Whether values were exchanged for others rather than grouped, and whether one has several labels.

    Groups are a function that leaves its results alone: one label for every value, and a label that is itself a
    value keeps its own. Where every number became another number of its own, or their order changed, they were moved.
    """
    changed = "NOT cell.gone AND cell.value IS NOT NULL AND cell.label IS DISTINCT FROM cell.value"
    numbers = f"CASE WHEN {changed} AND {number} THEN cell.label END"
    labels, moved, different = found.engine.fetch(f"""
        SELECT max(labels), sum(moved), count(DISTINCT moved_label)
        FROM (SELECT cell.value, count(*) AS labels, count({numbers}) AS moved, min({numbers}) AS moved_label
              FROM {found} AS cell WHERE NOT cell.gone AND cell.value IS NOT NULL
              GROUP BY cell.value) AS by_value""")[0]
    chained = found.engine.fetch(f"""
        SELECT count(*) FROM {found} AS cell
        JOIN (SELECT cell.value AS other_value FROM {found} AS cell WHERE {changed}) AS other
            ON other.other_value = cell.label
        WHERE {changed}""")[0][0]
    several = (labels or 0) > 1
    one_to_one = (moved or 0) > 1 and moved == different
    return bool(several or chained or one_to_one or (moved and _out_of_order(found))), several


def _out_of_order(found: Table) -> bool:
    """Whether a larger number got a smaller one in its place than a smaller number did: groups keep the order."""
    before = "max(moved_to) OVER (ORDER BY own ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    return bool(
        found.engine.fetch(f"""
        SELECT count(*) FROM (SELECT moved_to, {before} AS largest FROM {found}
                              WHERE NOT gone AND own IS NOT NULL AND moved_to IS NOT NULL) AS listed
        WHERE moved_to < largest""")[0][0]
    )


def numbered(placed: Table, column: PairedColumn) -> str:
    """The cells with their frequencies, what they lost, and the numbers that values and labels stand for."""
    numbers = placed.engine.view(f"SELECT *, coalesce(own, CAST(place AS DOUBLE)) AS x FROM {placed}")
    ends = ("min", "first"), ("max", "last")
    low, high = (_end(all_of, edge, numeric=column.kind.numeric or column.moment) for all_of, edge in ends)
    height = column.hierarchy.height if column.hierarchy else 2
    return f"""
        SELECT *, sum(n) OVER (PARTITION BY value) AS f, sum(n) OVER (PARTITION BY label, gone) AS g,
            {_lost(height)} AS lost, {low} AS lo, {high} AS hi
        FROM {numbers}"""


def _end(all_of: str, edge: str, *, numeric: bool) -> str:
    """The smallest or largest number that a label stands for: of the numbers that became it, or by the hierarchy."""
    observed = f"""WHEN change = {literal(Change.GONE)} THEN {all_of}(x) OVER ()
        ELSE {all_of}(x) OVER (PARTITION BY label, change)""" if numeric else ""  # fmt: skip
    return f"""CASE WHEN change = {literal(Change.SAME)} THEN x
        WHEN change = {literal(Change.MOVED)} THEN coalesce(moved_to, label_place)
        WHEN own IS NULL AND {edge} IS NOT NULL THEN CAST({edge} AS DOUBLE) {observed} END"""


def _lost(height: int) -> str:
    """The bits that a record lost, level by level, among those that were generalised as far (S1's generic method)."""

    def among(level: int, at: int) -> str:
        return f"sum(CASE WHEN depth >= {level} THEN n ELSE 0 END) OVER (PARTITION BY {f'a{at}' if at else 'value'})"

    def step(level: int) -> str:
        fewer = f"log2(CAST({among(level, level)} AS DOUBLE) / {among(level, level - 1)})"
        return f"CASE WHEN depth >= {level} THEN {fewer} ELSE 0 END"

    return " + ".join(map(step, range(1, height + 1)))


def spread_out(cells: Table, column: PairedColumn, known: Table | None, *, records: int, middle: float | None) -> str:
    """Values with their share in the original (p), in what the labels stand for (q), and if nothing were left (u).

    What is gone is a value of its own; among numbers it is put in the middle.
    """
    engine, share = cells.engine, f"CAST(n AS DOUBLE) / {records}"
    kept = f"SELECT label AS value, {share} AS q FROM {cells} WHERE change IN ({listed(map(literal, KEPT))})"
    parts = engine.view(f"""
        SELECT value, FALSE AS gone, {share} AS p, 0.0 AS q, 0.0 AS u FROM {cells}
        UNION ALL SELECT value, FALSE, 0.0, q, 0.0 FROM ({kept}) AS kept
        UNION ALL SELECT value, FALSE, 0.0, q, 0.0 FROM ({_covered(cells, column, known, share)}) AS covered
        UNION ALL SELECT NULL, TRUE, 0.0, {share}, 0.0 FROM {cells} WHERE gone
        UNION ALL SELECT NULL, TRUE, 0.0, 0.0, 1.0""")
    middle_of = "CAST(NULL AS DOUBLE)" if middle is None else literal(float(middle))
    shares = engine.view(f"""
        SELECT value, gone, {total("p")} AS p, {total("q")} AS q, {total("u")} AS u,
            min(CASE WHEN gone THEN {middle_of} ELSE {own_number(column, "value")} END) AS x
        FROM {parts} GROUP BY value, gone""")
    below = listed(f"{_cumulated(share)} AS c{share}" for share in "pqu")
    return f"""
        SELECT *, {below},
            coalesce(lead(x) OVER (ORDER BY x NULLS LAST) - x, 0) AS width FROM {shares}"""


def _covered(cells: Table, column: PairedColumn, known: Table | None, share: str) -> str:
    """The values that labels stand for, each with its part of the label's share."""
    broader = f"change = {literal(Change.BROADER)}"
    given = (
        f"SELECT label, level, max(leaves) AS leaves, sum(n) AS n FROM {cells} WHERE {broader} GROUP BY label, level"
    )
    reach, covers = f"SELECT DISTINCT value, label FROM {cells} WHERE {broader}", ""
    if known and column.hierarchy:
        levels = range(column.hierarchy.height + 1)
        reach = " UNION ALL ".join(f"SELECT value, a{n} AS label, {n} AS level FROM {known}" for n in levels)
        covers = " AND reach.level = given.level"
    return f"""
        SELECT reach.value, {share} / given.leaves AS q FROM ({given}) AS given
        JOIN ({reach}) AS reach ON reach.label IS NOT DISTINCT FROM given.label{covers}"""


def _cumulated(share: str) -> str:
    """The share of smaller numbers, among all numbers; missing values have no place."""
    known = f"CASE WHEN x IS NULL THEN 0 ELSE {share} END"
    below, everything = (total(known, over=over) for over in ("(ORDER BY x NULLS LAST)", "()"))
    return f"coalesce({below} / nullif({everything}, 0), 0)"


def own_number(column: PairedColumn, text: str) -> str:
    """A text of a column as the number that it is, in SQL: days for dates, null for other texts."""
    if column.kind.numeric:
        number = f"TRY_CAST({text} AS DOUBLE)"
        return f"CASE WHEN abs({number}) < {LARGEST} THEN {number} END"
    if column.moment:
        day = f"TRY_CAST({text} AS TIMESTAMP)"
        return f"(CAST(date_diff('second', CAST('1970-01-01' AS TIMESTAMP), {day}) AS DOUBLE) / 86400)"
    return "CAST(NULL AS DOUBLE)"


def _lines(hierarchy: Hierarchy) -> pa.Table:
    """One row per value: its place, and at each level its ancestor, how many leaves that has, the first and last."""
    import pyarrow

    lines = [*hierarchy.lines, hierarchy.missing]
    columns: dict[str, list[Any]] = {"value": [line[0] for line in lines], "known": [1] * len(lines)}
    columns["place"] = [*range(len(hierarchy.lines)), None]  # a missing value has no place among the others
    for level in range(hierarchy.height + 1):
        found: dict[str | None, list[int]] = {}
        for place, line in enumerate(hierarchy.lines):
            found.setdefault(line[level], []).append(place)
        members = [found.get(line[level], [place]) for place, line in enumerate(lines)]
        columns[f"a{level}"] = [line[level] for line in lines]
        columns[f"w{level}"] = [len(places) for places in members]
        columns[f"s{level}"] = [places[0] if places[0] < len(hierarchy.lines) else None for places in members]
        columns[f"e{level}"] = [places[-1] if places[-1] < len(hierarchy.lines) else None for places in members]
    texts = {name for name in columns if name == "value" or name[0] == "a"}
    schema = [(name, pyarrow.string() if name in texts else pyarrow.int64()) for name in columns]
    return pyarrow.table(columns, pyarrow.schema(schema))


def _labels(hierarchy: Hierarchy) -> pa.Table:
    """Every label that the hierarchy knows, and its place if it is a value."""
    import pyarrow

    places = {value: place for place, value in enumerate(hierarchy.values)}
    labels = list(dict.fromkeys(label for line in (*hierarchy.lines, hierarchy.missing) for label in line if label))
    columns = {"label": labels, "place": [places.get(label) for label in labels]}
    return pyarrow.table(columns, pyarrow.schema([("label", pyarrow.string()), ("place", pyarrow.int64())]))
