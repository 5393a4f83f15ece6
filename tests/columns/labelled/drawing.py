"""How a whole column is drawn: from one value at a time, from a small stock, or as keys that seldom repeat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

One = Callable[[Random, str], object]  # draws one value for a language
Maker = Callable[[Random, str, int], list[object]]  # draws a column of so many rows

MARKS = {
    "#": "0123456789",
    "%": "123456789",
    "&": "23456789",
    "@": "ABCDEFGHJKLMNPRSTUVWXYZ",
    "!": "BCDFGHJKLMNPRSTVWXYZ",  # number plates of countries that leave vowels out
    "*": "ABCDEGHJKLMNPRSTVWXZ",  # the letters of Dutch postcodes
    "^": "ABDEFGHJLNPQRSTUWXYZ",  # the last two letters of British postcodes
    "~": "0123456789abcdef",
}
SECOND_FORMAT = 0.08  # of the cells of a column with mixed formats


def filled(draw: Random, template: str) -> str:
    """A template in which every mark became one of its characters, see `MARKS`."""
    return "".join(draw.choice(MARKS[mark]) if mark in MARKS else mark for mark in template)


def each(one: One) -> Maker:
    """Every row by itself."""
    return lambda draw, language, rows: [one(draw, language) for _ in range(rows)]


def stock(one: One, size: int = 8) -> Maker:
    """Rows that share a small stock of values, as batches and exports do."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        shelf = [one(draw, language) for _ in range(size)]
        return [draw.choice(shelf) for _ in range(rows)]

    return column


def keys(one: One) -> Maker:
    """One value a person; in one column of four a person has several rows."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        persons = rows if draw.random() < 0.75 else max(rows // 3, 1)
        seen: dict[object, None] = {}
        while len(seen) < persons:
            seen[one(draw, language)] = None
        values = list(seen)
        return values + [draw.choice(values) for _ in range(rows - persons)]

    return column


def formats(draw: Random, templates: Sequence[str], rows: int) -> list[str]:
    """The template of every row: one for the column, in one column of three mixed with the others."""
    usual = draw.choice(templates)
    mixed = SECOND_FORMAT if draw.random() < 0.35 else 0.0
    return [draw.choice(templates) if draw.random() < mixed else usual for _ in range(rows)]


def templated(by_language: Mapping[str, Sequence[str]]) -> Maker:
    """Rows filled from the templates of the language."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        return [filled(draw, template) for template in formats(draw, by_language[language], rows)]

    return column


def one_of(words: Mapping[str, str]) -> Maker:
    """Rows that take one of the words of the language, some words far more often than others."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        choices = listed(words.get(language, words["en"]))
        weights = [1 / (place + 1) ** 0.7 for place in range(len(choices))]
        draw.shuffle(weights)
        return list(draw.choices(choices, weights, k=rows))

    return column


@cache
def listed(text: str) -> tuple[str, ...]:
    """The parts of a text that are separated by bars."""
    return tuple(part.strip() for part in text.split("|"))


def as_numbers(maker: Maker, share: float = 0.25) -> Maker:
    """A column of digits that some extracts hold as numbers, so that leading noughts are lost."""

    def column(draw: Random, language: str, rows: int) -> list[object]:
        values = maker(draw, language, rows)
        digits = all(isinstance(value, str) and value.isdecimal() for value in values)
        return [int(str(value)) for value in values] if digits and draw.random() < share else values

    return column
