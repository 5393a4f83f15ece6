"""The glossary: the terms and attacks that a report speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sfumato.proof.report.document import Block, Part
from sfumato.proof.report.glossary import terms, terms_in
from sfumato.show.documents.glossary import GlossaryDocument
from sfumato.show.sheets.glossary import glossary_sheet

# What every reader of a risk report has to know, whether it is named or not.
ALWAYS = (
    "identity disclosure", "attribute disclosure", "inferential disclosure", "linking attack", "homogeneity attack",
    "background-knowledge attack", "similarity attack", "skewness attack",
)  # fmt: skip


def glossary_part(parts: Iterable[Part]) -> Part:
    """The terms that occur in other parts, by kind, and the kinds of disclosure and attack."""
    spoken = {term.term for term in terms_in("\n".join(_texts(parts)))} | set(ALWAYS)
    glossary = glossary_sheet(GlossaryDocument(terms=tuple(term for term in terms() if term.term in spoken)))
    words = ("The words of this report, in plain language.",)
    return Part("glossary", "Glossary", words, tuple(map(Block, glossary.sections)), gist=words[0])


def _texts(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        yield from part.words
        for block in part.blocks:
            yield from (block.section.title, *block.section.columns, *block.section.remarks)
            yield from (cell for row in block.section.rows for cell in row)
            yield from (explanation.name for explanation in block.explained)
