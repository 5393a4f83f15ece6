"""CDISC Dataset-JSON: version 1.1 (json, and ndjson with a row a line) and the layout of version 1.0."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.canonical import is_whole_text
from sfumato.errors import UnreadableFile, did_you_mean
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.read.columns import distinct_names
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.staged_table import StagedTable, Variable, existing, stage
from sfumato.tables.source import Extract, Format, ReadOptions

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 20_000  # as Python values, before they are a batch of Arrow. Chosen, not measured
NUMBERS = {"integer": int, "float": float, "double": float, "decimal": Decimal}
BECOMES = {"date": Kind.DATE, "datetime": Kind.TIMESTAMP, "decimal": Kind.REAL}
TYPES = (*NUMBERS, "date", "datetime", "string", "boolean", "time", "URI", "text")


@dataclass(frozen=True)
class DatasetJSON(Format):
    """One CDISC dataset; dates with parts unknown stay text, as the standard writes them, and so do long decimals."""

    suffixes: ClassVar[tuple[str, ...]] = (".json", ".ndjson")
    selects: ClassVar[tuple[str, ...]] = ("table",)

    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        path = existing(source)
        lines = path.suffix.lower() == ".ndjson"
        limits = options.bounds
        document, rows = _lines(path, limits) if lines else _document(path, options.table, limits)
        _require_flat(path, {key: value for key, value in document.items() if key != "rows"}, limits)
        columns = [_Column.of(source, number, entry) for number, entry in enumerate(_columns(path, document), 1)]
        limits.require_names(source, [column.name for column in columns])
        names, notes = distinct_names([column.name for column in columns])
        schema = _schema(names, columns)
        batches = _batches(source, columns, rows, schema, document.get("records"))
        table = stage(engine, source, schema, batches, limits)
        variables = tuple(column.variable(name) for name, column in zip(names, columns, strict=True))
        staged = StagedTable(name=path.name, table=table, variables=variables, missing=("",), notes=notes)
        return staged.settle(options)


@dataclass(frozen=True)
class _Column:
    """One entry of `columns`."""

    name: str
    type: str
    label: str | None

    @classmethod
    def of(cls, source: str, number: int, entry: Any) -> _Column:
        stated = entry if isinstance(entry, dict) else {}
        name, declared = stated.get("name"), stated.get("dataType", stated.get("type"))
        if not isinstance(name, str) or not isinstance(declared, str):
            raise UnreadableFile(source, f"entry {number} of `columns` has no `name` or no `dataType`.")
        if not is_whole_text(name):
            raise UnreadableFile(source, f"the name of entry {number} of `columns` holds half a character.")
        if declared not in TYPES:
            raise UnreadableFile(source, f"the dataType of {name!r} is unknown.{did_you_mean(declared, TYPES)}")
        label = stated.get("label")
        return cls(name, declared, label if isinstance(label, str) and label and is_whole_text(label) else None)

    def variable(self, name: str) -> Variable:
        kind, why = BECOMES.get(self.type), f"its dataType is {self.type}"
        lost = "have more digits than a number keeps" if kind is Kind.REAL else "are not complete"
        return Variable(name, f"{why}, but some values {lost}" if kind else why, self.label, becomes=kind, because=why)

    def value(self, cell: Any) -> Any:
        """A cell as its dataType says; `ValueError` or `TypeError` when it is something else."""
        if cell is None or (cell == "" and self.type in (*NUMBERS, "boolean")):
            return None
        if self.type in NUMBERS:
            return _number(cell, NUMBERS[self.type])
        if not isinstance(cell, bool if self.type == "boolean" else str):
            raise TypeError
        return cell


def _number(cell: Any, sort: type[int] | type[float] | type[Decimal]) -> float | str | None:
    """A number; a decimal as its text, for a float may keep fewer digits. Not a number is no value."""
    if isinstance(cell, bool) or not isinstance(cell, (int, float, str)):
        raise TypeError
    if isinstance(cell, str) and "_" in cell:  # Python would read 1_000
        raise ValueError
    number = sort(cell if sort is not Decimal else str(cell))
    if sort is int and not isinstance(cell, str) and number != cell:
        raise ValueError
    return None if isnan(number) else str(number) if isinstance(number, Decimal) else number


def _schema(names: Sequence[str], columns: Sequence[_Column]) -> pa.Schema:
    import pyarrow as pa

    special = {"integer": pa.int64(), "boolean": pa.bool_()}
    special |= dict.fromkeys(("float", "double"), pa.float64())
    return pa.schema([(n, special.get(c.type, pa.string())) for n, c in zip(names, columns, strict=True)])


def _batches(
    source: str, columns: Sequence[_Column], rows: Iterable[Any], schema: pa.Schema, declared: Any
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    numbered, number = enumerate(rows, 1), 0
    while batch := list(islice(numbered, ROWS_AT_ONCE)):
        for number, row in batch:
            _check(source, number, row, len(columns))
        arrays = [_array(source, place, columns[place], batch, schema[place].type) for place in range(len(columns))]
        yield pa.record_batch(arrays, schema=schema)
    _check_whole(source, number, declared)


def _check_whole(source: str, read: int, declared: Any) -> None:
    """A file that says how many records it has must have them."""
    if isinstance(declared, int) and declared != read:
        problem = f"the number of its rows is {read}, and `records` says {declared}."
        raise UnreadableFile(source, problem, hint="It may be truncated: copy or export it again.")


def _check(source: str, number: int, row: Any, expected: int) -> None:
    if not isinstance(row, list):
        raise UnreadableFile(source, f"row {number} is not a list of values.")
    if len(row) != expected:
        raise UnreadableFile(source, f"row {number} has {len(row)} values; `columns` has {expected}.")


def _array(source: str, place: int, column: _Column, batch: Sequence[tuple[int, Any]], form: pa.DataType) -> pa.Array:
    import pyarrow as pa

    values: list[Any] = []
    try:
        for _, row in batch:
            values.append(column.value(row[place]))
        return pa.array(values, form)
    except (TypeError, ValueError, ArithmeticError, pa.ArrowException):
        where = f"row {batch[len(values)][0]}" if len(values) < len(batch) else f"one of the first {batch[-1][0]} rows"
        problem = f"{where}: the value of {column.name!r} is not of its dataType, {column.type}."
        raise UnreadableFile(source, problem) from None


def _columns(path: Path, document: Mapping[str, Any]) -> list[Any]:
    columns = document.get("columns")
    if not isinstance(columns, list) or not columns:
        raise UnreadableFile(path, "this is no Dataset-JSON: it has no list `columns`.")
    return columns


def _require_flat(path: Path, document: Any, limits: Limits) -> None:
    """Refuse metadata with brackets within brackets without end. A row is flat, or it is refused by its values."""
    layer, depth = [document], 0
    while layer:
        limits.require(path, "json_depth", depth, f"its brackets are nested {depth} deep or more")
        values = [item.values() if isinstance(item, dict) else item for item in layer if isinstance(item, dict | list)]
        layer, depth = [value for held in values for value in held], depth + 1


def _document(path: Path, table: str | None, limits: Limits) -> tuple[Mapping[str, Any], list[Any]]:
    """The metadata and the rows of a file that is one JSON object."""
    size = path.stat().st_size
    limits.require(path, "json_bytes", size, f"it is one document of {size:,} bytes (ndjson is read row by row)")
    document = _parsed(path, path.read_bytes())
    for part in ("clinicalData", "referenceData"):
        if isinstance(document.get(part), dict) and "itemGroupData" in document[part]:
            document = _first_version(path, document[part]["itemGroupData"], table)
    rows = document.get("rows", [] if document.get("records") == 0 else None)
    if not isinstance(rows, list):
        raise UnreadableFile(path, "this is no Dataset-JSON: it has no list `rows`.")
    return document, rows


def _first_version(path: Path, groups: Any, table: str | None) -> dict[str, Any]:
    """One dataset of a file of version 1.0, in the words of version 1.1."""
    known = groups if isinstance(groups, dict) else {}
    datasets = {str(g.get("name", oid)): g for oid, g in known.items() if isinstance(g, dict)}
    if table is None and len(datasets) == 1:
        table = next(iter(datasets))
    if table not in datasets:
        names = ", ".join(map(repr, sorted(datasets)))
        raise UnreadableFile(path, f"it holds the datasets {names}.", hint="Name one of them with --table.")
    dataset = datasets[table]
    return {"columns": dataset.get("items"), "rows": dataset.get("itemData"), "records": dataset.get("records")}


def _lines(path: Path, limits: Limits) -> tuple[Mapping[str, Any], Iterator[Any]]:
    """The metadata in the first line, and the rows in the others, read as they are asked for."""
    lines = _bounded_lines(path, limits)
    return _parsed(path, next(lines, b""), line=1), _rows(path, lines)


def _rows(path: Path, lines: Iterator[bytes]) -> Iterator[Any]:
    for number, line in enumerate(lines, 2):
        if line.strip():
            yield _parsed(path, line, line=number, form=list)


def _bounded_lines(path: Path, limits: Limits) -> Iterator[bytes]:
    with path.open("rb") as file:
        while line := file.readline(limits.line_bytes + 1):
            limits.require(path, "line_bytes", len(line), f"a line has {len(line):,} bytes or more")
            yield line


def _parsed(path: Path, text: bytes, *, line: int | None = None, form: type = dict) -> Any:
    try:
        document = json.loads(text)
    except RecursionError:
        raise UnreadableFile(path, "its brackets are nested a thousand deep: this is no Dataset-JSON.") from None
    except ValueError:  # malformed JSON and undecodable text alike
        problem = "this is not whole JSON; it may be truncated."
        raise UnreadableFile(path, problem, line=line, hint="Copy or export it again.") from None
    if not isinstance(document, form):
        expected = "an object with `columns`" if form is dict else "a list of values"
        raise UnreadableFile(path, f"expected {expected}.", line=line)
    return document
