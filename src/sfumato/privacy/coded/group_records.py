"""Condensing: the records of a dataset grouped in the engine, and brought here as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import EmptyTable, HierarchyError, SchemaError, UnknownColumn, UnplacedValues
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.bins import Bins
from sfumato.privacy.classes import Value, members
from sfumato.privacy.coded.population import Inhabitants, with_population
from sfumato.privacy.coded.table import FITS, CodedColumn, CodedValue, Condensed
from sfumato.privacy.dataset import Dataset
from sfumato.schema import Missing
from sfumato.tables.engine import Table, listed, literal

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.privacy.coded.arrays import Whole


def condense(dataset: Dataset, values: Sequence[Value] = (), *, population: bool = True) -> Condensed:
    """Group the records by their quasi-identifiers and these sensitive values, in the engine, and number them.

    A table of the population, where there is one, is grouped likewise unless nobody asks for it.
    """
    if dataset.missing is not Missing.OWN_VALUE:
        raise SchemaError("A search for levels compares a missing value as a value of its own (own_value) only.")
    plain = _unrecoded(dataset)
    found = _fetched(_alike(plain, values))
    if not len(found):
        raise EmptyTable
    columns = tuple(CodedColumn.of(name, dataset.hierarchies[name]) for name in plain.quasi_identifiers)
    table = _coded(columns, found, values, plain)
    return with_population(table, _inhabitants(plain)) if population and dataset.population is not None else table


def _fetched(table: Table) -> pa.Table:
    found = table.engine.arrow(f"SELECT * FROM {table}")
    table.engine.drop(table)
    return found


def _inhabitants(dataset: Dataset) -> Inhabitants:
    import numpy as np

    found = _fetched(_alike(dataset.everybody(), ()))
    if not len(found):
        raise EmptyTable
    records = np.asarray(found["records"].to_numpy(), dtype=np.int64)
    codes = _codes(dataset, found, records, "its hierarchy lacks, in the population")
    return Inhabitants(np.stack(codes), np.asarray(found["members"].to_numpy(), dtype=np.int64), _persons(found))


def _unrecoded(dataset: Dataset) -> Dataset:
    schema = dataset.schema
    for name in dataset.quasi_identifiers:
        if name not in dataset.hierarchies:
            raise HierarchyError(f"Column {name!r} is a quasi-identifier without a hierarchy. Build one for it.")
        schema = schema.with_attribute(name, level=0)
    return replace(dataset, schema=schema)


def _alike(dataset: Dataset, values: Sequence[Value]) -> Table:
    """The different records: k1, k2, ... as text, c1, c2, ... places of values, x1, ... their numbers, counts.

    Where persons have several different records, `whose` numbers these persons, who then have rows of their own.
    """
    records, persons = dataset.records(), dataset.subject is not None
    dataset.table.engine.expect(dataset.table)
    keys = [f"k{i}" for i in range(1, len(dataset.quasi_identifiers) + 1)]
    read = {f"w{i}": _read(dataset, value) for i, value in enumerate(values, 1)}
    named = [*(f"CAST({key} AS VARCHAR) AS {key}" for key in keys), *(f"{sql} AS {w}" for w, sql in read.items())]
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
    found = records.engine.query(f"SELECT {listed([*keys, *counts, *places, *numbers, *nulls])} FROM {grouped}")
    records.engine.drop(grouped)
    return found


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
    given = Bins(value.bins, dataset.separator).labels if value.bins else order
    if not given:
        return column
    places = " ".join(f"WHEN {literal(text)} THEN {i}" for i, text in enumerate(given))
    return f"CASE CAST({column} AS VARCHAR) {places} ELSE {len(given)} END, {column}"


def _numeric(dataset: Dataset, value: Value) -> bool:
    ordered = value.bins or dataset.schema[value.sensitive].order
    return not ordered and dataset.table.kinds[value.sensitive].numeric


def _coded(columns: tuple[CodedColumn, ...], found: pa.Table, values: Sequence[Value], dataset: Dataset) -> Condensed:
    import numpy as np

    records = np.asarray(found["records"].to_numpy(), dtype=np.int64)
    codes, persons = _codes(dataset, found, records, "its hierarchy lacks"), _persons(found)
    read = [np.asarray(found[f"c{i}"].to_numpy(), dtype=np.int64) for i in range(1, len(values) + 1)]
    order = _order([*codes, *read, *([] if persons is None else [persons + 1])])
    records = records[order]
    known = dataset.subject is not None
    counted = np.asarray(found["members"].to_numpy(), dtype=np.int64)[order] if known else records
    coded = {value: _value(value, found, i, order, counted) for i, value in enumerate(values, 1)}
    persons = None if persons is None else persons[order]
    return Condensed(columns, np.stack([code[order] for code in codes]), records, counted, coded, persons)


def _persons(found: pa.Table) -> Whole | None:
    import numpy as np

    return np.asarray(found["whose"].fill_null(-1).to_numpy(), np.int64) if "whose" in found.column_names else None


def _codes(dataset: Dataset, found: pa.Table, records: Whole, problem: str) -> list[Whole]:
    return [_leaves(name, dataset.hierarchies[name], found[f"k{i}"], records, problem)
            for i, name in enumerate(dataset.quasi_identifiers, 1)]  # fmt: skip


def _leaves(name: str, hierarchy: Hierarchy, texts: Any, records: Whole, problem: str) -> Whole:
    """The leaf of each value; the last is that of the missing value."""
    import numpy as np

    coded = texts.combine_chunks().dictionary_encode()
    places = {value: place for place, value in enumerate(hierarchy.values)}
    known = np.array([places.get(text, -1) for text in coded.dictionary.to_pylist()], dtype=np.int64)
    known = np.append(known, len(places))
    codes: Whole = known[np.asarray(coded.indices.fill_null(len(known) - 1).to_numpy(), dtype=np.int64)]
    lacking = int((known < 0).sum())
    if lacking:
        touched = int(records[codes < 0].sum())
        raise UnplacedValues(problem, values=lacking, records=touched, column=name)
    return codes


def _order(codes: Sequence[Whole]) -> Whole:
    """The order of the rows by their codes, the first column first."""
    import numpy as np

    key, space = np.zeros(len(codes[0]), dtype=np.int64), 1
    for code in codes:
        width = int(code.max()) + 1
        space *= width
        if space >= FITS:
            return np.lexsort(tuple(reversed(codes)))
        key = key * width + code
    return np.argsort(key, kind="stable")


def _value(value: Value, found: pa.Table, i: int, order: Whole, counted: Whole) -> CodedValue:
    import numpy as np

    codes = np.asarray(found[f"c{i}"].to_numpy(), dtype=np.int64)[order]
    missing = np.asarray(found[f"n{i}"].to_numpy(zero_copy_only=False), dtype=np.bool_)[order]
    if value.count_missing:
        missing = np.zeros_like(missing)
    codes = np.where(missing, -1, codes)
    have = np.bincount(codes[~missing], weights=counted[~missing])
    numbers = None
    if f"x{i}" in found.column_names:
        numbers = np.zeros(len(have))
        numbers[codes[~missing]] = np.asarray(found[f"x{i}"].fill_null(0).to_numpy(), dtype=float)[order][~missing]
    return CodedValue(codes, have / max(have.sum(), 1), numbers, int(counted[missing].sum()))
