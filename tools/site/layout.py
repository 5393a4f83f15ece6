"""Layout: what stands around the text of every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from posixpath import relpath

from pages import Page
from rendering import Heading

from sfumato import __version__

Sections = Sequence[tuple[str, Sequence[Page]]]

FRAME = """\
<!DOCTYPE html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="name" href="{root}index.html">Sfumato</a> <span>documentation of version {version}</span>
<a class="to-index" href="{root}reference/index.html">Index</a></header>
<div class="columns">
<nav class="site" aria-label="All pages">
{navigation}
</nav>
<main id="content">
{body}
{neighbours}
</main>
{contents}
</div>
<footer>Evidence for a qualified decision; not a legal determination. Apache License 2.0.</footer>
</body>
</html>
"""


def laid_out(page: Page, body: str, headings: Sequence[Heading], sections: Sections) -> str:
    """The whole page."""
    title = page.title if str(page.target) == "index.html" else f"{page.title} | Sfumato"
    return FRAME.format(
        title=escape(title),
        root="../" * (len(page.target.parts) - 1),
        version=escape(__version__),
        navigation=_navigation(page, sections),
        body=body,
        neighbours=_neighbours(page, sections),
        contents=_contents(headings),
    )


def map_of_pages(page: Page, sections: Sections) -> str:
    """Every page by its section, for the start page."""
    lines = ['<h2 id="every-page">Every page</h2>', '<div class="map">']
    for title, pages in sections:
        links = "\n".join(f"<li>{_anchor(page, other)}</li>" for other in pages)
        lines.append(f"<section><h3>{escape(title)}</h3><ul>\n{links}\n</ul></section>")
    return "\n".join([*lines, "</div>", ""])


def list_of_headings(page: Page, headings: Mapping[Page, Sequence[Heading]]) -> str:
    """Every heading of every page, by the alphabet."""
    found = sorted(
        (heading.words.lower().lstrip("-` "), heading.words, other.title, _href(page, other) + f"#{heading.anchor}")
        for other, own in headings.items()
        for heading in own
        if heading.depth > 1
    )
    line = '<li><a href="{}">{}</a> <span>{}</span></li>'
    lines = [line.format(href, escape(words), escape(title)) for _, words, title, href in found]
    return '<ul class="index">\n' + "\n".join(lines) + "\n</ul>\n"


def _navigation(page: Page, sections: Sections) -> str:
    lines = []
    for title, pages in sections:
        links = "\n".join(f"<li>{_anchor(page, other)}</li>" for other in pages)
        opened = " open" if page in pages else ""
        lines.append(f"<details{opened}><summary>{escape(title)}</summary><ul>\n{links}\n</ul></details>")
    return "\n".join(lines)


def _contents(headings: Sequence[Heading]) -> str:
    """The headings of the second order, where there are several."""
    own = [heading for heading in headings if heading.depth == 2]
    if len(own) < 2:
        return ""
    links = "\n".join(f'<li><a href="#{heading.anchor}">{escape(heading.words)}</a></li>' for heading in own)
    return f'<nav class="page" aria-label="On this page"><p>On this page</p><ul>\n{links}\n</ul></nav>'


def _neighbours(page: Page, sections: Sections) -> str:
    """The pages before and after, in the order of reading."""
    order = [other for _, pages in sections for other in pages]
    place = order.index(page)
    links = []
    if place:
        links.append(f'<a rel="prev" href="{_href(page, order[place - 1])}">← {escape(order[place - 1].title)}</a>')
    if place + 1 < len(order):
        links.append(f'<a rel="next" href="{_href(page, order[place + 1])}">{escape(order[place + 1].title)} →</a>')
    return f'<p class="neighbours">{" ".join(links)}</p>'


def _anchor(page: Page, other: Page) -> str:
    here = ' aria-current="page"' if other is page else ""
    return f'<a href="{_href(page, other)}"{here}>{escape(other.title)}</a>'


def _href(page: Page, other: Page) -> str:
    return relpath(str(other.target), str(page.target.parent))
