"""Terms as a sheet."""

from __future__ import annotations

from sfumato.show.documents.glossary import GlossaryDocument
from sfumato.show.sheet import Section, Sheet, counted


def glossary_sheet(glossary: GlossaryDocument) -> Sheet:
    """The terms by kind, each with what it means."""
    sections = tuple(
        Section(
            kind,
            ("term", "what it means"),
            tuple((", ".join(term.names), term.means) for term in glossary.terms if term.kind == kind),
        )
        for kind in dict.fromkeys(term.kind for term in glossary.terms)
    )
    return Sheet("Glossary", f"{counted(len(glossary.terms), 'term')}.", sections)
