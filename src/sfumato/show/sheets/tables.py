"""What the columns of many tables seem to be, as a sheet: counted by role, and every score."""

from __future__ import annotations

from sfumato.show.sheet import Section, Sheet, counted
from sfumato.show.sheets.identification import SHORT, Document, bounds, notes, scored


def tables_sheet(document: Document) -> Sheet:
    """The roles counted by table, and every primary quasi-identifier with its score."""
    return Sheet(
        title=f"Tables of {document['source']}",
        verdict=(
            f"{counted(document['totals']['tables'], 'table')}, {counted(document['totals']['columns'], 'column')}"
            + (f"; {counted(len(document['failures']), 'table')} could not be read." if document["failures"] else ".")
        ),
        sections=tuple(
            section
            for section in (_failures(document), _counts(document), _scores(document["tables"]), notes(document))
            if section.rows or section.remarks
        ),
    )


def _counts(document: Document) -> Section:
    rows = [
        (t["name"], *(str(t["counts"][role]) for role in SHORT), str(sum(t["counts"].values())))
        for t in document["tables"]
    ]
    totals = document["totals"]
    rows.append(("total", *(str(totals[role]) for role in SHORT), str(totals["columns"])))
    return Section(
        "Columns by role",
        ("table", *SHORT.values(), "columns"),
        tuple(rows),
        ("DID direct identifier, QI quasi-identifier, SA sensitive attribute, NSA non-sensitive attribute.",),
        numbers=(1, 2, 3, 4, 5),
    )


def _scores(tables: list[Document]) -> Section:
    rows = tuple(
        (table["name"], column["name"], f"{column['uniqueness']:.4f}", *scored(column))
        for table in tables
        for column in sorted(table["columns"], key=lambda c: -(c["score"] or 0))
        if column["score"] is not None
    )
    return Section(
        "Primary quasi-identifiers",
        ("table", "column", "uniqueness", "influence", "sum", *bounds()),
        rows,
        numbers=(2, 3, 4),
    )


def _failures(document: Document) -> Section:
    rows = tuple((failure["name"], failure["problem"]) for failure in document["failures"])
    return Section("Not read", ("table", "what is wrong"), rows)
