"""The catalogue of utility models, as a sheet."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet


def model_sheet(document: dict[str, Any]) -> Sheet:
    """The utility models for people: a table of all, or one in full."""
    found = document["models"]
    if document["in_full"]:
        text = tuple(found[0]["explanation"].split("\n"))
        return Sheet(found[0]["name"], found[0]["summary"], (Section("In full", remarks=text),))
    rows = tuple(
        (m["name"], m["better"], "thorough" if m["thorough"] else "", m["means"], m["applies_to"]) for m in found
    )
    columns = ("model", "better when", "read", "what it says", "applies to")
    return Sheet("Utility models", f"{len(rows)} models.", (Section("All of them", columns, rows),))
