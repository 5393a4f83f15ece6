"""Docstrings, read: what a number says, its formula and who says so stand beside the code that computes it."""

from __future__ import annotations

import inspect
import re
from typing import Any

from sfumato.proof.report.formula_text import written
from sfumato.show.documents.report import NumberSource

HEADING = re.compile(r"^(References|Examples|Notes)\n-+$|^(References?):\s*", re.MULTILINE)
MATH = re.compile(r"^\.\. math::[ \t]*(.*(?:\n(?:[ \t]+.*|[ \t]*(?=\n[ \t])))*)", re.MULTILINE)


def explained(name: str, member: Any, words: str = "", bounds: str = "") -> NumberSource:
    """What the docstring of a class or function says of the number that it computes.

    >>> from sfumato.privacy.models.k_anonymity import KAnonymity
    >>> source = explained("k", KAnonymity, KAnonymity.plainly)
    >>> source.words, source.formula
    ('the fewest people who share their quasi-identifiers', 'k = min_E |E|')
    >>> source.references[0].startswith("Sweeney (2002).")
    True
    """
    text = inspect.getdoc(member) or ""
    body, references = _parts(text)
    formulas = [written(formula) for formula in MATH.findall(body)]
    paragraphs = [_plain(part) for part in re.split(r"\n\s*\n", MATH.sub("", body)) if part.strip()]
    others = paragraphs if words else paragraphs[1:]
    return NumberSource(
        name=name,
        words=words or paragraphs[0],
        formula="; ".join(formulas),
        range=bounds,
        more=tuple(paragraph for paragraph in others if ">>>" not in paragraph),  # examples that are code
        references=references,
    )


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """The body before any heading, and the references."""
    headings = list(HEADING.finditer(text))
    body = text[: headings[0].start()] if headings else text
    ends = [*(heading.start() for heading in headings[1:]), len(text)]
    for heading, end in zip(headings, ends, strict=False):
        if "Reference" in heading[0]:
            lines = re.split(r"\n\s*\n", text[heading.end() : end].strip())
            return body, tuple(_plain(line) for line in lines if line.strip() and ">>>" not in line)
    return body, ()


def _plain(text: str) -> str:
    """A paragraph on one line, without marks of typesetting."""
    text = re.sub(r":math:`([^`]*)`", lambda formula: written(formula[1]), text)
    return " ".join(re.sub(r"``?|\*(?=\w)|(?<=\w)\*", "", text).split())
