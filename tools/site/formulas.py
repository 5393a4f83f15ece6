"""Formulas: LaTeX as MathML, which browsers draw by themselves."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from latex2mathml.converter import convert

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
        found = convert(known, display="block" if display else "inline")
    except Exception as error:
        raise UnknownFormula(f"{type(error).__name__} in the formula {written}") from error
    if UNKNOWN.search(found):
        raise UnknownFormula(f"an unknown command in the formula {written}")
    tree = ElementTree.fromstring(found)
    tree.set("alttext", written)
    if display:
        _put_below(tree)
    return ElementTree.tostring(tree, encoding="unicode")


def _put_below(tree: ElementTree.Element) -> None:
    """What a maximum or minimum is taken over stands below it, as it does below a sum."""
    for element in tree.iter(f"{{{MATHML}}}msub"):
        if element[0].text in {"max", "min"}:
            element.tag = f"{{{MATHML}}}munder"
