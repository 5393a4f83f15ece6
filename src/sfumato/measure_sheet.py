"""The catalogue of measures, as a sheet."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Any

from sfumato.catalogue import measures, summary
from sfumato.errors import UnknownMeasure
from sfumato.measure import Measure
from sfumato.sheet import Section, Sheet


def measure_document(name: str | None = None) -> dict[str, Any]:
    """Every measure, or one, as plain values."""
    known = measures()
    if name is not None and name not in known:
        raise UnknownMeasure(name, known)
    chosen = [known[name]] if name else list(known.values())
    return {"measures": [_document(cls) for cls in chosen], "in_full": name is not None}


def measure_sheet(document: dict[str, Any]) -> Sheet:
    """The measures for people."""
    found = document["measures"]
    if document["in_full"]:
        text = tuple(found[0]["explanation"].split("\n"))
        return Sheet(found[0]["name"], found[0]["summary"], (Section("In full", remarks=text),))
    rows = tuple((m["name"], m["safer"], ", ".join(m["parameters"]), m["means"]) for m in found)
    columns = ("measure", "safer when", "parameters", "what it says")
    return Sheet("Measures", f"{len(rows)} measures.", (Section("All of them", columns, rows),))


def _document(cls: type[Measure]) -> dict[str, Any]:
    parameters = {
        field.name: None if field.default is MISSING else field.default
        for field in fields(cls)  # type: ignore[arg-type]
    }
    return {
        "name": cls.name(),
        "summary": summary(cls),
        "means": cls.plainly,
        "safer": cls.safer.value,
        "monotone": cls.monotone,
        "parameters": parameters,
        "explanation": inspect.getdoc(cls) or "",
    }
