"""The pages of the documentation and what stands in them: blocks, commands, and commands within a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
# Pages that are read from the first line to the last in an empty folder (test_followed_pages.py); the others beside the
# files of examples.py (test_documentation.py).
FOLLOWED = ["README.md", *(name for name in NAMES if name.startswith("docs/tutorials/") and "index" not in name)]


@dataclass(frozen=True)
class Block:
    """A block of code of a page: in which line it begins, its language (empty where none is named), and its text."""

    page: str
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}, line {self.line}"

    @property
    def lines(self) -> list[str]:
        """The lines, those that go on after a backslash put together."""
        return self.text.replace("\\\n", " ").splitlines()


@dataclass(frozen=True)
class Command:
    """A command of a page, the exit codes that it may have, and what it prints; None where the page does not say."""

    line: str
    codes: tuple[int, ...]
    output: str | None


@cache
def blocks_of(page: str) -> tuple[Block, ...]:
    found = MarkdownIt().parse((ROOT / page).read_text(encoding="utf-8"))
    return tuple(
        Block(page, token.map[0] + 1, token.info.strip(), token.content)
        for token in found
        if token.type in {"fence", "code_block"} and token.map
    )


def blocks(page: str, *languages: str) -> list[Block]:
    return [block for block in blocks_of(page) if block.language in languages]


def inline(page: str) -> Iterator[str]:
    """What a page writes as code within a sentence or a table, on one line."""
    for token in MarkdownIt().enable("table").parse((ROOT / page).read_text(encoding="utf-8")):
        for child in token.children or ():
            if child.type == "code_inline":
                yield " ".join(child.content.split())


def commands(page: str) -> Iterator[Command]:
    """The commands of a page, in order."""
    for block in blocks(page, "sh", "bash", "console"):
        yield from commands_in(block)


def commands_in(block: Block) -> Iterator[Command]:
    """The commands of a block: the lines of `sh`, and in `console` those that begin with `$`; none of a script."""
    if is_script(block):
        return
    if block.language == "console":
        joined = "\n".join(block.lines) + "\n"
        for line, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", joined, re.MULTILINE):
            yield _command(line, output)
    else:
        yield from (_command(line, None) for line in block.lines if line.strip() and not line.startswith("#"))


def is_script(block: Block) -> bool:
    """Whether a block is a file to be saved and run as a whole."""
    return block.text.startswith("#!")


def _command(line: str, output: str | None) -> Command:
    stated = re.search(r"# exit code (\d)", line)
    return Command(line, (int(stated[1]),) if stated else (0, 1), output)
