"""A sheet as one page of HTML: nothing to fetch, nothing to run, for screens light and dark, paper and ears."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sfumato.show.charts.chart import DARK_FAINT, DARK_GRID, DARK_INK, DARK_PAPER, FAINT, GRID, INK, PAPER, Chart
from sfumato.show.sheet import Section, Sheet, State, plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

STYLE = f"""
:root {{ color-scheme: light dark; --paper: {PAPER}; --ink: {INK}; --faint: {FAINT}; --line: {GRID};
  --shade: #f5f7f9; --link: #0067a3; --good: #00684c; --bad: #a82a00; --good-shade: #e9f5f1; --bad-shade: #fceee8;
  --amber: #7a4b00; --amber-shade: #fdf3e1; }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ --paper: {DARK_PAPER}; --ink: {DARK_INK};
  --faint: {DARK_FAINT}; --line: {DARK_GRID}; --shade: #1d2329; --link: #6cb8ec; --good: #4fc9a4; --bad: #ff9166;
  --good-shade: #122b24; --bad-shade: #35211a; --amber: #f0b95c; --amber-shade: #332913; }} }}
* {{ box-sizing: border-box; }}
html {{ scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }}
body {{ margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: break-word; }}
h1 {{ font-size: clamp(1.3rem, 4.5vw + .3rem, 1.7rem); line-height: 1.2; margin: 0 0 .8rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.35rem; margin: 3rem 0 .6rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line); }}
main:focus {{ outline: none; }}
a {{ color: var(--link); }}
:focus-visible {{ outline: 3px solid var(--link); outline-offset: 2px; }}
.skip {{ position: absolute; left: -100vw; }}
.skip:focus {{ position: static; }}
.verdict {{ margin: 0 0 1rem; border-left: .4rem solid var(--link); border-radius: .3rem; padding: .7rem 1rem;
  background: var(--shade); }}
.verdict strong {{ display: block; font-size: 1.25rem; line-height: 1.35; }}
.verdict.good {{ border-color: var(--good); background: var(--good-shade); }}
.verdict.bad {{ border-color: var(--bad); background: var(--bad-shade); }}
.verdict.amber {{ border-color: var(--amber); background: var(--amber-shade); }}
.verdict.good strong {{ color: var(--good); }}
.verdict.bad strong {{ color: var(--bad); }}
.verdict.amber strong {{ color: var(--amber); }}
.verdict.good strong::before {{ content: "\\2713\\a0" / ""; }}
.verdict.bad strong::before {{ content: "\\2717\\a0" / ""; }}
.verdict.amber strong::before {{ content: "\\26a0\\a0" / ""; }}
.open-questions {{ margin: 0 0 1rem; padding: 0 0 0 1.4rem; }}
nav ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none; }}
.wide {{ overflow-x: auto; margin: .6rem 0 1rem; }}
table {{ border-collapse: collapse; min-width: 50%; font-size: .94rem; line-height: 1.4;
  font-variant-numeric: tabular-nums; }}
