"""Docstrings, read: what a number says, its formula and who says so stand beside the code that computes it."""

from __future__ import annotations

import inspect
import re
from typing import Any

from sfumato.proof.report.document import Explained
from sfumato.proof.report.formula_text import written

HEADING = re.compile(r"^(References|Examples|Notes)\n-+$|^(References?):\s*", re.MULTILINE)
MATH = re.compile(r"^\.\. math::[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t])))*)", re.MULTILINE)


def explained(name: str, member: Any, words: str = "", bounds: str = "") -> Explained:
    """What the docstring of a class or function says of the number that it computes.

    >>> from sfumato.privacy.models.k_anonymity import KAnonymity
    >>> found = explained("k", KAnonymity, KAnonymity.plainly)
    >>> found.words, found.formula
    ('the fewest people who share their quasi-identifiers', 'k = min_E |E|')
    >>> found.references[0].startswith("Sweeney (2002).")
    True
    """
    text = inspect.getdoc(member) or ""
    body, references = _parts(text)
    formulas = [written(found) for found in MATH.findall(body)]
    paragraphs = [_plain(part) for part in re.split(r"\n\s*\n", MATH.sub("", body)) if part.strip()]
    return Explained(name, words or paragraphs[0], "; ".join(formulas), bounds, _more(paragraphs, words), references)


def _more(paragraphs: list[str], words: str) -> tuple[str, ...]:
    """The other paragraphs, without examples that are code."""
    rest = paragraphs if words else paragraphs[1:]
    return tuple(part for part in rest if ">>>" not in part)


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """The body before any heading, and the references."""
    found = list(HEADING.finditer(text))
    body = text[: found[0].start()] if found else text
    ends = [*(heading.start() for heading in found[1:]), len(text)]
    for heading, end in zip(found, ends, strict=False):
        if "Reference" in heading[0]:
            lines = re.split(r"\n\s*\n", text[heading.end() : end].strip())
            return body, tuple(_plain(line) for line in lines if line.strip() and ">>>" not in line)
    return body, ()


def _plain(text: str) -> str:
    """A paragraph on one line, without marks of typesetting."""
    text = re.sub(r":math:`([^`]*)`", lambda found: written(found[1]), text)
    return " ".join(re.sub(r"``?|\*(?=\w)|(?<=\w)\*", "", text).split())
