"""Which of many tables hold personal data, as a sheet."""

from __future__ import annotations

from sfumato.show.documents.triage import TriageDocument
from sfumato.show.sheet import Section, Sheet, counted, named, number

SHOWN = 100  # tables of each kind on a terminal: two screens. All are in the JSON
TITLES = {"open": "Open: you decide", "personal": "Hold personal data", "free": "Free of personal data"}
REMARKS = {
    "open": "A table that is open is not called free of personal data: look at it, or run `sfumato identify` on it.",
    "personal": "By the first columns that say so. Names alone can say this of a table, never that it is free of it.",
    "free": "By all of their records: every column was shown to be neither identifying nor sensitive.",
}


def triage_sheet(document: TriageDocument) -> Sheet:
    """What each table holds and on what that was decided, and what each stage cost."""
    counts = document.counts
    return Sheet(
        title=f"Tables of {document.source}",
        verdict=(
            f"{counted(sum(counts.values()), 'table')}: {number(counts['personal'])} hold personal data, "
            f"{number(counts['free'])} are free of it, {number(counts['open'])} are open."
        ),
        sections=tuple(s for s in (_cost(document), *(_tables(document, kind) for kind in TITLES)) if s.rows),
    )


def _cost(document: TriageDocument) -> Section:
    rows = tuple(
        (stage.stage, number(stage.tables), number(stage.decided), number(stage.records), f"{stage.seconds:.1f}")
        for stage in document.stages
    )
    head = ("what was read", "tables", "decided", "records", "seconds")
    return Section("What it cost", head, rows, numbers=(1, 2, 3, 4))


def _tables(document: TriageDocument, kind: str) -> Section:
    tables = [table for table in document.tables if table.holds == kind]
    rows = tuple(
        (table.name, named(table.columns) or "-", table.because, table.stage, number(table.records))
        for table in tables[:SHOWN]
    )
    more = (f"{len(tables) - SHOWN} more, with --json.",) if len(tables) > SHOWN else ()
    head = ("table", "columns", "because", "decided on", "records read")
    return Section(TITLES[kind], head, rows, (REMARKS[kind], *more), numbers=(4,))
