"""Value shares: what the shares of values look like to somebody who only has the labels."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.tables.engine import Table, listed, literal, same, total
from sfumato.utility.paired.hierarchy_table import highest_level
from sfumato.utility.paired.label_levels import KEPT, ValueChange, own_of_columns
from sfumato.utility.paired.pairing import PairedColumn


def value_shares(cells: Table, columns: Sequence[PairedColumn], tree: Table | None, records: int) -> str:
    """Values with their share in the original (p), in what the labels stand for (q), and if nothing were left (u).

    What is gone is a value of its own; among numbers it is put in the middle.
    """
    engine, share = cells.engine, f"CAST(n AS DOUBLE) / {records}"
    kept = f"SELECT col, label AS value, {share} AS q FROM {cells} WHERE change IN ({listed(map(literal, KEPT))})"
    parts = engine.view(f"""
        SELECT col, value, FALSE AS gone, {share} AS p, 0.0 AS q, 0.0 AS u FROM {cells}
        UNION ALL SELECT col, value, FALSE, 0.0, q, 0.0 FROM ({kept}) AS kept
        UNION ALL SELECT col, value, FALSE, 0.0, q, 0.0 FROM ({_covered(cells, columns, tree, share)}) AS covered
        UNION ALL SELECT col, NULL, TRUE, 0.0, {share}, 0.0 FROM {cells} WHERE gone
        UNION ALL SELECT DISTINCT col, NULL, TRUE, 0.0, 0.0, 1.0 FROM {cells}""")
    middles = f"SELECT col AS middle_of, (min(x) + max(x)) / 2 AS middle FROM {cells} GROUP BY col"
    shares = engine.view(f"""
        SELECT col, value, gone, {total("p")} AS p, {total("q")} AS q, {total("u")} AS u,
            min(CASE WHEN gone THEN middle ELSE {own_of_columns(columns, "value", "part")} END) AS x
        FROM {parts} AS part JOIN ({middles}) AS middles ON middle_of = col GROUP BY col, value, gone""")
    below = listed(f"{_cumulated(share)} AS c{share}" for share in "pqu")
    return f"""
        SELECT *, {below},
            coalesce(lead(x) OVER (PARTITION BY col ORDER BY x NULLS LAST) - x, 0) AS width FROM {shares}"""


def _covered(cells: Table, columns: Sequence[PairedColumn], tree: Table | None, share: str) -> str:
    """The values that labels stand for, each with its part of the label's share."""
    broader = f"change = {literal(ValueChange.BROADER)}"
    released = f"""SELECT col, label, level, max(leaves) AS leaves, sum(n) AS n
        FROM {cells} WHERE {broader} GROUP BY col, label, level"""
    covered = [f"SELECT DISTINCT col, value, label, level FROM {cells} WHERE {broader} AND level IS NULL"]
    if tree:
        levels = range(highest_level(columns) + 1)
        covered += [f"SELECT tree_of, value, a{n}, {n} FROM {tree} WHERE {n} <= height" for n in levels]
    return f"""
        SELECT covered.col, covered.value, {share} / released.leaves AS q FROM ({released}) AS released
        JOIN ({" UNION ALL ".join(covered)}) AS covered ON {same("covered", "released", ["col", "label", "level"])}"""


def _cumulated(share: str) -> str:
    """The share of smaller numbers, among all numbers; missing values have no place."""
    known = f"CASE WHEN x IS NULL THEN 0 ELSE {share} END"
    windows = "(PARTITION BY col ORDER BY x NULLS LAST)", "(PARTITION BY col)"
    below, everything = (total(known, over=over) for over in windows)
    return f"coalesce({below} / nullif({everything}, 0), 0)"
