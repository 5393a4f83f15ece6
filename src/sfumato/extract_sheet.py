"""What was read, as a sheet: each column, the kind it was taken for, and why."""

from __future__ import annotations

from typing import Any

from sfumato.sheet import Section, Sheet
from sfumato.source import Extract


def extract_document(extract: Extract) -> dict[str, Any]:
    """The reading of a source as plain values. It holds no cell value."""
    return {
        "source": extract.name,
        "records": extract.table.count(),
        "columns": [
            {"name": c.name, "type": c.kind.value, "missing": c.missing, "why": c.why, "label": c.label}
            for c in extract.columns
        ],
        "notes": list(extract.notes),
    }


def extract_sheet(document: dict[str, Any]) -> Sheet:
    """The columns for people."""
    rows = tuple(
        (c["name"], c["type"], str(c["missing"]), c["why"], c["label"] or "") for c in document["columns"]
    )
    columns = ("column", "read as", "missing", "why", "label")
    return Sheet(
        title=f"Columns of {document['source']}",
        verdict=f"{document['records']} records, {len(rows)} columns.",
        sections=(Section("Columns", columns, rows, tuple(document["notes"]), numbers=(2,)),),
    )
