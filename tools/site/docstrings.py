"""Docstrings as Markdown: formulas, terms with explanations, references and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADING = re.compile(r"^(References|Examples|Notes)\n-+$", re.MULTILINE)
INLINE = re.compile(r":math:`([^`]+)`")
TERM = re.compile(r"^(\w+)\n {4}(?=\S)", re.MULTILINE)
SPECIAL = re.compile(r"([*<$\[])")


@dataclass(frozen=True)
class Explained:
    """A docstring in its parts, each as Markdown; empty where it has none."""

    summary: str
    body: str
    references: str
    examples: str


def explained(docstring: str) -> Explained:
    """The parts of a docstring."""
    first, *rest = HEADING.split(docstring)
    summary, _, body = first.partition("\n\n")
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    body, examples = "\n\n".join([body, named.get("Notes", "")]), named.get("Examples", "")
    if not examples and (place := body.find(">>>")) >= 0:
        place = body.rfind("\n\n", 0, place) + 1 or place
        place = body.rfind("\n\n", 0, place - 1) + 1 if body[:place].rstrip().endswith(":") else place
        body, examples = body[:place], body[place:]
    return Explained(*(as_markdown(part) for part in (summary, body, named.get("References", ""), examples)))


def as_markdown(text: str) -> str:
    """A piece of a docstring as Markdown."""
    return "\n\n".join(_paragraphs(text.strip("\n"))).strip()


def _paragraphs(text: str) -> Iterator[str]:
    pieces = re.split(r"\n\s*\n", text)
    while pieces:
        piece = pieces.pop(0)
        if piece.lstrip().startswith(".. math::"):
            formula = piece.split("::", 1)[1].strip() or pieces.pop(0).strip()
            while pieces and pieces[0].startswith("    "):
                formula += " " + pieces.pop(0).strip()
            yield f"```math\n{formula}\n```"
        elif ".. math::" in piece:
            before, _, after = piece.partition(".. math::")
            pieces[:0] = [before.rstrip(), f".. math::{after}"]
        elif piece.lstrip().startswith(">>>"):
            yield f"```pycon\n{piece}\n```"
        elif ">>>" in piece:
            before, _, after = piece.partition(">>>")
            pieces[:0] = [before.rstrip(), f">>>{after}"]
        else:
            yield _prose(piece)


def _prose(piece: str) -> str:
    """Words, in which only code and formulas mean something to Markdown."""
    if TERM.search(piece):
        piece = TERM.sub(r"- `\1`: ", piece)
        piece = re.sub(r"\n {4}", "\n  ", piece)
        return _outside_code(piece)
    return _outside_code("\n".join(line.strip() if not line.startswith("- ") else line for line in piece.split("\n")))


def _outside_code(text: str) -> str:
    parts = re.split(r"(:math:`[^`]+`|`[^`]*`)", text)
    return "".join(_code(part) if number % 2 else SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts))


def _code(part: str) -> str:
    found = INLINE.fullmatch(part)
    return f"${found[1].strip()}$" if found else part
