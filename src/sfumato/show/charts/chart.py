"""Charts: a picture as SVG that needs nothing from elsewhere, and the same in words."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from importlib.util import find_spec
from textwrap import wrap
from types import ModuleType
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
# Charts are laid out with the letters of Liberation Sans (as wide as Arial), which comes with the library, and are read
# in whatever font the reader has. Letters are therefore laid out larger by this factor than they are drawn. Measured
# over the 240 texts of a report, DejaVu Sans (as wide as Verdana) needs 1.12 to 1.19 times the width of Arial, and its
# bold 1.19 to 1.25 times; only words of one or two letters need more, by a point or two, which the padding has.
WIDER = 1.25
MIDDLE_OF_LETTERS = 0.3  # of their size: so far below its point the library puts a text that is centred on it
LETTER = 0.65  # of their size: the width of digits, and of most words by letter, in the same wide font
TITLE_LINE, LINE = 60, 84  # letters of a title, and of a note, that fit beside each other above a chart
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
        "maxExtent": 500,  # the title stands beyond the longest label
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
IRI_CHECK = "rfc3987_syntax"  # the module that jsonschema imports for it
PARTS = re.compile(r' (?:role="graphics-[^"]*"|aria-(?:label|roledescription)="[^"]*")')  # a picture has one name
LETTERS = re.compile(r'(<text [^<>]*font-size=")([\d.]+)px"')


def _of(*roles: str) -> str:
    """Where in a chart a colour goes."""
    return ",".join(f".sfumato-chart .role-{role}" for role in roles)


# Fonts as wide as Arial first, as they leave the least room empty; whatever else a reader has is given room by `WIDER`.
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
    spec: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)  # in the words of Vega-Lite

    def _repr_svg_(self) -> str:
        return self.svg


def can_draw() -> bool:
    """Whether the libraries that draw charts are installed."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))


def grammar() -> Any:
    """The library in whose terms charts are described; `MissingExtra` where it is not installed."""
    try:
        with _grammars_later():
            import altair
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtra("Drawing charts", "plots") from None
    return altair


@contextmanager
def _grammars_later() -> Iterator[None]:
    """While Altair is imported, the check of international addresses (IRI) stands in for itself, where it is installed.

    Altair imports jsonschema, which imports that check, which builds 38 grammars: three of the four and a half seconds
    that all of it takes. No chart has such an address; whoever checks one later has the check itself.
    """
    if IRI_CHECK in sys.modules or "jsonschema" in sys.modules or find_spec(IRI_CHECK) is None:
        yield
        return

    def is_valid_syntax(term: str, value: str) -> bool:
        return bool(import_module(IRI_CHECK).is_valid_syntax(term, value))

    later = ModuleType(IRI_CHECK)
    vars(later)["is_valid_syntax"] = is_valid_syntax
    sys.modules[IRI_CHECK] = later
    try:
        yield
    finally:
        sys.modules.pop(IRI_CHECK, None)


def drawn(chart: Any, *, title: str, alternative: str, note: str = "") -> Chart:
    """The picture of a described chart. The same description gives the same bytes."""
    title, note, alternative = (plain(text) for text in (title, note, alternative))
    spec: dict[str, Any] = _drawable(chart.to_dict())
    spec["config"] = CONFIG  # whatever theme the caller has switched on
    spec["title"] = {"text": _wrapped(title, TITLE_LINE) or [""]}
    spec["title"] |= {"subtitle": _wrapped(note, LINE)} if note.strip() else {}
    return Chart(svg_of(spec, title, alternative), alternative, title, spec)


def svg_of(spec: Mapping[str, Any], title: str, alternative: str) -> str:
    """The picture of a chart in the words of Vega-Lite, drawn here and without a network."""
    import vl_convert

    svg = vl_convert.vegalite_to_svg(_with_room(spec), format_locale=LOCALE, allowed_base_urls=[])
    return _described(svg, title, alternative)


def entries_beside(names: Sequence[str]) -> int:
    """How many entries of a legend have room beside each other above a chart.

    >>> entries_beside(["original", "release"]), entries_beside(["all quasi-identifiers"] * 4)
    (5, 2)
    """
    longest = max(map(len, names), default=0)
    return max(1, int(WIDTH / (longest * LETTER * 12 + 40)))  # 40: the symbol, and a gap


def by_table(names: Sequence[str]) -> Any:
    """A colour for each table, and a legend of them."""
    alt = grammar()
    scale = alt.Scale(domain=list(names), range=list(COLOURS[: len(names)]))
    return alt.Color("table:N", sort=list(names), scale=scale, legend=alt.Legend(columns=entries_beside(names)))


def inline(rows: Iterable[dict[str, Any]]) -> Any:
    """Rows as the data of a chart, inside of it."""
    return grammar().Data(values=list(rows))


def shown(labels: Sequence[str | None]) -> list[str]:
    """Labels for an axis: short, on one line, each different from the others.

    >>> shown(["F", None, "", "F"])
    ['F', '(missing)', '(empty)', 'F (2)']
    """
    names: list[str] = []
    for label in labels:
        text = "(missing)" if label is None else plain(label).strip() or "(empty)"
        text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
        candidates = (text, *(f"{text} ({n})" for n in range(2, len(labels) + 1)))
        names.append(next(name for name in candidates if name not in names))
    return names


def _drawable(part: Any) -> Any:
    """A description whose texts can be drawn: the library ends the process over a control character."""
    if isinstance(part, dict):
        return {name: _drawable(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_drawable(value) for value in part]
    return plain(part[:LONGEST_TEXT]) if isinstance(part, str) else part


def _with_room(part: Any) -> Any:
    """A description with room for letters of any usual font: their sizes, and the limits of labels, are larger.

    >>> _with_room({"config": {"axis": {"labelFontSize": 12, "labelLimit": 320}}, "mark": {"fontSize": 11, "dy": -7}})
    {'config': {'axis': {'labelFontSize': 15.0, 'labelLimit': 400.0}}, 'mark': {'fontSize': 13.75, 'dy': -7}}
    """
    if isinstance(part, dict):
        return {
            name: value * WIDER if name.endswith(("ontSize", "Limit")) else _with_room(value)
            for name, value in part.items()
        }
    return [_with_room(value) for value in part] if isinstance(part, list) else part


def _drawn_smaller(letters: re.Match[str]) -> str:
    """The beginning of a text as it is drawn, after it was laid out larger; its middle stays where it was."""
    laid_out = float(letters[2])
    size = laid_out / WIDER
    return f'{letters[1]}{size:g}px" dy="{MIDDLE_OF_LETTERS * (size - laid_out):.2f}"'


def _wrapped(text: str, letters: int) -> list[str]:
    """A text in lines; a number stays beside its per cent."""
    return wrap(text[:LONGEST_TEXT].replace(" %", "\u00a0%"), letters)


def _described(svg: str, title: str, alternative: str) -> str:
    """The SVG with its title, its description and its colours on dark paper."""
    size = re.search(r'width="[\d.]+" height="[\d.]+" viewBox="[\d. -]+"', svg)
    body = LETTERS.sub(_drawn_smaller, PARTS.sub("", svg[svg.index(">") + 1 :])).replace(
        "<rect ", '<rect class="paper" ', 1
    )
    name = escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sfumato-chart" {size[0] if size else ""} role="img" '
        f'aria-label="{name}"><title>{name}</title><desc>{escape(alternative)}</desc><style>{STYLE}</style>{body}\n'
    )
