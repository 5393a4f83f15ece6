"""Signatures: as Sphinx can read them, and as a screen reader can."""

from __future__ import annotations

import re
from typing import Any

UNWRITABLE = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>")
SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)
PARTS = {"<dl>": '<div class="parameters">', "</dl>": "</div>", "<dd>": "<div>", "</dd>": "</div>"}
PART = re.compile("|".join(PARTS))


def _writable(*about: Any) -> tuple[str, str | None] | None:
    """A value that cannot be written in Python, such as `<factory>`, would keep a signature from being read."""
    *_, signature, result = about
    return (UNWRITABLE.sub("...", signature), result) if signature else None


def _not_a_type(app: Any, what: str, *about: Any) -> None:
    """Napoleon takes what stands before a colon in the first line of a property for its type: here it is a sentence."""
    if what in {"property", "attribute"}:
        about[-1].insert(0, "")


def _without_lists(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Parameters one below the other are a list of explanations without terms, which is none to a screen reader."""
    if "body" in context:
        context["body"] = SIGNATURE.sub(
            lambda signature: PART.sub(lambda part: PARTS[part[0]], signature[0]), context["body"]
        )


def setup(app: Any) -> dict[str, bool]:
    """Change signatures when docstrings are read, and when pages are written."""
    app.connect("autodoc-process-signature", _writable)
    app.connect("autodoc-process-docstring", _not_a_type, priority=400)  # before Napoleon, at 500
    app.connect("html-page-context", _without_lists)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
