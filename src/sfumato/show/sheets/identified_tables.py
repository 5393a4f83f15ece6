"""What the columns of many tables seem to be, as a sheet."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.identification import IdentificationsDocument, IdentifiedTableDocument
from sfumato.show.sheet import Section, Sheet, counted
from sfumato.show.sheets.identification import OPEN, SHORT, notes, undecided_columns
from sfumato.show.sheets.quasi_identifier_sets import BOUNDS, by_grade, scored


def identifications_sheet(document: IdentificationsDocument, *, every_column: bool = False) -> Sheet:
    """The roles of many tables, counted by table, and every primary quasi-identifier with its score."""
    sections = (
        _failures(document),
        _undecided_in(document.tables, every_column=every_column),
        _counts(document),
        _primary(document.tables),
        by_grade(document),
        notes(document.notes),
    )
    return Sheet(
        title=f"Tables of {document.source}",
        verdict=(
            f"{counted(document.totals['tables'], 'table')}, {counted(document.totals['columns'], 'column')}"
            + (f"; {counted(len(document.failures), 'table')} could not be read." if document.failures else ".")
        ),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _undecided_in(tables: Sequence[IdentifiedTableDocument], *, every_column: bool) -> Section:
    """The columns of each table that nothing decides, and what would."""
    sections = {
        table.name: undecided_columns(table.identification, len(table.identification.columns) if every_column else OPEN)
        for table in tables
    }
    rows = tuple((name, *row) for name, section in sections.items() for row in section.rows)
    if not rows:
        return Section("")
    one = next(section for section in sections.values() if section.rows)
    return Section(one.title, ("table", *one.columns), rows, one.remarks, numbers=(4,))


def _counts(document: IdentificationsDocument) -> Section:
    rows = [(t.name, *(str(t.counts[role]) for role in SHORT), str(sum(t.counts.values()))) for t in document.tables]
    totals = document.totals
    rows.append(("total", *(str(totals[role]) for role in SHORT), str(totals["columns"])))
    return Section(
        "Columns by role",
        ("table", *SHORT.values(), "columns"),
        tuple(rows),
        ("DID direct identifier, QI quasi-identifier, SA sensitive attribute, NSA non-sensitive attribute.",),
        numbers=(1, 2, 3, 4, 5, 6),
    )


def _primary(tables: Sequence[IdentifiedTableDocument]) -> Section:
    rows = tuple(
        (table.name, column.name, column.quasi_identifier, f"{column.values_seen_once:.4f}", *scored(column))
        for table in tables
        for column in sorted(table.identification.columns, key=lambda c: -(c.score or 0))
        if column.quasi_identifier is not None
    )
    return Section(
        "Primary quasi-identifiers",
        ("table", "column", "set", "values seen once", "influence", "sum", *BOUNDS),
        rows,
        (
            "Set: primary by its meaning; secondary where values seen once per record, or influence, are above 0; "
            "final where the sum reaches the threshold of the recipient.",
        )
        if rows
        else (),
        numbers=(3, 4, 5),
    )


def _failures(document: IdentificationsDocument) -> Section:
    rows = tuple((failure.name, failure.problem) for failure in document.failures)
    return Section("Not read", ("table", "what is wrong"), rows)
