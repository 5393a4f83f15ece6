"""A sheet as a part of a page, for a notebook: in the style of the report, which stays within it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from sfumato.show.charts.chart import Chart
from sfumato.show.page import STYLE, figure, table, text_of, verdict
from sfumato.show.sheet import Section, Sheet

OPEN = 3  # tables that are seen at once; the others unfold. What a screen holds below a headline
RULE = re.compile(r"([^{}]+)\{((?:[^{}]|\{[^{}]*\})*)\}")
BETWEEN = re.compile(r",(?![^()]*\))")
NOWHERE = ("html", "main", "nav", "header", "footer")  # what a part of a page does not have
OWN = """
.sfumato { margin: 0; padding: 1rem; border-radius: .3rem; }
.sfumato h3 { font-size: 1.25rem; margin: 0 0 .6rem; color: inherit; }
.sfumato h4 { font-size: 1.05rem; margin: 1.2rem 0 .3rem; color: inherit; }
.sfumato p { margin: 0 0 .5rem; }
.sfumato tbody tr:nth-child(n), .sfumato thead { background: transparent; border: 0; }
.sfumato td, .sfumato th { max-width: none; white-space: normal; }
"""  # notebooks have styles of their own for these


def fragment(sheet: Sheet, charts: Sequence[Chart] = ()) -> str:
    """The sheet and the charts as HTML that can stand among other things: nothing outside of it looks otherwise."""
    first, rest = sheet.sections[:OPEN], sheet.sections[OPEN:]
    parts = [
        f'<div class="sfumato"><h3>{text_of(sheet.title)}</h3>\n{verdict(sheet.verdict, sheet.state)}',
        *map(_section, first),
        *(figure(chart, level=4) for chart in charts),
        *([f"<details><summary>{_more(rest)}</summary>{''.join(map(_section, rest))}</details>\n"] if rest else []),
        f"<style>{scoped_style()}</style></div>",
    ]
    return "".join(parts)


def _section(section: Section) -> str:
    remarks = "".join(f"<p>{text_of(remark)}</p>\n" for remark in section.remarks)
    return f"<h4>{text_of(section.title)}</h4>\n{table(section) if section.columns else ''}{remarks}"


def _more(sections: Sequence[Section]) -> str:
    return "More: " + text_of("; ".join(section.title for section in sections))


@cache
def scoped_style() -> str:
    """The style of pages, for what stands in a fragment and nothing else."""
    return "\n".join(_scoped(STYLE)) + OWN


def _scoped(style: str) -> Iterator[str]:
    """Rules that hold within a fragment only. What is for paper is left out: a notebook prints by itself.

    >>> list(_scoped(":root { color: red; } html { margin: 0; } td, th { margin: 1px; } @page { margin: 0; }"))
    ['.sfumato{ color: red; }', '.sfumato td, .sfumato th{ margin: 1px; }']
    """
    for selectors, body in RULE.findall(style):
        what = selectors.strip()
        if what.startswith("@media") and "print" not in what:
            yield f"{what}{{{''.join(_scoped(body))}}}"
        elif not what.startswith("@"):
            places = [_place(part.strip()) for part in BETWEEN.split(what) if not part.strip().startswith(NOWHERE)]
            if places:
                yield f"{', '.join(places)}{{{body}}}"


def _place(selector: str) -> str:
    return ".sfumato" if selector in (":root", "body") else f".sfumato {selector}"
