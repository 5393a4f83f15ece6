"""A report as a sheet, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sfumato.show.sheet import Section, Sheet, plain

Document = dict[str, Any]
SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def report_sheet(document: Document) -> Sheet:
    """Every part with its tables; pictures in words and formulas are left to the other forms."""
    glance = tuple((found["what"], found["how_much"]) for found in document["glance"])
    sections = [Section("At a glance", ("what", "how much"), glance)] if glance else []
    for number, part in enumerate(document["parts"], 1):
        sections.append(Section(f"{number}. {part['title']}", remarks=tuple(part["words"])))
        sections += [
            Section(
                block["title"],
                tuple(block["columns"]),
                tuple(map(tuple, block["rows"])),
                tuple(block["remarks"]),
                tuple(block["numbers"]),
            )
            for block in part["sections"]
        ]
    sections.append(Section("What this is", remarks=(*document["notes"], document["reminder"])))
    return Sheet(document["title"], document["verdict"], tuple(sections))


def report_markdown(document: Document) -> str:
    """Every part with its tables, pictures in words and formulas."""
    lines = [f"# {_text(document['title'])}", "", f"**{_text(document['verdict'])}**", ""]
    lines += [f"- {_text(found['what'])}: {_text(found['how_much'])}" for found in document["glance"]]
    lines += [""] if document["glance"] else []
    for number, part in enumerate(document["parts"], 1):
        lines += [f"## {number}. {_text(part['title'])}", ""]
        lines += [line for words in part["words"] for line in (_text(words), "")]
        for block in part["sections"]:
            lines += _block(block)
    lines += ["## What this is", ""]
    lines += [line for note in (*document["notes"], document["reminder"]) for line in (_text(note), "")]
    return "\n".join(lines).rstrip() + "\n"


def _block(block: Document) -> Iterator[str]:
    yield from (f"### {_text(block['title'])}", "")
    if block["columns"]:
        yield from (*_table(block), "")
    for remark in block["remarks"]:
        yield from (_text(remark), "")
    for chart in block["charts"]:
        yield from (f"*{_text(chart['title'])}.* {_text(chart['words'])}", "")
    for found in block["explained"]:
        yield from _explained(found)


def _table(block: Document) -> Iterator[str]:
    yield _row(map(_text, block["columns"]))
    yield _row("--:" if i in block["numbers"] else ":--" for i in range(len(block["columns"])))
    yield from (_row(map(_text, row)) for row in block["rows"])


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _explained(found: Document) -> Iterator[str]:
    """A number as an entry of a list: words, formula, range, references."""
    yield f"- **{_text(found['name'])}**: {_text(found['words'])}"
    if found["formula"]:
        yield f"  Formula: `{plain(found['formula'])}`"
    if found["range"]:
        yield f"  Range: {_text(found['range'])}"
    yield from (f"  {_text(more)}" for more in found["more"])
    yield from _references(found["references"])
    yield ""


def _references(references: Sequence[str]) -> Iterator[str]:
    if references:
        yield f"  References: {' '.join(map(_text, references))}"


def _text(text: str) -> str:
    """A text that stands in Markdown for itself."""
    return SPECIAL.sub(r"\\\1", plain(text))
