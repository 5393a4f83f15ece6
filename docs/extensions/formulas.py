"""Formulas: LaTeX as MathML, which browsers draw by themselves, without a script and without a network."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util.logging import getLogger

SIZES = re.compile(r"\\(?:big|Big|bigg|Bigg)[lr]?(?![a-zA-Z])")  # of brackets, which browsers stretch by themselves
UNKNOWN = re.compile(r">\s*\\[a-zA-Z]+\s*<")
MATHML = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", MATHML)


class UnknownFormula(ValueError):
    """A formula that cannot be drawn."""


def mathml(latex: str, *, display: bool) -> str:
    """A formula as MathML; what it says in LaTeX is its text for those who cannot see it."""
    written = " ".join(latex.split())
    known = SIZES.sub("", written).replace(r"\arg", r"\operatorname{arg}")
    try:
        drawn = convert(known, display="block" if display else "inline")
    except Exception as error:
        raise UnknownFormula(f"{type(error).__name__} in the formula {written}") from error
    if UNKNOWN.search(drawn):
        raise UnknownFormula(f"an unknown command in the formula {written}")
    tree = ElementTree.fromstring(drawn)
    tree.set("alttext", written)
    if display:
        _put_below(tree)
    return ElementTree.tostring(tree, encoding="unicode")


def _put_below(tree: ElementTree.Element) -> None:
    """What a maximum or minimum is taken over stands below it, as it does below a sum."""
    for element in tree.iter(f"{{{MATHML}}}msub"):
        if element[0].text in {"max", "min"}:
            element.tag = f"{{{MATHML}}}munder"


def _draw(translator: Any, node: nodes.Element, *, display: bool) -> str:
    try:
        return mathml(node.astext(), display=display)
    except UnknownFormula as error:
        getLogger(__name__).warning(str(error), location=node)
        return str(translator.encode(node.astext()))


def _inline(translator: Any, node: nodes.Element) -> None:
    translator.body.append(_draw(translator, node, display=False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.Element) -> None:
    translator.body.append(f'<div class="formula" tabindex="0">{_draw(translator, node, display=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """The renderer that `html_math_renderer = "mathml"` names."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
