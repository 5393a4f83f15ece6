"""Safe Harbor as a sheet: one line for each of the 18 identifiers."""

from __future__ import annotations

from sfumato.show.documents.safe_harbor import ChecklistItemDocument, SafeHarborDocument
from sfumato.show.sheet import Section, Sheet, counted, named

SHOWN = 100  # columns of a line: more than anybody reads there are counted, and stand in the JSON
KNOWLEDGE = (
    "Safe Harbor also asks that you know of no way in which what is left could identify somebody, alone or together "
    "with other data (45 CFR 164.514(b)(2)(ii)). Columns are recognised by their names and values: look at them."
)
DECIDE = (
    "An open column was not recognised as anything, and may be an identifier or text that names somebody. Look at it, "
    "and decide: --keep COLUMN where it holds none of the 18 and may be released, --drop COLUMN where it is to go, or "
    "a role in a project file (--project)."
)


def safe_harbor_sheet(document: SafeHarborDocument) -> Sheet:
    """The lines, and what they cannot say."""
    items = document.items
    failed = [item.item for item in items if item.left]
    undecided = [column for item in items for column in item.open]
    parts = [f"Something is left in {document.release}: {', '.join(failed)}."] if failed else []
    if undecided:
        them = counted(len(undecided), "column")
        parts.append(f"Nobody decided what {them} may hold: left out, {named([c.name for c in undecided], SHOWN)}.")
    verdict = " ".join(parts) or f"All {len(items)} identifiers are gone from {document.release}."
    rows = tuple((item.item, item.identifier, "pass" if item.passed else "FAIL", _columns(item)) for item in items)
    decided = (f"Released as decided: {named(document.kept, SHOWN)}.",) if document.kept else ()
    return Sheet(
        f"HIPAA Safe Harbor of {document.source}",
        f"{verdict} {counted(document.records, 'record')}.",
        (
            Section(
                "The 18 identifiers",
                ("", "identifier", "", "columns"),
                rows,
                (*decided, *(DECIDE,) * bool(undecided), KNOWLEDGE),
            ),
        ),
    )


def _columns(item: ChecklistItemDocument) -> str:
    treated = [f"{column.name}: {column.done}" for column in item.columns]
    left = [f"{name}: left" for name in item.left]
    undecided = [f"{column.name}: open, left out ({column.why})" for column in item.open]
    every = [*left, *undecided, *treated] if len(treated) > SHOWN else [*treated, *left, *undecided]
    more = len(every) - SHOWN
    return (
        "; ".join([*every[:SHOWN], *([f"and {more} more: --json FILE has them all"] if more > 0 else [])])
        or "none found"
    )
