"""A report as a sheet, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sfumato.show.documents.report import NumberSource, PartDocument, ReportDocument, SectionDocument
from sfumato.show.sheet import Section, Sheet, State, open_section, plain

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def report_sheet(report: ReportDocument) -> Sheet:
    """The summary, then every part with its tables; pictures in words and formulas are left to the other forms."""
    glance = tuple((number.what, number.how_much) for number in report.glance)
    sections = [open_section(report.open)] if report.open else []
    sections += [Section("At a glance", ("what", "how much"), glance)] if glance else []
    sections += _sections(report.summary) if report.summary else []
    for number, part in enumerate(report.parts, 1):
        sections.append(Section(f"{number}. {part.title}", remarks=part.words))
        sections += _sections(part)
    sections.append(Section("What this is", remarks=(*report.notes, report.reminder)))
    state = State(report.verdict) if report.verdict else None
    return Sheet(report.title, report.headline, tuple(sections), state)


def _sections(part: PartDocument) -> list[Section]:
    return [
        Section(
            title=section.title,
            columns=section.columns,
            rows=section.rows,
            remarks=section.remarks,
            numbers=section.numbers,
        )
        for section in part.sections
    ]


def report_markdown(report: ReportDocument) -> str:
    """The summary, then every part with its tables, pictures in words and formulas."""
    lines = [f"# {_text(report.title)}", "", f"**{_text(report.headline)}**", ""]
    if report.open:
        lines += ["What is open:", "", *(f"- {_text(question)}" for question in report.open), ""]
    lines += [f"- {_text(number.what)}: {_text(number.how_much)}" for number in report.glance]
    lines += [""] if report.glance else []
    for section in report.summary.sections if report.summary else ():
        lines += _section(section, level=2)
    for number, part in enumerate(report.parts, 1):
        lines += [f"## {number}. {_text(part.title)}", ""]
        lines += [line for words in part.words for line in (_text(words), "")]
        for section in part.sections:
            lines += _section(section)
    lines += ["## What this is", ""]
    lines += [line for note in (*report.notes, report.reminder) for line in (_text(note), "")]
    return "\n".join(lines).rstrip() + "\n"


def _section(section: SectionDocument, level: int = 3) -> Iterator[str]:
    yield from (f"{'#' * level} {_text(section.title)}", "")
    if section.columns:
        yield _row(map(_text, section.columns))
        yield _row("--:" if i in section.numbers else ":--" for i in range(len(section.columns)))
        yield from (_row(map(_text, row)) for row in section.rows)
        yield ""
    for remark in section.remarks:
        yield from (_text(remark), "")
    for chart in section.charts:
        yield from (f"*{_text(chart.title)}.* {_text(chart.words)}", "")
    for source in section.explained:
        yield from _source(source)


def _source(source: NumberSource) -> Iterator[str]:
    """A number as an entry of a list: words, formula, range, references."""
    yield f"- **{_text(source.name)}**: {_text(source.words)}"
    if source.formula:
        yield f"  Formula: `{plain(source.formula)}`"
    if source.range:
        yield f"  Range: {_text(source.range)}"
    yield from (f"  {_text(more)}" for more in source.more)
    if source.references:
        yield f"  References: {' '.join(map(_text, source.references))}"
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """A text that stands in Markdown for itself."""
    return SPECIAL.sub(r"\\\1", plain(text))
