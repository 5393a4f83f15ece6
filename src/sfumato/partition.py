"""The partition: records counted by their keys, and the number by which each knows its class."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.engine import Table, listed
from sfumato.errors import SchemaError

ALONE = "alone"  # the key that keeps a record with a missing value by itself
ATTEMPTS = 5  # at hashing classes so that no two share a hash


def members(*, persons: bool) -> str:
    """How members are counted, as SQL. A row without a subject is somebody too: a person of its own."""
    return "(count(DISTINCT person) + count(*) - count(person))" if persons else "count(*)"


def alone_where_missing(records: Table, keys: Sequence[str], *, persons: bool) -> Table:
    """The records with one more key, which keeps those with a missing value by themselves."""
    numbered = records.engine.numbered(f"SELECT * FROM {records}", number="row")
    any_missing = " OR ".join(f"{key} IS NULL" for key in keys)
    named = "CASE WHEN person IS NOT NULL THEN concat('person ', CAST(person AS VARCHAR)) ELSE concat('row ', row) END"
    whose = named if persons else "CAST(row AS VARCHAR)"
    return records.engine.view(f"SELECT *, CASE WHEN {any_missing} THEN {whose} END AS {ALONE} FROM {numbered}")


def partitioned(
    records: Table, keys: Sequence[str], sensitive: int, *, persons: bool
) -> tuple[Table, dict[int, Table], str]:
    """The classes, the cells of a first sensitive column, and the class of a record as SQL.

    A class is known by a hash of its keys: a record then needs no search for its class. That no two classes
    share a hash is not taken on trust; should two do so, all are hashed anew, as salted texts.
    """
    engine, column = records.engine, None if persons else _first_nominal(records, sensitive)
    grouped = _grouped(records, keys, column, persons=persons)
    for attempt in range(ATTEMPTS):
        class_id = _hash(keys, attempt)
        table = engine.query(_classes(f"{grouped}", keys, class_id, summed=column is not None))
        if not engine.fetch(f"SELECT count(*) - count(DISTINCT class_id) FROM {table}")[0][0]:
            break
        engine.drop(table)
    else:
        raise SchemaError("The quasi-identifiers hold values that cannot be told apart. Leave out nested columns.")
    cells = {}
    if column:
        cells[int(column[1:]) - 1] = engine.query(
            f"SELECT {class_id} AS class_id, value, n FROM {grouped} WHERE value IS NOT NULL"
        )
    engine.drop(grouped)
    return table, cells, class_id


def _hash(keys: Sequence[str], attempt: int) -> str:
    if attempt == 0:
        return f"hash({listed(keys)})"
    # Engines hash some kinds badly (large decimals, lists), and what collides once collides with any salt beside it.
    texts = (f"{key} IS NULL, concat('{attempt} ', CAST({key} AS VARCHAR))" for key in keys)
    return f"hash({listed(texts)})"


def _first_nominal(records: Table, sensitive: int) -> str | None:
    return next((f"v{i}" for i in range(1, sensitive + 1) if not records.kinds[f"v{i}"].numeric), None)


def _grouped(records: Table, keys: Sequence[str], column: str | None, *, persons: bool) -> Table:
    """Records counted by their keys and, since that is the same pass, by one sensitive column."""
    by = listed([*keys, *([column] if column else [])])
    counted = "count(*) AS n" if column else f"{members(persons=persons)} AS size, count(*) AS records"
    shown = listed([*keys, *([f"{column} AS value"] if column else []), counted])
    return records.engine.query(f"SELECT {shown} FROM {records} GROUP BY {by}")


def _classes(grouped: str, keys: Sequence[str], class_id: str, *, summed: bool) -> str:
    if not summed:
        return f"SELECT {class_id} AS class_id, * FROM {grouped}"
    by, size = listed(keys), "CAST(sum(n) AS BIGINT)"
    return f"""
        SELECT {class_id} AS class_id, * FROM (
            SELECT {by}, {size} AS size, {size} AS records FROM {grouped} GROUP BY {by}) AS class"""