th, td {{ padding: .38rem .9rem .38rem .5rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }}
thead th, thead td {{ color: var(--faint); font-weight: normal; vertical-align: bottom; background: var(--shade); }}
tbody th {{ font-weight: normal; }}
th.number, td.number {{ text-align: right; white-space: nowrap; }}
thead th.number {{ white-space: normal; }}
.words {{ min-width: 14rem; }}
.short {{ white-space: nowrap; }}
.code {{ min-width: 10rem; overflow-wrap: anywhere; }}
td.good {{ color: var(--good); }}
td.bad {{ color: var(--bad); font-weight: bold; }}
td.open {{ color: var(--faint); font-style: italic; }}
.heard {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
figure {{ margin: 1.5rem 0; overflow-x: auto; }}
figure svg {{ display: block; max-width: 100%; height: auto; min-width: 34rem; }}
figcaption {{ position: sticky; left: 0; max-width: 46rem; font-size: .94rem; }}
figcaption, summary, footer {{ color: var(--faint); }}
summary {{ cursor: pointer; padding: .2rem 0; }}
footer {{ margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .5rem; }}
@page {{ margin: 15mm 14mm 17mm; @bottom-right {{ content: counter(page) " / " counter(pages);
  font: 8pt sans-serif; color: {FAINT}; }} }}
@media print {{ html {{ font-size: 9.5pt; }} body {{ max-width: none; padding: 0; }} nav, .skip {{ display: none; }}
  h1, h2, h3, thead, .verdict {{ break-after: avoid; }} figure, tr, .verdict {{ break-inside: avoid; }}
  p, dd {{ orphans: 3; widows: 3; }} a {{ color: inherit; }}
  .wide, figure {{ overflow: visible; }} table {{ font-size: 8.2pt; width: 100%; }}
  th, td {{ padding: .25rem .5rem .25rem .3rem; }} .words {{ min-width: 9rem; }} .code {{ min-width: 5rem; }}
  .short {{ white-space: normal; }} .many {{ font-size: 6.8pt; }} .many :is(th, td) {{ padding: .2rem .25rem; }}
  .many :is(th, td):not(.number) {{ min-width: 2.6rem; overflow-wrap: anywhere; }}
  thead th, .verdict {{ print-color-adjust: exact; }}
  figure svg {{ min-width: 0; max-height: 11cm; }} figcaption {{ position: static; max-width: none; font-size: 8pt; }}
  summary {{ list-style: none; }}
  details::details-content {{ content-visibility: visible; display: block; height: auto; }} }}
"""

JUDGED = {"yes": "good", "NO": "bad", "unanswered": "open"}  # as sheets say it
LONG_WORD = 30  # letters: a digest, which may be broken anywhere
MANY = 9  # columns from which on a table needs small letters on paper
LONG_TEXT, SHORT_TEXT = 40, 17  # letters of sentences, which need room, and of what stays on one line


def html_document(title: str, body: str, *, style: str = "", head: str = "") -> str:
    """A whole file of HTML that needs no other, with a title and a body that are HTML already.

    `style` comes after the usual one, and `head` is one more line of the head.
    """
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
{head}<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Sfumato">
<title>{title}</title>
<style>{STYLE}{style}</style>
</head>
<body>
{body}</body>
</html>
"""


def page(sheet: Sheet, charts: Sequence[Chart] = ()) -> str:
    """The sheet and the charts as one file of HTML that needs no other."""
    title = text_of(sheet.title)
    titles = [section.title for section in sheet.sections] + ["Charts"] * bool(charts)
    links = "".join(f'<li><a href="#part-{i}">{text_of(name)}</a></li>' for i, name in enumerate(titles, 1))
    sections = [_section(section, i) for i, section in enumerate(sheet.sections, 1)]
    if charts:
        figures = "".join(map(figure, charts))
        sections.append(_part(len(titles), "Charts", figures))
    body = f"""<a class="skip" href="#main">Skip to the results</a>
<header>
<h1>{title}</h1>
{verdict(sheet.verdict, sheet.state)}</header>
<nav aria-label="Contents"><ul>{links}</ul></nav>
<main id="main" tabindex="-1">
{"".join(sections)}</main>
<footer><p>Made with Sfumato.</p></footer>
"""
    return html_document(title, body)


LOOKS = {State.MET: " good", State.OPEN: " amber", State.NOT_MET: " bad", None: ""}


def verdict(text: str, state: State | None = None, open_questions: Sequence[str] = ()) -> str:
    """One line that says it all, its first sentence large; green only where all that was required is met and decided.

    What is open stands below it, one question on a line: in words, not by colour alone.
    """
    first, stop, others = text.partition(". ")
    banner = (
        f'<p class="verdict{LOOKS[state]}"><strong>{text_of(first + stop.rstrip())}</strong> {text_of(others)}</p>\n'
    )
    if not open_questions:
        return banner
    items = "".join(f"<li>{text_of(question)}</li>" for question in open_questions)
    return f'{banner}<p><strong>What is open:</strong></p>\n<ul class="open-questions">{items}</ul>\n'


def _section(section: Section, number: int) -> str:
    remarks = "".join(f"<p>{text_of(remark)}</p>\n" for remark in section.remarks)
    return _part(number, section.title, (table(section) if section.columns else "") + remarks)


def _part(number: int, title: str, body: str) -> str:
    return (
        f'<section id="part-{number}" aria-labelledby="title-{number}">\n'
        f'<h2 id="title-{number}">{text_of(title)}</h2>\n{body}</section>\n'
    )


def table(section: Section) -> str:
    """A table whose rows are named by their first cell, in a frame that can be scrolled by the keyboard."""
    head = "".join(_heading(section, i) for i in range(len(section.columns)))
    rows = "".join(f"<tr>{''.join(_cell(section, i, c) for i, c in enumerate(row))}</tr>\n" for row in section.rows)
    name, many = text_of(section.title), ' class="many"' if len(section.columns) >= MANY else ""
    return (
        f'<div class="wide" role="region" aria-label="{name}: table" tabindex="0">\n<table{many}>\n'
        f'<caption class="heard">{name}</caption>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


def _heading(section: Section, i: int) -> str:
    name = section.columns[i]
    return f'<th scope="col"{_looks(section, i)}>{text_of(name)}</th>' if name else "<td></td>"


def _cell(section: Section, i: int, cell: str) -> str:
    if i == 0 and cell:
        return f'<th scope="row"{_looks(section, i, _room(cell))}>{text_of(cell)}</th>'
    return f"<td{_looks(section, i, JUDGED.get(cell) or _room(cell))}>{text_of(cell)}</td>"


def _room(cell: str) -> str:
    """What a cell needs: a digest may be broken anywhere, sentences need some width, two words one line."""
    if max(map(len, cell.split()), default=0) >= LONG_WORD:
        return "code"
    if len(cell) >= LONG_TEXT:
        return "words"
    return "short" if len(cell) <= SHORT_TEXT and (" " in cell or "-" in cell.strip("-")) else ""


def _looks(section: Section, i: int, more: str = "") -> str:
    names = " ".join(filter(None, ("number" if i in section.numbers else "", more)))
    return f' class="{names}"' if names else ""


def figure(chart: Chart, level: int = 3) -> str:
    """A picture, and the same in words for those who do not see it or want to copy the numbers."""
    return (
        f'<figure>\n<h{level} class="heard">{text_of(chart.title)}</h{level}>\n{chart.svg}<figcaption><details>'
        f"<summary>The chart in words</summary><p>{text_of(chart.alternative)}</p></details></figcaption>\n</figure>\n"
    )


def text_of(text: str) -> str:
    """A text that stands in HTML for itself, on one line."""
    return escape(plain(text))
