"""What was read, as a sheet: each column, the kind it was taken for, and why."""

from __future__ import annotations

from sfumato.show.documents.table import ExtractDocument
from sfumato.show.sheet import Section, Sheet, counted


def extract_sheet(document: ExtractDocument) -> Sheet:
    """The columns for people."""
    rows = tuple((c.name, c.type, str(c.missing), c.why, c.label or "") for c in document.columns)
    columns = ("column", "read as", "missing", "why", "label")
    return Sheet(
        title=f"Columns of {document.source}",
        verdict=f"{counted(document.records, 'record')}, {counted(len(rows), 'column')}.",
        sections=(Section("Columns", columns, rows, tuple(document.notes), numbers=(2,)),),
    )
