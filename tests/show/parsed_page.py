"""Pages, read by a strict parser."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "hr"}
BLOCKS = {"p", "div", "table", "section", "figure", "h1", "h2", "h3", "h4", "ul", "ol", "details", "dl"}


class Page(HTMLParser):
    """Elements in order with their parents and attributes; complains about what is not closed in its place."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, tuple[str, ...], dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in <{tag}>"
        assert not (tag in BLOCKS and "p" in self.open), f"<{tag}> in a paragraph"
        self.elements.append((tag, tuple(self.open), dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert "svg" in self.open
        self.elements.append((tag, tuple(self.open), dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open[-1:] == [tag], f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        if data.strip():
            self.words.append((self.open[-1] if self.open else "", data))

    def all(self, tag):
        return [attributes for found, _, attributes in self.elements if found == tag]
