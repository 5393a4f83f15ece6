"""Grouping records: those of a dataset are grouped in the engine, and brought here as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.errors import EmptyTable, HierarchyError, SchemaError, UnknownColumn, UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.bins import Bins
from sfumato.privacy.classes import Value
from sfumato.privacy.coded.arrow_columns import listed_values, numbers_from_arrow
from sfumato.privacy.coded.engine_table import TableInEngine, bytes_in_memory
from sfumato.privacy.coded.population import CodedPopulation, with_population
from sfumato.privacy.coded.table import CodedColumn, CodedTable, CodedValue, row_keys
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.partition import members
from sfumato.schema import Missing
from sfumato.tables.engine import Kind, Table, listed, literal

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Whole

# Kinds of which different values have different texts, and equal ones the same.
SPELT_ALIKE = (Kind.TEXT, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE)


def condense(
    dataset: Dataset, values: Sequence[Value] = (), *, population: bool = True, in_engine: bool = False
) -> CodedTable:
    """Group the records by their quasi-identifiers and these sensitive values, in the engine, and number them.

    A table of the population, where there is one, is grouped likewise unless nobody asks for it. What would take more
    memory than the engine may have stays there, where whoever asks can do with that (`in_engine`).
    """
    if dataset.missing is not Missing.OWN_VALUE:
        raise SchemaError("A search for levels compares a missing value as a value of its own (own_value) only.")
    plain = _unrecoded(dataset)
    columns = tuple(CodedColumn.of(name, dataset.hierarchies[name]) for name in plain.quasi_identifiers)
    if in_engine and (left := _left_in_engine(plain, columns)) is not None:
        return left
    rows = _alike(plain, values)
    table = _coded(columns, rows, values, plain)
    return with_population(table, _inhabitants(plain)) if population and dataset.population is not None else table


def _left_in_engine(dataset: Dataset, columns: tuple[CodedColumn, ...]) -> TableInEngine | None:
    """The different records as numbers in the engine; None where they fit into the memory that it was given."""
    engine = dataset.table.engine
    if engine.memory is None or bytes_in_memory(dataset.table.count(), len(columns)) <= engine.memory:
        return None
    keys = listed(f"CAST(k{i} AS VARCHAR) AS k{i}" for i in range(1, len(columns) + 1))
    texts = engine.view(f"SELECT {keys} FROM {dataset.records()}")
    table = TableInEngine.of(texts, columns, [dataset.hierarchies[column.name] for column in columns])
    if bytes_in_memory(table.rows, len(columns)) > engine.memory:
        return table
    table.forget()
    return None


def _inhabitants(dataset: Dataset) -> CodedPopulation:
    rows = _alike(dataset.everybody(), ())
    codes = _codes(dataset, rows, numbers_from_arrow(rows["records"]), "its hierarchy lacks, in the population")
    return CodedPopulation(np.stack(codes), numbers_from_arrow(rows["members"]), _persons(rows))


def _unrecoded(dataset: Dataset) -> Dataset:
    schema = dataset.schema
    for name in dataset.quasi_identifiers:
        if name not in dataset.hierarchies:
            raise HierarchyError(f"Column {name!r} is a quasi-identifier without a hierarchy. Build one for it.")
        schema = schema.with_attribute(name, level=0)
    return replace(dataset, schema=schema)


def _alike(dataset: Dataset, values: Sequence[Value]) -> pa.Table:
    """The different records: k1, k2, ... as text, c1, c2, ... places of values, x1, ... their numbers, counts.

    Texts that are held as places in a list come as such places, beside their list. Where persons have several different
    records, `whose` numbers these persons, who then have rows of their own.
    """
    records, persons = dataset.records(), dataset.subject is not None
    dataset.table.engine.expect(dataset.table)
    keys = [f"k{i}" for i in range(1, len(dataset.quasi_identifiers) + 1)]
    read = {f"w{i}": _read(dataset, value) for i, value in enumerate(values, 1)}
    # Where values are different when their texts are, the different ones are spelt out, and not those of each record.
    kinds = records.kinds
    texts = {key: key if kinds[key] is Kind.TEXT else f"CAST({key} AS VARCHAR)" for key in keys}
    grouped_as = {key: key if kinds[key] in SPELT_ALIKE else text for key, text in texts.items()}
    named = [f"{sql} AS {name}" for name, sql in (grouped_as | read).items()]
    source = records.engine.view(f"SELECT {listed([*named, *(['person'] * persons)])} FROM {records}")
    counted = f"count(*) AS records, {members(persons=persons)} AS members"
    by = listed([*keys, *read])
    grouped = records.engine.query(f"SELECT {by}, {counted} FROM {source} GROUP BY {by}")
    if several := persons and _several(source, grouped):
        records.engine.drop(grouped)
        source = _with_persons(source, by)
        grouped = records.engine.query(f"SELECT {by}, whose, {counted} FROM {source} GROUP BY {by}, whose")
    places = [f"dense_rank() OVER (ORDER BY {w} IS NULL, {_position(dataset, value, w)}) - 1 AS c{w[1:]}"
              for w, value in zip(read, values, strict=True)]  # fmt: skip
    numbers = [f"CAST({w} AS DOUBLE) AS x{w[1:]}" for w, value in zip(read, values, strict=True)
               if _numeric(dataset, value)]  # fmt: skip
    nulls = [f"{w} IS NULL AS n{w[1:]}" for w in read]
    counts = ["records", "members", *(["whose"] * several)]
    spelt = [f"{text} AS {key}" for key, text in texts.items()]
    rows = records.engine.arrow(f"SELECT {listed([*spelt, *counts, *places, *numbers, *nulls])} FROM {grouped}")
    records.engine.drop(grouped)
    if not len(rows):
        raise EmptyTable
    return rows


def _several(source: Table, grouped: Table) -> bool:
    """Whether somebody is in several of the different records, so that members do not add up."""
    everybody = source.engine.fetch(f"SELECT {members(persons=True)} FROM {source}")[0][0]
    counted = source.engine.fetch(f"SELECT sum(members) FROM {grouped}")[0][0]
    return counted is not None and int(counted) != int(everybody)


def _with_persons(source: Table, by: str) -> Table:
    """The records with the number of whoever is in several of the different ones; null beside all others."""
    engine = source.engine
    rows = engine.view(f"SELECT DISTINCT {by}, person FROM {source} WHERE person IS NOT NULL")
    several = engine.view(f"SELECT person FROM {rows} GROUP BY person HAVING count(*) > 1")
    numbered = engine.view(f"SELECT person, row_number() OVER (ORDER BY person) - 1 AS whose FROM {several}")
    return engine.view(f"""
        SELECT record.*, numbered.whose FROM {source} AS record
        LEFT JOIN {numbered} AS numbered ON numbered.person = record.person""")


def _read(dataset: Dataset, value: Value) -> str:
    if value.sensitive not in dataset.sensitive:
        raise UnknownColumn(value.sensitive, dataset.sensitive)
    column = f"v{dataset.sensitive.index(value.sensitive) + 1}"
    return Bins(value.bins, dataset.separator).of(column) if value.bins else column


def _position(dataset: Dataset, value: Value, column: str) -> str:
    """The order of the values: of the bins, as given for an ordinal column, or their own."""
    order = dataset.schema[value.sensitive].order
    labels = Bins(value.bins, dataset.separator).labels if value.bins else order
    if not labels:
        return column
    places = " ".join(f"WHEN {literal(text)} THEN {i}" for i, text in enumerate(labels))
    return f"CASE CAST({column} AS VARCHAR) {places} ELSE {len(labels)} END, {column}"


def _numeric(dataset: Dataset, value: Value) -> bool:
    ordered = value.bins or dataset.schema[value.sensitive].order
    return not ordered and dataset.table.kinds[value.sensitive].numeric


def _coded(columns: tuple[CodedColumn, ...], rows: pa.Table, values: Sequence[Value], dataset: Dataset) -> CodedTable:
    records = numbers_from_arrow(rows["records"])
    codes, persons = _codes(dataset, rows, records, "its hierarchy lacks"), _persons(rows)
    places = [numbers_from_arrow(rows[f"c{i}"]) for i in range(1, len(values) + 1)]
    sorted_by = [*codes, *places, *([] if persons is None else [persons + 1])]
    order = np.argsort(row_keys((column, int(column.max()) + 1) for column in sorted_by), kind="stable")
    records = records[order]
    members = records if dataset.subject is None else numbers_from_arrow(rows["members"])[order]
    return CodedTable(
        columns=columns,
        codes=np.stack([code[order] for code in codes]),
        records=records,
        members=members,
        values={value: _value(value, rows, i, order, members) for i, value in enumerate(values, 1)},
        one_record_each=dataset.subject is None,
        persons=None if persons is None else persons[order],
    )


def _persons(rows: pa.Table) -> Whole | None:
    return numbers_from_arrow(rows["whose"], missing=-1) if "whose" in rows.column_names else None


def _codes(dataset: Dataset, rows: pa.Table, records: Whole, problem: str) -> list[Whole]:
    return [_leaves(name, dataset.hierarchies[name], rows[f"k{i}"], records, problem)
            for i, name in enumerate(dataset.quasi_identifiers, 1)]  # fmt: skip


def _leaves(name: str, hierarchy: Hierarchy, texts: Any, records: Whole, problem: str) -> Whole:
    """The leaf of each value; the last is that of the missing value."""
    values, which = _different(texts)
    places: dict[str | None, int] = {value: place for place, value in enumerate(hierarchy.values)}
    places[None] = len(places)
    codes: Whole = np.array([places.get(text, -1) for text in values], dtype=np.int64)[which]
    lacking = {values[i] for i in which[codes < 0].tolist()}
    if lacking:
        touched = int(records[codes < 0].sum())
        raise UnplacedValues(problem, values=len(lacking), records=touched, column=name)
    return codes


def _different(texts: pa.ChunkedArray) -> tuple[list[str | None], Whole]:
    """The different texts, the missing one last, and which of them each row has."""
    column = texts.combine_chunks()
    coded = column if pa.types.is_dictionary(column.type) else listed_values(column)
    values = [*coded.dictionary.to_pylist(), None]
    return values, numbers_from_arrow(coded.indices, missing=len(values) - 1)


def _value(value: Value, rows: pa.Table, i: int, order: Whole, members: Whole) -> CodedValue:
    codes = numbers_from_arrow(rows[f"c{i}"])[order]
    missing = np.asarray(rows[f"n{i}"].to_numpy(zero_copy_only=False), dtype=np.bool_)[order]
    if value.count_missing:
        missing = np.zeros_like(missing)
    codes = np.where(missing, -1, codes)
    have = np.bincount(codes[~missing], weights=members[~missing])
    numbers = None
    if f"x{i}" in rows.column_names:
        numbers = np.zeros(len(have))
        numbers[codes[~missing]] = np.asarray(rows[f"x{i}"].fill_null(0).to_numpy(), dtype=float)[order][~missing]
    return CodedValue(codes, have / max(have.sum(), 1), numbers, int(members[missing].sum()))
