"""Codes: records as whole numbers, in which equal values are equal numbers and nothing can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.errors import EmptyTable, SchemaError, UnknownColumn
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.partition import ALONE, alone_where_missing
from sfumato.schema import Attribute, Missing, Role, Schema
from sfumato.tables.engine import Table, listed, quoted, unused

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


# Columns that are numbered in one statement: planning takes longer than twice for twice as many. Chosen, not measured.
AT_ONCE = 20


def knowing(dataset: Dataset, columns: Sequence[str], conditions: Sequence[str] = ()) -> Dataset:
    """The dataset in which these columns, and whether the conditions hold, are all the quasi-identifiers.

    Conditions are SQL over `record`, never null. They come after the columns, which keep the order of the table.
    """
    for column in columns:
        if column not in dataset.schema.columns:
            raise UnknownColumn(column, dataset.schema.columns)
    roles = {a.name: Role.QUASI if a.name in columns else Role.NON_SENSITIVE for a in dataset.schema}
    schema, table = dataset.schema.with_roles(roles), dataset.table
    if conditions:
        taken = {name.casefold() for name in schema.columns}  # engines do not tell capitals apart in names
        names = [unused(f"condition {i}", taken.__contains__) for i in range(1, len(conditions) + 1)]
        held = listed(f"{sql} AS {quoted(name)}" for name, sql in zip(names, conditions, strict=True))
        table = table.engine.view(f"SELECT record.*, {held} FROM {table} AS record")
        schema = Schema((*schema.attributes, *(Attribute(name, Role.QUASI) for name in names)))
    return replace(dataset, table=table, schema=schema)


@dataclass(frozen=True)
class GroupedRecords:
    """The different records as whole numbers, in the engine: every column a number per value.

    Rows of `table`: c1, c2, ... for the columns, where 0 is a missing value; s1, s2, ... for the conditions, true or
    false; n, how many records are alike. Where the subject is known, persons do not add up as records do: who is in
    several rows has a number there, `person`, and must be counted once. Where `person` is null, nobody of the row is
    in any other, and `members` says how many they are.
    """

    table: Table
    columns: tuple[str, ...]
    persons: bool

    def code(self, column: str) -> str:
        """The neutral name of a column: c1, c2, ..."""
        return f"c{self.columns.index(column) + 1}"


def grouped_records(dataset: Dataset, columns: Sequence[str], conditions: Sequence[str] = ()) -> GroupedRecords:
    """Group the records by these columns and conditions once, and number the values."""
    known = knowing(dataset, columns, conditions)
    names = known.quasi_identifiers[: len(known.quasi_identifiers) - len(conditions)]
    records = known.records()
    known.table.engine.expect(known.table)
    by = listed([*_keys(known), *(["person"] if dataset.subject is not None else [])])
    named = [*_keys(known)[: len(names)], *(f"k{len(names) + i} AS s{i}" for i in range(1, len(conditions) + 1))]
    named += ["person"] if dataset.subject is not None else []
    alike = records.engine.query(f"SELECT {listed(named)}, count(*) AS n FROM {records} GROUP BY {by}")
    table = _numbered(alike, _keys(known)[: len(names)])
    if dataset.subject is not None:
        table = _added_up(table)
    return GroupedRecords(table, names, dataset.subject is not None)


def _added_up(table: Table) -> Table:
    """The rows in which persons who are in one row only are added up."""
    keys = [column for column in table.columns if column not in ("person", "n")]
    added_up = table.engine.query(f"""
        SELECT {listed(keys)}, person, sum(n) AS n, sum(members) AS members
        FROM (SELECT {listed(keys)}, n, CASE WHEN own.person IS NULL THEN n ELSE 1 END AS members,
                     CASE WHEN often.person IS NOT NULL THEN own.person END AS person
              FROM {table} AS own
              LEFT JOIN (SELECT person FROM {table} GROUP BY person HAVING count(*) > 1) AS often
              ON often.person = own.person) AS counted
        GROUP BY {listed(keys)}, person""")
    table.engine.drop(table)
    return added_up


def _keys(known: Dataset) -> list[str]:
    return [f"k{i}" for i in range(1, len(known.quasi_identifiers) + 1)]


def _numbered(alike: Table, keys: Sequence[str]) -> Table:
    """The rows with numbers in place of the values of the keys, as c1, c2, ..., and of persons."""
    numbers = {key: f"coalesce({key}_values.code, 0) AS c{i}" for i, key in enumerate(keys, 1)}
    if "person" in alike.columns:
        numbers["person"] = "person_values.code AS person"
    table = alike
    for start in range(0, len(numbers), AT_ONCE):
        batch = dict(list(numbers.items())[start : start + AT_ONCE])
        items = [*batch.values(), *(f"alike.{column}" for column in table.columns if column not in batch)]
        joins = " ".join(_numbering(table, key) for key in batch)
        further = table.engine.query(f"SELECT {listed(items)} FROM {table} AS alike {joins}")
        table.engine.drop(table)
        table = further
    return table


def _numbering(alike: Table, key: str) -> str:
    """A join that numbers the values of a key: 1, 2, ... in their order."""
    different = f"SELECT DISTINCT {key} AS value FROM {alike} WHERE {key} IS NOT NULL"
    numbers = (
        f"SELECT value, CAST(row_number() OVER (ORDER BY value) AS INTEGER) AS code FROM ({different}) AS different"
    )
    return f"LEFT JOIN ({numbers}) AS {key}_values ON {key}_values.value = alike.{key}"


@dataclass(frozen=True, eq=False)
class CodedRecords:
    """The codes of the different records as arrays, a place for each; what they stand for stays in the engine.

    Records that are alike on all columns share a place, of one person or of several. Where persons are kept apart,
    only those of one person do, and who it is stands in `subject`; splitting classes then stops at places.
    """

    columns: tuple[str, ...]
    codes: tuple[Whole, ...]  # for each column
    values: tuple[int, ...]  # the codes of each column are below this
    n: Whole  # records of each place
    person: Whole  # a number for each person; where no subject is known, for each place
    crowded: Flags  # places of several persons
    persons: bool  # whether the subject is known
    members: int  # persons of all places together, where each is counted once a place
    subject: Whole | None = None  # a number for each person, where persons are kept apart
    rows: tuple[Whole, Whole] | None = None  # places that are not crowded, and the records there by their numbers

    @cached_property
    def records(self) -> int:
        """How many records there are."""
        return int(self.n.sum())


def coded_records(
    dataset: Dataset, columns: Sequence[str] = (), *, rows: bool = False, apart: bool = False
) -> CodedRecords:
    """The records as arrays of codes, on these columns or on all quasi-identifiers.

    With `rows`, also the numbers in the source, from 1 on, of the records whose place belongs to one person.
    """
    if dataset.missing is Missing.WILDCARD:
        raise SchemaError(
            "Classes overlap where a missing value may be anything (wildcard), and nobody is simply alone in them. "
            "Read missing values as own_value or never_matches here."
        )
    known = knowing(dataset, columns or dataset.quasi_identifiers)
    known.table.engine.expect(known.table)
    table = _numbered(_alike(known, rows=rows, apart=apart), _keys(known))
    rows_of_codes = table.engine.arrow(f"SELECT * FROM {table}")
    table.engine.drop(table)
    if not len(rows_of_codes):
        raise EmptyTable
    return _arrays(known, rows_of_codes, apart=apart)


def _alike(known: Dataset, *, rows: bool, apart: bool) -> Table:
    """The different records: k1, k2, ..., n, whether they are of several persons, the person, their rows."""
    records, persons = known.records(), known.subject is not None
    keys, engine, source = _keys(known), records.engine, records
    by, number = keys, "record" if "record" in records.columns else "row"
    if known.missing is Missing.NEVER_MATCHES:
        source, by = alone_where_missing(records, keys, persons=persons), [*keys, ALONE]
    elif rows and number == "row":
        source = engine.numbered(f"SELECT * FROM {records}", number, held=False)
    by = [*by, *(["person"] if apart and persons else [])]
    nobody = "(count(*) - count(person))" if persons else "count(*)"
    crowded = f"{nobody} > 1" + (f" OR ({nobody} > 0 AND count(person) > 0) OR min(person) <> max(person)" * persons)
    counted = [*keys, "count(*) AS n", f"coalesce({crowded}, FALSE) AS crowded"]
    counted += ["min(person) AS person"] * persons + [f"array_agg({number}) AS rows"] * rows
    return engine.query(f"SELECT {listed(counted)} FROM {source} GROUP BY {listed(by)}")


def _arrays(known: Dataset, table: pa.Table, *, apart: bool) -> CodedRecords:
    def array(name: str) -> Whole:
        return np.asarray(table[name].fill_null(0).to_numpy(), dtype=np.int64)

    n, places = array("n"), np.arange(len(table))
    person, members = places, n
    if known.subject is not None:
        # A record without a subject is a person of its own: numbers beyond those of the others.
        person = np.where(array("person") > 0, array("person"), places + len(table) + 1)
        members = np.where(array("person") > 0, 1, n)
    codes = [array(f"c{i}") for i in range(1, len(known.quasi_identifiers) + 1)]
    if known.missing is Missing.NEVER_MATCHES:
        codes = [np.where(code == 0, code.max() + 1 + person, code) for code in codes]
    crowded = np.zeros_like(table["crowded"].to_numpy()) if apart else table["crowded"].to_numpy()
    return CodedRecords(
        columns=known.quasi_identifiers,
        codes=tuple(map(_narrow, codes)),
        values=tuple(int(code.max()) + 1 for code in codes),
        n=n,
        person=places if apart else person,
        crowded=crowded,
        persons=known.subject is not None,
        members=int(members.sum()),
        subject=person if apart else None,
        rows=_rows(table, crowded) if "rows" in table.column_names else None,
    )


def _narrow(codes: Whole) -> Whole:
    """The same numbers in as few bytes as the largest needs: they are read over and over."""
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))


def _rows(table: pa.Table, crowded: Flags) -> tuple[Whole, Whole]:
    """The places that are not crowded, once for each record there, and the numbers of these records, ascending."""
    places = np.flatnonzero(~crowded)
    lists = table["rows"].combine_chunks().take(places)
    rows = lists.flatten().to_numpy().astype(np.int64)
    spread = np.repeat(places, np.asarray(lists.value_lengths()))
    order = np.argsort(rows)
    return spread[order], rows[order]
