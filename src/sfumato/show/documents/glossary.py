"""The document of `sfumato glossary`: terms, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class Term(Document):
    """A term, other words for it, what it is about, and what it means."""

    term: str
    also: tuple[str, ...]
    kind: str
    means: str

    @property
    def names(self) -> tuple[str, ...]:
        """The term and the other words for it."""
        return (self.term, *self.also)


@dataclass(frozen=True, kw_only=True)
class GlossaryDocument(Document):
    """The terms, in the order of the glossary."""

    terms: tuple[Term, ...]
