"""A sheet as one page of HTML: nothing to fetch, nothing to run, for screens light and dark, paper and ears."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sfumato.charts.chart import DARK_FAINT, DARK_GRID, DARK_INK, DARK_PAPER, FAINT, GRID, INK, PAPER, Chart
from sfumato.sheets.sheet import Section, Sheet, plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

STYLE = f"""
:root {{ color-scheme: light dark; --paper: {PAPER}; --ink: {INK}; --faint: {FAINT}; --line: {GRID};
  --link: #0072b2; --good: #00684c; --bad: #a82a00; }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ --paper: {DARK_PAPER}; --ink: {DARK_INK};
  --faint: {DARK_FAINT}; --line: {DARK_GRID}; --link: #6cb8ec; --good: #4fc9a4; --bad: #ff9166; }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 sans-serif; }}
h1 {{ font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }}
h2 {{ font-size: 1.25rem; margin: 2.5rem 0 .5rem; }}
a {{ color: var(--link); }}
:focus-visible {{ outline: 3px solid var(--link); outline-offset: 2px; }}
.skip {{ position: absolute; left: -100vw; }}
.skip:focus {{ position: static; }}
.verdict {{ font-size: 1.1rem; font-weight: bold; border-left: .4rem solid var(--good); padding-left: .8rem; }}
.verdict.bad {{ border-color: var(--bad); }}
nav ul {{ display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; min-width: 50%; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; color: var(--faint); padding-bottom: .3rem; }}
th, td {{ padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }}
thead th {{ color: var(--faint); font-weight: normal; vertical-align: bottom; }}
tbody th {{ font-weight: normal; }}
.number {{ text-align: right; white-space: nowrap; }}
td.good {{ color: var(--good); }}
td.bad {{ color: var(--bad); font-weight: bold; }}
.heard {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
figure {{ margin: 1.5rem 0; }}
figure svg {{ max-width: 100%; height: auto; }}
figcaption, summary, footer {{ color: var(--faint); }}
footer {{ margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .5rem; }}
@media print {{ body {{ max-width: none; padding: 0; font-size: 10pt; }} nav, .skip {{ display: none; }}
  figure, tr {{ break-inside: avoid; }} h2 {{ break-after: avoid; }} .wide {{ overflow: visible; }} }}
"""

GOOD, BAD = "yes", "NO"  # as sheets say it


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
    bad = " bad" if sheet.verdict.startswith("Not met") else ""
    body = f"""<a class="skip" href="#main">Skip to the results</a>
<header>
<h1>{title}</h1>
<p class="verdict{bad}">{text_of(sheet.verdict)}</p>
</header>
<nav aria-label="Contents"><ul>{links}</ul></nav>
<main id="main" tabindex="-1">
{"".join(sections)}</main>
<footer><p>Made with Sfumato.</p></footer>
"""
    return html_document(title, body)


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
    head = "".join(f'<th scope="col"{_aligned(section, i)}>{text_of(c)}</th>' for i, c in enumerate(section.columns))
    rows = "".join(f"<tr>{''.join(_cell(section, i, c) for i, c in enumerate(row))}</tr>\n" for row in section.rows)
    name = text_of(section.title)
    return (
        f'<div class="wide" role="region" aria-label="{name}: table" tabindex="0">\n'
        f"<table>\n<caption>{name}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


def _cell(section: Section, i: int, cell: str) -> str:
    if i == 0:
        return f'<th scope="row"{_aligned(section, i)}>{text_of(cell)}</th>'
    return f"<td{_aligned(section, i, _judged(cell))}>{text_of(cell)}</td>"


def _judged(cell: str) -> str:
    return "good" if cell == GOOD else "bad" if cell == BAD else ""


def _aligned(section: Section, i: int, more: str = "") -> str:
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
