"""The partition: records counted by their keys, and the number by which each knows its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.errors import SchemaError
from sfumato.tables.engine import Table, listed

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


@dataclass(frozen=True)
class Totals:
    """Counts over all classes, which the look at their hashes brings along."""

    records: int
    present: tuple[int, ...]  # records that have each sensitive value
    incomplete: int  # classes that lack a quasi-identifier


def partitioned(records: Table, keys: Sequence[str], sensitive: int, *, persons: bool) -> tuple[Table, str, Totals]:
    """The classes, the class of a record as SQL, and the totals.

    A class is known by a hash of its keys: a record then needs no search for its class, and the keys, which are
    mostly texts, need not be copied. That no two classes share a hash is not taken on trust; should two do so,
    all are hashed anew, as salted texts.
    """
    for attempt in range(ATTEMPTS):
        class_id = _hash(keys, attempt)
        table = records.engine.query(_classes(records, keys, class_id, sensitive, persons=persons))
        totals = _totals(table, sensitive)
        if totals is not None:
            return table, class_id, totals
        records.engine.drop(table)
    raise SchemaError("The quasi-identifiers hold values that cannot be told apart. Leave out nested columns.")


def _hash(keys: Sequence[str], attempt: int) -> str:
    if attempt == 0:
        return f"hash({listed(keys)})"
    # Engines hash some kinds badly (large decimals, lists), and what collides once collides with any salt beside it.
    texts = (f"{key} IS NULL, concat('{attempt} ', CAST({key} AS VARCHAR))" for key in keys)
    return f"hash({listed(texts)})"


def _classes(records: Table, keys: Sequence[str], class_id: str, sensitive: int, *, persons: bool) -> str:
    incomplete = " OR ".join(f"{key} IS NULL" for key in keys if key != ALONE)
    present = [f"count(v{i}) AS v{i}" for i in range(1, sensitive + 1)]
    counted = listed([f"{members(persons=persons)} AS size", "count(*) AS records", *present])
    return f"""
        SELECT {class_id} AS class_id, {counted}, ({incomplete}) AS incomplete
        FROM {records} GROUP BY {listed(keys)}"""


def _totals(table: Table, sensitive: int) -> Totals | None:
    """The totals; None where two classes share a hash."""
    present = [f"sum(v{i})" for i in range(1, sensitive + 1)]
    counts = ["count(*) - count(DISTINCT class_id)", "count(CASE WHEN incomplete THEN 1 END)", "sum(records)", *present]
    shared, incomplete, *sums = table.engine.fetch(f"SELECT {listed(counts)} FROM {table}")[0]
    records, *found = (int(number or 0) for number in sums)
    return None if shared else Totals(records, tuple(found), int(incomplete))
