"""Rendering: Markdown as HTML, with headings that can be linked to, coloured code and formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

from formulas import UnknownFormula, mathml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

WIDE = '<div class="wide" tabindex="0">'
LANGUAGES = {"sh": "bash", "csv": "text", "": "text"}


@dataclass(frozen=True)
class Heading:
    """A heading of a page: how deep, its anchor, and its words."""

    depth: int
    anchor: str
    words: str


@dataclass
class Rendered:
    """A page as HTML, its headings, and what is wrong with it."""

    html: str = ""
    headings: list[Heading] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def rendered(text: str, link: Callable[[str], str]) -> Rendered:
    """Markdown as HTML; `link` says where the target of a link or a picture is in the site."""
    found = Rendered()
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, allow_labels=False, allow_digits=False, renderer=_formula(found))
    parser.add_render_rule("fence", lambda _, tokens, index, options, env: _fence(tokens[index], found))
    tokens = parser.parse(text)
    _link(tokens, link)
    found.headings = list(_headed(tokens))
    html = parser.renderer.render(tokens, parser.options, {})
    found.html = html.replace("<table>", f"{WIDE}<table>").replace("</table>", "</table></div>")
    return found


def slug(words: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def style_of_code() -> str:
    """The colours of code, for light and for dark."""
    light = HtmlFormatter(style="default").get_style_defs(".code")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".code")
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _headed(tokens: list[Token]) -> Iterator[Heading]:
    """Give every heading its anchor; the second of a name is followed by a number."""
    seen: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        words = "".join(child.content for child in inline.children or [] if child.type in {"text", "code_inline"})
        anchor = slug(words)
        seen[anchor] = seen.get(anchor, -1) + 1
        anchor += f"-{seen[anchor]}" if seen[anchor] else ""
        token.attrSet("id", anchor)
        yield Heading(int(token.tag[1]), anchor, words)


def _link(tokens: list[Token], link: Callable[[str], str]) -> None:
    for token in tokens:
        for name in ("href", "src"):
            if (target := token.attrGet(name)) is not None:
                token.attrSet(name, link(str(target)))
        _link(token.children or [], link)


def _formula(found: Rendered) -> Callable[[str, dict[str, Any]], str]:
    def drawn(latex: str, options: dict[str, Any]) -> str:
        try:
            return mathml(latex, display=bool(options.get("display_mode")))
        except UnknownFormula as error:
            found.warnings.append(str(error))
            return escape(latex)

    return drawn


def _fence(token: Token, found: Rendered) -> str:
    language = token.info.strip().split(" ")[0]
    if language == "math":
        return f'<div class="formula">{_formula(found)(token.content, {"display_mode": True})}</div>\n'
    try:
        lexer = get_lexer_by_name(LANGUAGES.get(language, language), stripnl=False)
    except ClassNotFound:
        found.warnings.append(f"code in an unknown language: {language}")
        lexer = get_lexer_by_name("text")
    code = highlight(token.content, lexer, HtmlFormatter(nowrap=True))
    return f'<pre class="code" tabindex="0"><code>{code}</code></pre>\n'
