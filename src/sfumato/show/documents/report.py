"""The document of `sfumato report`: every part in words and tables, and where each number comes from."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.show.document import Document


@dataclass(frozen=True, kw_only=True)
class NumberSource(Document):
    """Where a number comes from: in plain words, as a formula, between which bounds, and who says so."""

    name: str
    words: str
    formula: str = ""
    range: str = ""
    more: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PictureDocument(Document):
    """What a picture shows, in words."""

    title: str
    words: str


@dataclass(frozen=True, kw_only=True)
class SectionDocument(Document):
    """A table, what to make of it, its pictures in words, and where its numbers come from."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    remarks: tuple[str, ...]
    charts: tuple[PictureDocument, ...]
    explained: tuple[NumberSource, ...]


@dataclass(frozen=True, kw_only=True)
class PartDocument(Document):
    """One part: in plain words first, then in tables."""

    key: str
    title: str
    gist: str  # in one line
    words: tuple[str, ...]
    sections: tuple[SectionDocument, ...]


@dataclass(frozen=True, kw_only=True)
class GlanceDocument(Document):
    """One of the few numbers to know."""

    what: str
    how_much: str


@dataclass(frozen=True, kw_only=True)
class ReportDocument(Document):
    """The whole report."""

    title: str
    headline: str
    met: bool | None
    verdict: str | None  # met; met, but; not met; null where nothing was required, or could be read
    open: tuple[str, ...]  # what a person has to answer for, though the policy may be met
    glance: tuple[GlanceDocument, ...]
    summary: PartDocument | None  # the decision and the data, before all else
    mask: int
    parts: tuple[PartDocument, ...]
    notes: tuple[str, ...]
    reminder: str
