"""The catalogue of measures, as a sheet."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet


def measure_sheet(document: dict[str, Any]) -> Sheet:
    """The measures for people: a table of all, or one in full."""
    found = document["measures"]
    if document["in_full"]:
        text = tuple(found[0]["explanation"].split("\n"))
        return Sheet(found[0]["name"], found[0]["summary"], (Section("In full", remarks=text),))
    rows = tuple((m["name"], m["safer"], ", ".join(m["parameters"]), m["means"]) for m in found)
    columns = ("measure", "safer when", "parameters", "what it says")
    return Sheet("Measures", f"{len(rows)} measures.", (Section("All of them", columns, rows),))
