"""The partition of records into classes: which of them are alike, by one number for all keys or by a hash of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.errors import SchemaError
from sfumato.tables.engine import Table, listed

ALONE = "alone"  # the key that keeps a record with a missing value by itself
PLACE = "place"  # the number of a combination of keys, in the order of the keys
# Attempts at hashing classes so that no two share a hash. By accident two of a million classes share one of 64 bits in
# 1 of 37 million tables; what else collides is what an engine hashes badly, and again as a text only where the
# texts are equal. Five is chosen, not measured.
ATTEMPTS = 5


@dataclass(frozen=True)
class Totals:
    """Counts over all classes, which the look at their hashes brings along."""

    records: int
    present: tuple[int, ...]  # records that have each sensitive value
    incomplete: int  # classes that lack a quasi-identifier


@dataclass(frozen=True)
class PartitionedRecords:
    """Records with their `class_id`, and their classes: one row each, as `EquivalenceClasses` tells."""

    records: Table
    table: Table
    counted: Table  # the same classes for small questions about them alone, which may be answered in another engine
    totals: Totals
    in_order: bool = False  # whether the numbers of classes are in the order of their keys
    own: tuple[Table, ...] = ()  # records that are held for these classes


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


def partitioned(records: Table, keys: Sequence[str], sensitive: int, *, persons: bool) -> PartitionedRecords:
    """The classes of records with some keys, known by one number for all keys, or by a hash of them."""
    # Texts are most of what is grouped, and of what is sorted where records are flagged.
    engine, own = records.engine, list[Table]()
    short = engine.short_keys(records, keys)
    numbered = short.number is not None and ALONE not in keys  # who is alone is no part of the order
    if short.texts:
        instead = listed(f"{sql} AS {key}" for key, sql in short.texts.items())
        sql = f"SELECT * REPLACE ({instead}) FROM {records}"
        sql = f"SELECT {short.number} AS {PLACE}, * FROM ({sql}) AS short" if numbered else sql
        if numbered and short.held:
            named = "record" in records.columns
            records = engine.query(sql) if named else engine.numbered(sql, "record")
            own.append(records)
        else:
            records = engine.view(sql)
    if not numbered:
        return _hashed(records, keys, sensitive, persons=persons)
    table = engine.query(
        _classes(records, keys, PLACE, sensitive, persons=persons, numbered=True, lacking=short.lacking)
    )
    counted = engine.brought(table)
    totals = _totals(counted, sensitive, hashed=False)
    assert totals is not None  # equal numbers are equal keys
    return PartitionedRecords(_with_class(records, PLACE), table, counted, totals, in_order=True, own=tuple(own))


def _hashed(records: Table, keys: Sequence[str], sensitive: int, *, persons: bool) -> PartitionedRecords:
    """The classes, each known by a hash of its keys.

    A record then needs no search for its class, and the keys, which are mostly texts, need not be copied. That no two
    classes share a hash is not taken on trust; should two do so, all are hashed anew, as salted texts.
    """
    for attempt in range(ATTEMPTS):
        class_id = _hash(keys, attempt)
        table = records.engine.query(_classes(records, keys, class_id, sensitive, persons=persons))
        counted = records.engine.brought(table)
        totals = _totals(counted, sensitive)
        if totals is not None:
            return PartitionedRecords(_with_class(records, class_id), table, counted, totals)
        records.engine.drop(table)
        if counted is not table:
            counted.engine.drop(counted)
    raise SchemaError("The quasi-identifiers hold values that cannot be told apart. Leave out nested columns.")


def _with_class(records: Table, class_id: str) -> Table:
    return records.engine.view(f"SELECT {class_id} AS class_id, * FROM {records}")


def _hash(keys: Sequence[str], attempt: int) -> str:
    if attempt == 0:
        return f"hash({listed(keys)})"
    # Engines hash some kinds badly (large decimals, lists), and what collides once collides with any salt beside it.
    texts = (f"{key} IS NULL, concat('{attempt} ', CAST({key} AS VARCHAR))" for key in keys)
    return f"hash({listed(texts)})"


def _classes(
    records: Table,
    keys: Sequence[str],
    class_id: str,
    sensitive: int,
    *,
    persons: bool,
    numbered: bool = False,
    lacking: bool = True,
) -> str:
    """The classes as a SELECT; of `numbered` ones the number stands for all keys, and says which records are alike."""
    incomplete = " OR ".join(f"{key} IS NULL" for key in keys if key != ALONE)
    if numbered:
        incomplete = f"bool_or({incomplete})" if lacking else "FALSE"
    present = [f"count(v{i}) AS v{i}" for i in range(1, sensitive + 1)]
    counted = listed([f"{members(persons=persons)} AS size", "count(*) AS records", *present])
    return f"""
        SELECT {class_id} AS class_id, {counted}, ({incomplete}) AS incomplete
        FROM {records} GROUP BY {class_id if numbered else listed(keys)}"""


def _totals(table: Table, sensitive: int, *, hashed: bool = True) -> Totals | None:
    """The totals; None where two classes share a hash."""
    present = [f"sum(v{i})" for i in range(1, sensitive + 1)]
    twice = "count(*) - count(DISTINCT class_id)" if hashed else "0"
    counts = [twice, "count(CASE WHEN incomplete THEN 1 END)", "sum(records)", *present]
    shared, incomplete, *sums = table.engine.fetch(f"SELECT {listed(counts)} FROM {table}")[0]
    records, *having = (int(number or 0) for number in sums)
    return None if shared else Totals(records, tuple(having), int(incomplete))
