"""Safe Harbor as a sheet: one line for each of the 18 identifiers."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]

KNOWLEDGE = (
    "Safe Harbor also asks that you know of no way in which what is left could identify somebody, alone or together "
    "with other data (45 CFR 164.514(b)(2)(ii)). Columns are recognised by their names and values: look at them."
)


def safe_harbor_sheet(document: Document) -> Sheet:
    """The lines, and what they cannot say."""
    items = document["items"]
    failed = [item["item"] for item in items if not item["passed"]]
    verdict = (
        f"All {len(items)} identifiers are gone from {document['release']}."
        if document["met"]
        else f"Something is left in {document['release']}: {', '.join(failed)}."
    )
    rows = tuple(
        (item["item"], item["identifier"], "pass" if item["passed"] else "FAIL", _said(item)) for item in items
    )
    kept = document["kept"]
    decided = (f"Released as decided: {', '.join(kept)}.",) if kept else ()
    return Sheet(
        f"HIPAA Safe Harbor of {document['source']}",
        f"{verdict} {counted(document['records'], 'record')}.",
        (Section("The 18 identifiers", ("", "identifier", "", "columns"), rows, (*decided, KNOWLEDGE)),),
    )


def _said(item: Document) -> str:
    done = [f"{column['name']}: {column['done']}" for column in item["columns"]]
    left = [f"{name}: left" for name in item["left"]]
    return "; ".join([*done, *left]) or "none found"
