"""The catalogue of measures, as a sheet."""

from __future__ import annotations

from sfumato.show.documents.measures import MeasuresDocument
from sfumato.show.sheet import Section, Sheet


def measure_sheet(document: MeasuresDocument) -> Sheet:
    """The measures for people: a table of all, or one in full."""
    if document.in_full:
        measure = document.measures[0]
        text = tuple(measure.explanation.split("\n"))
        return Sheet(measure.name, measure.summary, (Section("In full", remarks=text),))
    rows = tuple((m.name, m.safer, ", ".join(m.parameters), m.means) for m in document.measures)
    columns = ("measure", "safer when", "parameters", "what it says")
    return Sheet("Measures", f"{len(rows)} measures.", (Section("All of them", columns, rows),))
