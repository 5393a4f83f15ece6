"""CDISC Dataset-JSON, version 1.1: json, and ndjson with a row a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sfumato.tables.engine import Kind
from sfumato.tables.write.limits import beyond, early, inexact
from sfumato.tables.write.release import Field, ReleasedTable
from sfumato.tables.write.stream import batches, plain, rows_of, text
from sfumato.tables.write.writer import MOMENT, Writer

TYPES = {
    Kind.INTEGER: "integer", Kind.REAL: "double", Kind.BOOLEAN: "boolean",
    Kind.DATE: "date", Kind.TIMESTAMP: "datetime",
}  # fmt: skip


@dataclass(frozen=True)
class DatasetJSON(Writer):
    """One dataset; a column without a label is labelled with its name, since the standard wants a label."""

    suffixes: ClassVar[tuple[str, ...]] = (".json", ".ndjson")

    def check(self, release: ReleasedTable) -> None:
        fields = release.fields
        release.require([*inexact(fields), *beyond(fields), *early(fields, "0001-01-01")])

    def write(self, release: ReleasedTable, path: Path, scratch: Path) -> int:
        lines = path.name.lower().endswith(".ndjson")
        opening, closing = ("\n", "\n") if lines else (',"rows":[\n', "\n]}\n")
        between = "\n" if lines else ",\n"
        rows = 0
        with path.open("w", encoding="utf-8", newline="\n") as file:
            document = _compact(_document(release, Path(path).stem))
            file.write((document if lines else document[:-1]) + opening)
            for row in _rows(release, scratch):
                file.write((between if rows else "") + _compact(row))
                rows += 1
            file.write(closing if rows or not lines else "")
        return rows


def _rows(release: ReleasedTable, scratch: Path) -> Iterator[tuple[object, ...]]:
    for batch in batches(release, _reading, scratch):
        yield from rows_of(batch)


def _reading(field: Field) -> str:
    if field.kind is Kind.TIMESTAMP:
        return f"replace({text(field)}, ' ', 'T')"
    return text(field) if field.kind is Kind.DATE else plain(field)


def _document(release: ReleasedTable, name: str) -> dict[str, Any]:
    return {
        "datasetJSONCreationDateTime": MOMENT.isoformat(),
        "datasetJSONVersion": "1.1.0",
        "itemGroupOID": f"IG.{name}",
        "records": release.rows,
        "name": name,
        "label": name,
        "columns": [_column(field, name) for field in release.fields],
    }


def _column(field: Field, dataset: str) -> dict[str, str]:
    return {
        "itemOID": f"IT.{dataset}.{field.name}",
        "name": field.name,
        "label": field.column.label or field.name,
        "dataType": TYPES.get(field.kind, "string"),
    }


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
