"""A report as one page of HTML: nothing to fetch, nothing to run, for screens light and dark, paper and ears."""

from __future__ import annotations

from sfumato.proof.report.document import REMINDER, Block, Part, Report
from sfumato.show.documents.report import NumberSource
from sfumato.show.page import figure, html_document, table, text_of, verdict

MORE_STYLE = """
body { max-width: 66rem; }
h3 { font-size: 1.08rem; margin: 2rem 0 .4rem; }
header p.kind { color: var(--faint); margin: 0; }
nav ol { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding: .5rem 0; margin: 1rem 0 0; list-style: none;
  border-bottom: 1px solid var(--line); }
nav { background: var(--paper); }
dl.glance { display: grid; grid-template-columns: repeat(2, 1fr); gap: .8rem; margin: 1.2rem 0; }
dl.glance div { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; display: flex;
  flex-direction: column-reverse; justify-content: flex-end; }
dl.glance dt { color: var(--faint); font-size: .9rem; line-height: 1.35; }
dl.glance dd { margin: 0; font-size: 1.1rem; font-weight: 600; font-variant-numeric: tabular-nums; }
@media (min-width: 44rem) { dl.glance { grid-template-columns: repeat(3, 1fr); } dl.glance dd { font-size: 1.35rem; } }
@media screen and (min-width: 44rem) and (min-height: 30rem) { nav { position: sticky; top: 0; z-index: 1; }
  html { scroll-padding-top: 4.5rem; } }
section > p, section > ul { max-width: 46rem; }
section.part > p:first-of-type { font-size: 1.08rem; }
details.number, p.told { border-left: 3px solid var(--line); padding-left: .8rem; margin: .35rem 0; max-width: 46rem; }
p.told { color: var(--faint); }
details.number dl { margin: .3rem 0 .8rem; }
details.number dt { color: var(--faint); font-size: .9rem; }
details.number dd { margin: 0 0 .4rem 1rem; }
summary b, p.told b { color: var(--ink); }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; overflow-wrap: anywhere; }
footer p.reminder { color: var(--ink); font-weight: bold; }
@media print {
  section.part { break-before: page; } section.part:first-of-type { break-before: auto; }
  dl.glance { grid-template-columns: repeat(3, 1fr); } dl.glance div { break-inside: avoid; }
  details.number { max-width: none; font-size: 8.5pt; } details.number dl { margin: 0 0 .4rem; }
  details.number dt, details.number dd { display: inline; margin: 0; }
  details.number dt::after { content: ": "; } details.number dd::after { content: "\\a"; white-space: pre; }
}
"""


def report_page(report: Report, head: str = "") -> str:
    """The report as one file of HTML that needs no other; `head` is one more line of its head."""
    title = text_of(report.title)
    links = "".join(f'<li><a href="#{part.key}">{text_of(part.title)}</a></li>' for part in report.parts)
    notes = "".join(f"<p>{text_of(note)}</p>\n" for note in report.notes)
    body = f"""<a class="skip" href="#main">Skip to the report</a>
<header>
<p class="kind">De-identification report</p>
<h1>{title}</h1>
{verdict(report.headline, report.verdict.state, report.verdict.open)}{_glance(report)}</header>
<nav aria-label="Parts of the report"><ol>{links}</ol></nav>
<main id="main" tabindex="-1">
{"".join(_part(part, i) for i, part in enumerate(report.parts, 1))}</main>
<footer>
{notes}<p>Groups of fewer than {report.mask} are hidden. Made with Sfumato.</p>
<p class="reminder">{REMINDER}</p>
</footer>
"""
    return html_document(title, body, style=MORE_STYLE, head=head)


def _glance(report: Report) -> str:
    if not report.glance:
        return ""
    tiles = "".join(f"<div><dt>{text_of(what)}</dt><dd>{_together(much)}</dd></div>" for what, much in report.glance)
    return f'<dl class="glance">{tiles}</dl>\n'


def _together(much: str) -> str:
    """A number and its per cent stay on one line."""
    return text_of(much).replace(" %", "&nbsp;%")


def _part(part: Part, number: int) -> str:
    words = "".join(f"<p>{text_of(line)}</p>\n" for line in part.words)
    return (
        f'<section class="part" id="{part.key}" aria-labelledby="title-{number}">\n'
        f'<h2 id="title-{number}">{number}. {text_of(part.title)}</h2>\n{words}'
        f"{''.join(_block(block) for block in part.blocks)}</section>\n"
    )


def _block(block: Block) -> str:
    section = block.section
    rows = table(section) if section.columns else ""
    remarks = "".join(f"<p>{text_of(remark)}</p>\n" for remark in section.remarks)
    figures = "".join(figure(chart, level=4) for chart in block.charts)
    return f"<h3>{text_of(section.title)}</h3>\n{rows}{remarks}{''.join(map(_explained, block.explained))}{figures}"


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
