"""Reports: the evidence on a release in the order of ISO/IEC 27559, for people who decide and for machines.

References: ISO/IEC 27559:2022, Privacy enhancing data de-identification framework.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.proof.report.small_numbers import LEAST
from sfumato.show.charts.chart import Chart
from sfumato.show.presented import Presented
from sfumato.show.sheet import Section, Sheet
from sfumato.show.sheets.report import report_markdown, report_sheet

REMINDER = "Evidence for a qualified decision; not a legal determination."


@dataclass(frozen=True)
class Explained:
    """Where a number comes from: in plain words, as a formula, between which bounds, and who says so."""

    name: str
    words: str
    formula: str = ""
    bounds: str = ""
    more: tuple[str, ...] = ()
    references: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The explanation as plain values."""
        return {
            "name": self.name,
            "words": self.words,
            "formula": self.formula,
            "range": self.bounds,
            "more": list(self.more),
            "references": list(self.references),
        }


@dataclass(frozen=True)
class Block:
    """A table with what to make of it, pictures of it, and where its numbers come from."""

    section: Section
    charts: tuple[Chart, ...] = ()
    explained: tuple[Explained, ...] = ()

    def document(self) -> dict[str, Any]:
        """The block as plain values: what a picture shows, in words."""
        return {
            "title": self.section.title,
            "columns": list(self.section.columns),
            "rows": [list(row) for row in self.section.rows],
            "numbers": list(self.section.numbers),
            "remarks": list(self.section.remarks),
            "charts": [{"title": chart.title, "words": chart.alternative} for chart in self.charts],
            "explained": [found.document() for found in self.explained],
        }


@dataclass(frozen=True)
class Part:
    """One part of a report: in plain words first, then in tables and pictures."""

    key: str
    title: str
    words: tuple[str, ...]
    blocks: tuple[Block, ...] = ()

    def document(self) -> dict[str, Any]:
        """The part as plain values."""
        return {
            "key": self.key,
            "title": self.title,
            "words": list(self.words),
            "sections": [block.document() for block in self.blocks],
        }


@dataclass(frozen=True, repr=False)
class Report(Presented):
    """The parts in order. It holds no cell of the original, and no number of a few people.

    Examples
    --------
    >>> found = Report("Report on a table", "Every requirement is met.", (Part("data", "Data", ("12 records.",)),))
    >>> found["data"].words, found.document()["reminder"]
    (('12 records.',), 'Evidence for a qualified decision; not a legal determination.')
    """

    title: str
    verdict: str
    parts: tuple[Part, ...]
    glance: tuple[tuple[str, str], ...] = ()  # the few numbers to know: what, how much
    met: bool | None = None  # every requirement; None where nothing was required, or could be read
    mask: int = LEAST  # groups of fewer are not shown
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: str) -> Part:
        """The part of this key."""
        return next(part for part in self.parts if part.key == key)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Every picture, in order."""
        return tuple(chart for part in self.parts for block in part.blocks for chart in block.charts)

    def document(self) -> dict[str, Any]:
        """The whole report as plain values."""
        return {
            "title": self.title,
            "verdict": self.verdict,
            "met": self.met,
            "glance": [{"what": what, "how_much": how_much} for what, how_much in self.glance],
            "mask": self.mask,
            "parts": [part.document() for part in self.parts],
            "notes": list(self.notes),
            "reminder": REMINDER,
        }

    def sheet(self) -> Sheet:
        """The tables of every part, for a terminal or a notebook."""
        return report_sheet(self.document())

    def markdown(self) -> str:
        """The whole report as Markdown; what pictures show is said in words."""
        return report_markdown(self.document())
