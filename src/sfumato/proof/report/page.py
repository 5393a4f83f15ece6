"""A report as one page of HTML: nothing to fetch, nothing to run, for screens light and dark, paper and ears.

The decision and the data come first and fill about two screens; every part of the evidence is folded behind its title.
"""

from __future__ import annotations

import re

from sfumato.proof.report.document import REMINDER, Block, Part, Place, Report
from sfumato.proof.report.page_style import MORE_STYLE
from sfumato.show.documents.report import NumberSource
from sfumato.show.page import figure, html_document, table, text_of, verdict

LABEL = 42  # letters below a number: two lines
SAID_ABOVE = ("requirements", "questions of the context unanswered")  # by the verdict, and beside the part on context


def report_page(report: Report, head: str = "") -> str:
    """The report as one file of HTML that needs no other; `head` is one more line of its head."""
    title = text_of(report.title)
    links = "".join(f'<li><a href="#{part.key}">{text_of(part.title)}</a></li>' for part in report.parts)
    notes = "".join(f"<p>{text_of(note)}</p>\n" for note in report.notes)
    body = f"""<a class="skip" href="#main">Skip to the report</a>
<header>
<div class="kind"><p>De-identification report</p>
<nav aria-label="Parts of the report"><ol>{links}</ol></nav></div>
<h1>{title}</h1>
{verdict(report.headline, report.verdict.state, report.verdict.open)}</header>
<main id="main" tabindex="-1">
{_summary(report)}{"".join(_part(part, i) for i, part in enumerate(report.parts, 1))}</main>
<footer>
{notes}<p>Groups of fewer than {report.mask} are hidden. Made with Sfumato.
<strong class="reminder">{REMINDER}</strong></p>
</footer>
"""
    return html_document(title, body, style=MORE_STYLE, head=head)


def _summary(report: Report) -> str:
    """The few numbers to know, then the blocks of the summary: facts across the page, tables in two columns."""
    blocks = report.summary.blocks if report.summary else ()
    facts = "".join(_facts(block) for block in blocks if block.place is Place.FACTS)
    columns = {"most": _placed(blocks, Place.MAIN), "least": _placed(blocks, Place.ASIDE)}
    both = "".join(f'<div class="{name}">\n{shown}</div>\n' for name, shown in columns.items() if shown)
    folded = "".join(_folded(block) for block in blocks if block.place is Place.FOLDED)
    return f'<div class="summary">\n{facts}{_glance(report)}<div class="two">\n{both}</div>\n{folded}</div>\n'


def _glance(report: Report) -> str:
    numbers = [(what, much) for what, much in report.glance if what not in SAID_ABOVE]
    if not numbers:
        return ""
    tiles = "".join(f"<div><dt>{text_of(_short(what))}</dt><dd>{_together(much)}</dd></div>" for what, much in numbers)
    return f'<dl class="glance">{tiles}</dl>\n'


def _short(what: str) -> str:
    """What a number is about, without a long list of columns: the tables below have them."""
    return what if len(what) <= LABEL else re.split(r" by | \(", what, maxsplit=1)[0]


def _together(much: str) -> str:
    """A number and its per cent stay on one line."""
    return re.sub(r"(?<=\d) (?=\d|%)", "&nbsp;", text_of(much))


def _facts(block: Block) -> str:
    """A few questions and their answers, beside one another where there is room."""
    rows = "".join(f"<div><dt>{text_of(row[0])}</dt><dd>{_coded(row[1])}</dd></div>" for row in block.section.rows)
    return f'<h2 class="heard">{text_of(block.section.title)}</h2>\n<dl class="facts">{rows}</dl>\n'


def _placed(blocks: tuple[Block, ...], place: Place) -> str:
    return "".join(_block(block, level=2) for block in blocks if block.place is place)


def _folded(block: Block) -> str:
    section = block.section
    return (
        f'<details class="more"><summary><h2>{text_of(section.title)}</h2></summary>\n'
        f"{table(section)}{_remarks(block)}</details>\n"
    )


def _part(part: Part, number: int) -> str:
    """One part, folded behind its title; a link to it leads to what is inside, so that a browser unfolds it."""
    words = "".join(f"<p>{_coded(line)}</p>\n" for line in part.words)
    gist = f' <span class="gist">{_coded(part.gist)}</span>' if part.gist else ""
    title = f'<h2 id="title-{number}">{number}. {text_of(part.title)}</h2>'
    return (
        f'<details class="part">\n<summary>{title}{gist}</summary>\n'
        f'<div class="body" id="{part.key}">\n{words}'
        f"{''.join(_block(block) for block in part.blocks)}</div>\n</details>\n"
    )


def _block(block: Block, level: int = 3) -> str:
    section = block.section
    rows = table(section) if section.columns else ""
    figures = "".join(figure(chart, level=level + 1) for chart in block.charts)
    return (
        f"<h{level}>{text_of(section.title)}</h{level}>\n{rows}{_remarks(block)}"
        f"{''.join(map(_explained, block.explained))}{figures}"
    )


def _remarks(block: Block) -> str:
    return "".join(f"<p>{_coded(remark)}</p>\n" for remark in block.section.remarks)


def _coded(words: str) -> str:
    """Words in which commands and keys stand between backticks, as HTML."""
    parts = text_of(words).split("`")
    if len(parts) % 2 == 0:  # one that is not closed is a letter
        return text_of(words)
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def _explained(source: NumberSource) -> str:
    """Where a number comes from, one click away."""
    entries = [
        ("Formula", f"<code>{text_of(source.formula)}</code>" if source.formula else ""),
        ("Range", text_of(source.range)),
        ("What it means", "<br>".join(map(text_of, source.more))),
        ("Who says so", "<br>".join(map(text_of, source.references))),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in entries if words)
    told = f"<b>{text_of(source.name)}</b>: {text_of(source.words)}"
    if not rows:
        return f'<p class="told">{told}</p>\n'
    return f'<details class="number"><summary>{told}</summary><dl>{rows}</dl></details>\n'
