"""What was read, as a sheet: each column, the kind it was taken for, and why."""

from __future__ import annotations

from sfumato.show.documents.table import ExtractDocument
from sfumato.show.sheet import Section, Sheet, counted

# Columns that are listed: what nobody reads on a terminal is in the JSON. More than those of an identification,
# since a line of each is the answer here.
SHOWN = 1000


def extract_sheet(document: ExtractDocument) -> Sheet:
    """The columns for people."""
    rows = tuple((c.name, c.type, str(c.missing), c.why, c.label or "") for c in document.columns[:SHOWN])
    more = len(document.columns) - len(rows)
    notes = (*document.notes, *([f"{more} more are not listed here: --json FILE has them all."] if more else []))
    columns = ("column", "read as", "missing", "why", "label")
    return Sheet(
        title=f"Columns of {document.source}",
        verdict=f"{counted(document.records, 'record')}, {counted(len(document.columns), 'column')}.",
        sections=(Section("Columns", columns, rows, notes, numbers=(2,)),),
    )
