"""The catalogue of utility models, as a sheet."""

from __future__ import annotations

from sfumato.show.documents.models import ModelsDocument
from sfumato.show.sheet import Section, Sheet


def model_sheet(document: ModelsDocument) -> Sheet:
    """The utility models for people: a table of all, or one in full."""
    if document.in_full:
        model = document.models[0]
        return Sheet(model.name, model.summary, (Section("In full", remarks=tuple(model.explanation.split("\n"))),))
    rows = tuple(
        (model.name, model.better, "thorough" if model.thorough else "", model.means, model.applies_to)
        for model in document.models
    )
    columns = ("model", "better when", "read", "what it says", "applies to")
    return Sheet("Utility models", f"{len(rows)} models.", (Section("All of them", columns, rows),))
