"""Charts: a picture as SVG that needs nothing from elsewhere, and the same in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

from sfumato.errors import MissingExtra
from sfumato.show.sheet import plain

# Blue, vermilion, green and purple of Okabe and Ito: told apart with any eyes, on white and on dark paper.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
PAPER, INK, FAINT, GRID = "#ffffff", "#1f2328", "#59636e", "#e3e6ea"
MIDDLE = "#757d86"  # for what is drawn among the data: seen on white and on dark paper
WRITTEN = "#5a646f"  # for what is written among the data: no grey is read on both, so dark paper has another
DARK_PAPER, DARK_INK, DARK_FAINT, DARK_GRID = "#15191e", "#e6e8eb", "#a5aeb8", "#343b44"
WIDTH, HEIGHT = 560, 280
LINE = 84  # letters that fit beside each other above a chart
LONGEST, LONGEST_TEXT = 48, 400  # letters of a label, and of anything else that is drawn
LOCALE = {"decimal": ".", "thousands": "\u00a0", "grouping": [3], "currency": ["", ""]}

CONFIG = {
    "aria": False,  # a chart is one image to a screen reader, and says in words what it shows
    "background": PAPER,
    "padding": 10,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": FAINT, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal",
        "gridColor": GRID, "domainColor": FAINT, "tickColor": FAINT, "labelLimit": 320, "titlePadding": 10,
    },
    "legend": {
        "labelColor": INK, "labelFontSize": 12, "orient": "top", "title": None, "symbolSize": 120, "offset": 10,
        "labelLimit": 320, "columnPadding": 18,
    },
    "header": {"labelColor": INK, "labelFontSize": 13, "labelFontWeight": "bold", "title": None, "labelPadding": 6},
    "title": {
        "color": INK, "subtitleColor": FAINT, "fontSize": 15, "subtitleFontSize": 12, "anchor": "start", "offset": 14,
        "subtitlePadding": 5, "frame": "group",
    },
}  # fmt: skip
PARTS = re.compile(r' (?:role="graphics-[^"]*"|aria-(?:label|roledescription)="[^"]*")')  # a picture has one name


def _of(*roles: str) -> str:
    """Where in a chart a colour goes."""
    return ",".join(f".sfumato-chart .role-{role}" for role in roles)


# Labels are given room as wide as Arial; where that and its likes are missing, a plain sans-serif may need more.
FONTS = "Arial,'Liberation Sans',Helvetica,Roboto,'DejaVu Sans Condensed',sans-serif"

STYLE = (
    f".sfumato-chart text{{font-family:{FONTS}}}"
    "@media screen and (prefers-color-scheme:dark){"
    f".sfumato-chart .paper{{fill:{DARK_PAPER}}}"
    f"{_of('axis-label>text', 'legend-label>text', 'title-text>text')}{{fill:{DARK_INK}}}"
    f"{_of('axis-title>text', 'title-subtitle>text')}{{fill:{DARK_FAINT}}}"
    f"{_of('mark>text[fill=' + repr(WRITTEN) + ']')}{{fill:{DARK_FAINT}}}"
    f"{_of('axis-grid>line')}{{stroke:{DARK_GRID}}}"
    f"{_of('axis-domain>line', 'axis-tick>line')}{{stroke:{DARK_FAINT}}}"
    "}"
)


@dataclass(frozen=True)
class Chart:
    """A picture as SVG, what it shows in words, and its title."""

    svg: str
    alternative: str
    title: str

    def _repr_svg_(self) -> str:
        return self.svg


def grammar() -> Any:
    """The library in whose terms charts are described; `MissingExtra` where it is not installed."""
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtra("Drawing charts", "plots") from None
    return altair


def drawn(chart: Any, *, title: str, alternative: str, note: str = "") -> Chart:
    """The picture of a described chart. The same description gives the same bytes."""
    import vl_convert

    title, note, alternative = (plain(text) for text in (title, note, alternative))
    spec: dict[str, Any] = _drawable(chart.to_dict())
    spec["config"] = CONFIG  # whatever theme the caller has switched on
    spec["title"] = {"text": _wrapped(title) or [""]} | ({"subtitle": _wrapped(note)} if note.strip() else {})
    svg = vl_convert.vegalite_to_svg(spec, format_locale=LOCALE, allowed_base_urls=[])
    return Chart(_described(svg, title, alternative), alternative, title)


def inline(rows: Iterable[dict[str, Any]]) -> Any:
    """Rows as the data of a chart, inside of it."""
    return grammar().Data(values=list(rows))


def shown(labels: Sequence[str | None]) -> list[str]:
    """Labels for an axis: short, on one line, each different from the others.

    >>> shown(["F", None, "", "F"])
    ['F', '(missing)', '(empty)', 'F (2)']
    """
    found: list[str] = []
    for label in labels:
        text = "(missing)" if label is None else plain(label).strip() or "(empty)"
        text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
        names = (text, *(f"{text} ({n})" for n in range(2, len(labels) + 1)))
        found.append(next(name for name in names if name not in found))
    return found


def _drawable(part: Any) -> Any:
    """A description whose texts can be drawn: the library ends the process over a control character."""
    if isinstance(part, dict):
        return {name: _drawable(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_drawable(value) for value in part]
    return plain(part[:LONGEST_TEXT]) if isinstance(part, str) else part


def _wrapped(text: str) -> list[str]:
    """A text in lines; a number stays beside its per cent."""
    return wrap(text[:LONGEST_TEXT].replace(" %", "\u00a0%"), LINE)


def _described(svg: str, title: str, alternative: str) -> str:
    """The SVG with its title, its description and its colours on dark paper."""
    size = re.search(r'width="[\d.]+" height="[\d.]+" viewBox="[\d. -]+"', svg)
    body = PARTS.sub("", svg[svg.index(">") + 1 :]).replace("<rect ", '<rect class="paper" ', 1)
    name = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sfumato-chart" {size[0] if size else ""} role="img" '
        f'aria-label="{name}"><title>{name}</title><desc>{escape(alternative)}</desc><style>{STYLE}</style>{body}\n'
    )
