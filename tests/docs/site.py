"""The site as `make site` builds it, and what a test reads of its pages."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

# Read by Python before anything else: whatever asks for an address or connects to one fails.
NO_NETWORK = """
import socket
def refused(*_about, **_how):
    raise OSError("this process has no network")
socket.getaddrinfo = socket.create_connection = socket.socket.connect = refused
"""


@dataclass
class ReadPage(HTMLParser):
    """One page, as a browser would take it in."""

    lang: str | None = None
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)  # style sheets, scripts and pictures
    tags: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)  # by tag
    unnamed: int = 0  # pictures and formulas without words

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        if tag == "html":
            self.lang = given.get("lang")
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        self.loaded += [str(given[name]) for name in ("src", "srcset", "data", "poster") if given.get(name)]
        self.loaded += [str(given["href"])] if tag == "link" and given.get("rel") != "search" else []
        self.unnamed += tag in {"img", "math"} and not (given.get("alt") or given.get("alttext"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        for tag in {"h1", "title"} & set(self.open):
            self.words[tag] = self.words.get(tag, "") + data


@cache
def read(page: Path) -> ReadPage:
    taken_in = ReadPage()
    taken_in.feed(page.read_text(encoding="utf-8"))
    return taken_in


def without_network(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a process that cannot reach anything."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT / 'src'}", **more}


def build(folder: Path, *, root: Path = ROOT, seed: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the tool, without a network, and with the order of sets that a seed gives."""
    environment = without_network(folder.parent / "no-network", PYTHONHASHSEED=str(seed))
    tool = [sys.executable, str(root / "tools" / "build_site.py"), str(folder)]
    return subprocess.run(tool, capture_output=True, text=True, env=environment)


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}
