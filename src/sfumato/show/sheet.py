"""Sheets: titled tables for people, whatever they are shown on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

NAMED = 6  # names of a list before the rest is counted: what a line of text holds


class State(StrEnum):
    """The three states of a verdict. Only the first is good news without reserve, and only it is shown in green."""

    MET = "met"
    OPEN = "met, but"  # questions are open
    NOT_MET = "not met"


@dataclass(frozen=True)
class Section:
    """A title, a table, and what to make of it."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()  # the columns that hold numbers, and are aligned right


@dataclass(frozen=True)
class Sheet:
    """Sections under one title, with one line that says it all."""

    title: str
    verdict: str
    sections: tuple[Section, ...]
    state: State | None = None  # None where there is no policy to judge by

    def text(self) -> str:
        """Plain text, aligned."""
        title = plain(self.title)
        parts = [title, "=" * len(title), plain(self.verdict), ""]
        for section in self.sections:
            remarks = (plain(remark) for remark in section.remarks)
            named = plain(section.title)
            parts += [named, "-" * len(named), *_aligned(section), *remarks, ""]
        return "\n".join(parts).rstrip() + "\n"

    def html(self) -> str:
        """A fragment of HTML, for a notebook."""
        from sfumato.show.fragment import fragment

        return fragment(self)


def number(value: float | None) -> str:
    """A number as people read it: whole numbers whole, others with four significant digits."""
    if value is None:
        return "-"
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", " ")
    return f"{value:.4g}" if abs(value) < 10000 else f"{value:,.1f}".replace(",", " ")


def counted(n: int, noun: str) -> str:
    """A number of things: 1 record, 2 records."""
    return f"{number(n)} {noun}{'' if n == 1 else 's'}"


def over(columns: Sequence[str], most: int = 8) -> str:
    """The columns that a number is read over: all of them by name, or the first of many.

    >>> over(["age", "sex"]), over(["a", "b", "c", "d"], most=3)
    ('over age, sex', 'over a, b, c and 1 more')
    """
    return f"over {named(columns, most)}"


def named(names: Sequence[str], most: int = NAMED) -> str:
    """Some names, and how many more there are.

    >>> named(["age", "sex"]), named(["a", "b", "c", "d"], most=3)
    ('age, sex', 'a, b, c and 1 more')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def but_open(questions: Sequence[str]) -> str:
    """What follows `met` in a headline: nothing, or how many questions are open.

    >>> but_open(()), but_open(["Who reads it?"]), but_open(["Who reads it?", "Where?"])
    ('', ', but 1 question is open', ', but 2 questions are open')
    """
    if not questions:
        return ""
    return f", but {counted(len(questions), 'question')} {'is' if len(questions) == 1 else 'are'} open"


def open_section(questions: Sequence[str]) -> Section:
    """The questions that are open, one on a line."""
    return Section("What is open", remarks=tuple(questions))


def percent(share: float | None) -> str:
    """A share in per cent, with one decimal."""
    return "-" if share is None else f"{share * 100:.1f} %"


def plain(text: str) -> str:
    """A text on one line: the name of a column may hold a line break."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _aligned(section: Section) -> list[str]:
    if not section.columns:
        return []
    lines = [tuple(map(plain, line)) for line in (section.columns, *section.rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(section.columns))]
    return [_line(line, widths, section.numbers) for line in lines]


def _line(cells: Sequence[str], widths: Sequence[int], numbers: Sequence[int]) -> str:
    padded = (
        cell.rjust(width) if i in numbers else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()
