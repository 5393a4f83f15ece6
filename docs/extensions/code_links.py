"""Code that is a name leads to where the name is explained: ours to the reference, others' to their documentation.

So a page says `pandas.DataFrame` or `sf.assess` in plain Markdown, and a docstring `Extract`, and the site links them.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref

import sfumato

SHORT = {"sf": "sfumato", "pd": "pandas", "np": "numpy", "pa": "pyarrow", "pl": "polars"}
LIBRARIES = {"sfumato", "pandas", "numpy", "pyarrow", "polars", "sklearn"}
HINTS = {"Table": "pyarrow.Table"}
NAME = re.compile(r"([A-Za-z]\w*(?:\.\w+)*)(?:\(.*\))?")
RESULTS = {name for name in sfumato.__all__ if name[0].isupper()}  # a verb such as `report` may be just a word


def target(code: str) -> str | None:
    """The full name that a piece of code stands for, None where it is not one of those that are explained."""
    name = NAME.fullmatch(code.strip())
    if not name:
        return None
    first, _, rest = name[1].partition(".")
    if not rest:
        return f"sfumato.{first}" if first in RESULTS else None
    library = SHORT.get(first, first)
    return f"{library}.{rest}" if library in LIBRARIES else None


def _link(app: Any, doctree: nodes.document) -> None:
    for code in list(doctree.findall(nodes.literal)):
        inside = (nodes.reference, nodes.title, nodes.rubric, pending_xref)
        if any(isinstance(around, inside) for around in _around(code)) or not (full := target(code.astext())):
            continue
        link = pending_xref("", refdomain="py", reftype="obj", reftarget=full, refdoc=app.env.docname, optional=True)
        code.replace_self(link)
        link += code


def _around(node: nodes.Node) -> list[nodes.Node]:
    return [] if node.parent is None else [node.parent, *_around(node.parent)]


def _expand(app: Any, env: Any, node: pending_xref, shown: nodes.Element) -> None:
    """Type hints name libraries as the code does: `pa.Table`."""
    if node.get("refdomain") == "py":
        first, dot, rest = str(node.get("reftarget", "")).partition(".")
        node["reftarget"] = (
            f"{SHORT[first]}.{rest}" if dot and first in SHORT else HINTS.get(first + dot + rest, first + dot + rest)
        )


def _resolve(app: Any, env: Any, node: pending_xref, shown: nodes.Element) -> nodes.Element | None:
    """A name of ours by the module that it lives in is explained under its public name; what is not public, nowhere."""
    full = str(node.get("reftarget", ""))
    if node.get("refdomain") != "py":
        return None
    *_, last = full.split(".")
    if full.startswith("sfumato.") and last in sfumato.__all__:
        public = env.get_domain("py").resolve_xref(
            env, node["refdoc"], app.builder, "obj", f"sfumato.{last}", node, shown
        )
        if public is not None:
            return public
    internal = full.startswith("sfumato.") or full == last  # a name that only type checkers import has no module
    return shown if node.get("optional") or internal else None


def setup(app: Any) -> dict[str, bool]:
    """Link names when a page has been read; names that no list has are asked about last."""
    app.connect("doctree-read", _link)
    app.connect("missing-reference", _expand, priority=100)  # before the lists of other libraries, at 500
    app.connect("missing-reference", _resolve, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
