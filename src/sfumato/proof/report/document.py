"""Reports: first the decision and the data on one page, then the evidence in the order of ISO/IEC 27559, folded.

References: ISO/IEC 27559:2022, Privacy enhancing data de-identification framework.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sfumato.privacy.verdict import Verdict
from sfumato.proof.report.small_numbers import LEAST
from sfumato.show.charts.chart import Chart
from sfumato.show.documents.report import (
    GlanceDocument,
    NumberSource,
    PartDocument,
    PictureDocument,
    ReportDocument,
    SectionDocument,
)
from sfumato.show.presented import Presented
from sfumato.show.sheet import Section, Sheet
from sfumato.show.sheets.report import report_markdown, report_sheet

UNJUDGED = Verdict(None)  # nothing was required, or could be read
REMINDER = "Evidence for a qualified decision; not a legal determination."


class Place(StrEnum):
    """Where a block of the summary stands on a wide page."""

    FACTS = "facts"  # across the page: a few questions and their answers
    MAIN = "main"
    ASIDE = "aside"
    FOLDED = "folded"


@dataclass(frozen=True)
class Block:
    """A table with what to make of it, pictures of it, and where its numbers come from."""

    section: Section
    charts: tuple[Chart, ...] = ()
    explained: tuple[NumberSource, ...] = ()
    place: Place = Place.MAIN  # in the summary; elsewhere blocks follow one another

    def content(self) -> SectionDocument:
        """The block as plain values: what a picture shows, in words."""
        return SectionDocument(
            title=self.section.title,
            columns=self.section.columns,
            rows=self.section.rows,
            numbers=self.section.numbers,
            remarks=self.section.remarks,
            charts=tuple(PictureDocument(title=chart.title, words=chart.alternative) for chart in self.charts),
            explained=self.explained,
        )


@dataclass(frozen=True)
class Part:
    """One part of a report: in plain words first, then in tables and pictures."""

    key: str
    title: str
    words: tuple[str, ...]
    blocks: tuple[Block, ...] = ()
    gist: str = ""  # one line beside the title, while the part is folded

    def content(self) -> PartDocument:
        """The part as plain values."""
        sections = tuple(block.content() for block in self.blocks)
        return PartDocument(key=self.key, title=self.title, gist=self.gist, words=self.words, sections=sections)


@dataclass(frozen=True, repr=False)
class Report(Presented):
    """The parts in order. It holds no cell of the original, and no number of a few people.

    Examples
    --------
    >>> report = Report("Report on a table", "Every requirement is met.", (Part("data", "Data", ("12 records.",)),))
    >>> report["data"].words, report.document()["reminder"]
    (('12 records.',), 'Evidence for a qualified decision; not a legal determination.')
    """

    title: str
    headline: str  # one line that says it all
    parts: tuple[Part, ...]
    summary: Part | None = None  # the decision and the data: what is read first, and not folded
    glance: tuple[tuple[str, str], ...] = ()  # the few numbers to know: what, how much
    verdict: Verdict = UNJUDGED
    mask: int = LEAST  # groups of fewer are not shown
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> Part:
        """The part of this key, or the summary."""
        parts = self.parts if self.summary is None else (self.summary, *self.parts)
        return next(part for part in parts if part.key == key)

    @property
    def met(self) -> bool | None:
        """Whether every requirement is met; None where nothing was required, or could be read."""
        return self.verdict.met

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every picture, in order."""
        return tuple(chart for part in self.parts for block in part.blocks for chart in block.charts)

    def content(self) -> ReportDocument:
        """The whole report as plain values."""
        return ReportDocument(
            title=self.title,
            headline=self.headline,
            met=self.met,
            verdict=self.verdict.state,
            open=self.verdict.open,
            glance=tuple(GlanceDocument(what=what, how_much=how_much) for what, how_much in self.glance),
            summary=self.summary.content() if self.summary else None,
            mask=self.mask,
            parts=tuple(part.content() for part in self.parts),
            notes=self.notes,
            reminder=REMINDER,
        )

    def sheet(self) -> Sheet:
        """The tables of every part, for a terminal or a notebook."""
        return report_sheet(self.content())

    def markdown(self) -> str:
        """The whole report as Markdown; what pictures show is said in words."""
        return report_markdown(self.content())
