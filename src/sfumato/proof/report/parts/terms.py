"""The glossary: the terms and attacks that a report speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.glossary import TERMS, Kind, terms_in
from sfumato.show.sheet import Section

# What every reader of a risk report has to know, whether it is named or not.
ALWAYS = (
    "identity disclosure", "attribute disclosure", "inferential disclosure", "linking attack", "homogeneity attack",
    "background-knowledge attack", "similarity attack", "skewness attack",
)  # fmt: skip


def glossary_part(parts: Iterable[Part]) -> Part:
    """The terms that occur in other parts, by kind, and the kinds of disclosure and attack."""
    spoken = {term.term for term in terms_in("\n".join(_texts(parts)))} | set(ALWAYS)
    found = [term for term in TERMS if term.term in spoken]
    blocks = tuple(
        Block(Section(kind.value, ("term", "what it means"),
                      tuple((", ".join(term.names), term.means) for term in found if term.kind is kind)))
        for kind in Kind if any(term.kind is kind for term in found)
    )  # fmt: skip
    return Part("glossary", "Glossary", ("The words of this report, in plain language.",), blocks)


def _texts(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        yield from part.words
        for block in part.blocks:
            yield from (block.section.title, *block.section.columns, *block.section.remarks)
            yield from (cell for row in block.section.rows for cell in row)
            yield from (found.name for found in block.explained)
