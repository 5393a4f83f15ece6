"""What was decided about roles, and what is still open, as a sheet."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.show.documents.confirmation import ConfirmationDocument, ConfirmedColumnDocument, OpenRoleDocument
from sfumato.show.sheet import Section, Sheet, counted, named, number

SHOWN = 40  # lines of a table, as of an identification: more are counted, and stand in the project file


def confirmation_sheet(document: ConfirmationDocument) -> Sheet:
    """What was decided now, by whom the roles of the file are, what is open, and the next command."""
    sections = (
        _decided(document),
        _deciders(document),
        _open(document.open),
        Section("Next", remarks=(document.next,)),
    )
    return Sheet(
        title=f"Roles of {document.project}",
        verdict=_verdict(document),
        sections=tuple(section for section in sections if section.rows or section.remarks),
    )


def _verdict(document: ConfirmationDocument) -> str:
    now = f"{counted(len(document.decided), 'role')} decided by {document.by} on {document.on}"
    undecided = sum(column.proposed == "undecided" for column in document.open)
    proposed = len(document.open) - undecided
    left = [f"{number(proposed)} only proposed"] * bool(proposed) + [f"{number(undecided)} undecided"] * bool(undecided)
    done = now if document.decided else "Nothing was decided"
    return f"{done}. Still open: {' and '.join(left)}." if left else f"{done}. Nothing is left open."


def _decided(document: ConfirmationDocument) -> Section:
    rows = tuple(
        (column.name, column.role, _proposal(column), column.reason or "") for column in document.decided[:SHOWN]
    )
    against = [column.name for column in document.decided if column.against_evidence]
    remarks = (
        *(f"Decided against the evidence: {named(against)}. The report says so.",) * bool(against),
        *_more(len(document.decided)),
    )
    return Section("Decided now", ("column", "role", "before", "reason"), rows, remarks)


def _proposal(column: ConfirmedColumnDocument | OpenRoleDocument) -> str:
    return column.proposed if column.proposed == "undecided" else f"{column.proposed} ({column.sure})"


def _deciders(document: ConfirmationDocument) -> Section:
    rows = tuple((name, number(count)) for name, count in document.deciders.items())
    return Section("Who decided", ("who", "roles"), rows, numbers=(1,))


def _open(columns: Sequence[OpenRoleDocument]) -> Section:
    rows = tuple((column.name, _proposal(column), column.would_decide or column.evidence) for column in columns[:SHOWN])
    return Section("Still open", ("column", "proposed", "because, or what would decide"), rows, _more(len(columns)))


def _more(columns: int) -> tuple[str, ...]:
    return (f"{columns - SHOWN} more are not listed here.",) if columns > SHOWN else ()
