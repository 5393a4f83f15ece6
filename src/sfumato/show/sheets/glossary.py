"""Terms as a sheet."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]


def glossary_sheet(document: Document) -> Sheet:
    """The terms by kind, each with what it means."""
    found = document["terms"]
    kinds = dict.fromkeys(term["kind"] for term in found)
    return Sheet("Glossary", f"{counted(len(found), 'term')}.", tuple(_section(kind, found) for kind in kinds))


def _section(kind: str, terms: list[Document]) -> Section:
    rows = tuple((_name(term), term["means"]) for term in terms if term["kind"] == kind)
    return Section(kind, ("term", "what it means"), rows)


def _name(term: Document) -> str:
    return ", ".join([term["term"], *term["also"]])
