"""ICD-10: diagnoses by category, block and chapter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from string import ascii_uppercase, digits
from typing import Any, ClassVar

from sfumato.columns.lexicon import meaning_of
from sfumato.columns.profile import ColumnProfile
from sfumato.hierarchies.builder_interface import Builder, Offer
from sfumato.hierarchies.formula import Formula
from sfumato.hierarchies.hierarchy import Counts
from sfumato.schema import Role
from sfumato.tables.engine import literal

# In capitals or not, but in plain letters: engines differ in the capital of others (of ß it is SS for Spark only).
CODE = "[A-Za-z][0-9][0-9A-Za-z]([.]?([0-9Xx][0-9A-Za-z]{0,3}|-))?[-*+!]?"


@dataclass(frozen=True)
class CodeRange:
    """Categories from first to last, and the name of the block or chapter that they belong to."""

    first: str
    last: str
    name: str


@dataclass(frozen=True)
class Icd10(Formula, Builder):
    """Codes of the International Classification of Diseases: category (3 characters), block, chapter.

    Blocks and chapters are those of the WHO; a category of the American clinical modification goes to the nearest of
    them. A category that no block holds has its chapter for a block. The dot may be left out.

    >>> Icd10().build(["E11.9", "I10"]).lines
    (('E11.9', 'E11', 'E10-E14', 'IV (E00-E90)', '*'), ('I10', 'I10', 'I10-I15', 'IX (I00-I99)', '*'))
    """

    plainly: ClassVar[str] = "diagnoses (ICD-10) by category, block and chapter"
    listed: ClassVar[bool] = True
    expects: ClassVar[str] = "are no ICD-10 codes (such as E11.9)"

    def formula(self, counts: Counts) -> Formula:
        return self

    @property
    def height(self) -> int:
        return 4

    def settled(self) -> dict[str, Any]:
        return self.settings()

    @classmethod
    def offer(cls, column: ColumnProfile) -> Offer | None:
        fitting = [text for text in column.sample if cls().places(text)]
        meaning = meaning_of(column.name, column.label)
        several = len({text[0] for text in fitting}) > 1 or any("." in text for text in fitting)
        if not several or len(fitting) < 0.9 * len(column.sample) or (meaning and meaning.concept.role is Role.DIRECT):
            return None  # P01, P02, ... number the patients
        return Offer(cls(), "The values are codes of diagnoses (ICD-10).", 0.8)

    def _label(self, text: str, level: int) -> str | None:
        code = text.strip(" ")
        category = code[:3].upper()
        chapter = _chapter(category) if re.fullmatch(CODE, code) else None
        if chapter is None or level == 3:
            return chapter
        return category if level == 1 else _block(category)

    def _sql(self, value: str, level: int) -> str:
        code = f"trim(concat('', {value}))"
        category, right = f"upper(substr({code}, 1, 3))", f"regexp_full_match({code}, {literal(CODE)})"
        if level > 1:
            return f"CASE WHEN {right} THEN {_search(category, _runs(blocks() if level == 2 else chapters()))} END"
        return f"CASE WHEN {right} AND {_search(category, _runs(chapters()))} IS NOT NULL THEN {category} END"


@cache
def chapters() -> tuple[CodeRange, ...]:
    """The chapters, in their order."""
    return tuple(_code_range(span, f"{number} ({span})") for number, span, _ in _data())


@cache
def blocks() -> tuple[CodeRange, ...]:
    """The blocks; categories that are put into a block by name come first, and whole chapters last."""
    listed = [block for _, _, blocks in _data() for block in blocks]
    named = [CodeRange(block[:3], block[:3], block[4:]) for block in listed if "=" in block]
    ranges = [_code_range(block, block) for block in listed if "=" not in block]
    return (*named, *ranges, *chapters())


def _code_range(span: str, name: str) -> CodeRange:
    first, last = span.split("-")
    return CodeRange(first, last, name)


def _data() -> list[tuple[str, str, list[str]]]:
    text = files("sfumato.hierarchies.builders").joinpath("icd10.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^([IVX]+) (\w+-\w+): ((?:.+\n(?:  .+\n)*))", text, re.MULTILINE)
    return [(number, span, blocks.split()) for number, span, blocks in lines]


def _name(category: str, sections: tuple[CodeRange, ...]) -> str | None:
    return next((section.name for section in sections if section.first <= category <= section.last), None)


@cache
def _chapter(category: str) -> str | None:
    return _name(category, chapters())


@cache
def _block(category: str) -> str | None:
    return _name(category, blocks())


@cache
def _runs(sections: tuple[CodeRange, ...]) -> tuple[tuple[str, str | None], ...]:
    """Where in the order of all categories the name changes: the first category, and the name from there on."""
    categories = (a + b + c for a in ascii_uppercase for b in digits for c in digits + ascii_uppercase)
    named = ((category, _name(category, sections)) for category in categories)
    return tuple(next(run) for _, run in groupby(named, key=lambda pair: pair[1]))


def _search(category: str, runs: tuple[tuple[str, str | None], ...]) -> str:
    """The name of a category, by halving: hundreds of comparisons for each record would take minutes."""
    if len(runs) == 1:
        return "CAST(NULL AS VARCHAR)" if runs[0][1] is None else literal(runs[0][1])
    half = len(runs) // 2
    below, above = _search(category, runs[:half]), _search(category, runs[half:])
    return f"CASE WHEN {category} < {literal(runs[half][0])} THEN {below} ELSE {above} END"
