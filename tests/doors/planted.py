"""A table in which every cell can be recognised, and a search for its cells in whatever was written."""

from __future__ import annotations

import csv
import html
import io
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from urllib.parse import unquote

LETTERS = "ghjkmnpqrstvwxyz"  # no hash is written with them
ROWS = 40
SHAPES = (
    "{}",
    '"{}"',
    "it's {}",
    "{} né",
    "<b>{}</b>&",
    "two\n{}",
    "{};{}",
    "{}\\",
    "'{}",
    "=1+{}",
    "%s{}%",
    "[red]{}",
)
THOUSANDS = re.compile(r"(?<=\d)(?:[,.'_\s]|&nbsp;|&thinsp;)(?=\d{3}(?!\d))")
POWERS = re.compile(r"\d(?:\.\d+)?e\+?\d{1,2}(?!\d)")
ESCAPED = re.compile(r"\\u([0-9a-f]{4})|\\x([0-9a-f]{2})")
MARKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?=([{LETTERS}]{{3}}[2-9][{LETTERS}]{{4}}))",
        r"\d+",
        r"(?=(\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{4}|datetime\.date\([\d, ]+\)))",
        r"(?=(\d{1,2}\.? [a-z]{3,9} \d{4}|[a-z]{3,9} \d{1,2}, \d{4}))",
        r"(?=([0-9a-f]{32}))",
    )
)
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip


@dataclass
class Planted:
    """Marks that occur nowhere else: words, numbers and days, each with what it was planted in."""

    chance: random.Random = field(default_factory=lambda: random.Random(8))
    marks: dict[str, str] = field(default_factory=dict)  # what would be found, and where it was planted

    def word(self, where: str) -> str:
        """A word that means nothing."""
        found = "".join(self.chance.choices(LETTERS, k=3)) + str(self.chance.randint(2, 9))
        found += "".join(self.chance.choices(LETTERS, k=4))
        return self.noted(where, found)

    def text(self, where: str, place: int) -> str:
        """A word among characters that need quotes or escapes, another each time."""
        word = self.word(where)
        return SHAPES[place % len(SHAPES)].replace("{}", word)

    def number(self, where: str) -> float:
        """A number with nine digits and a fraction."""
        found = self.chance.randrange(710_000_000, 790_000_000) + self.chance.choice((0.25, 0.37, 0.75))
        for form in (int(found), *(round(found, places) for places in range(0, -4, -1))):
            self.noted(where, str(int(form)))
        return found

    def day(self, where: str) -> str:
        """A day of a hundred years ago, which no month or year begins or ends with."""
        found = date(self.chance.randint(1903, 1929), self.chance.randint(1, 12), self.chance.randint(11, 27))
        for form in day_forms(found):
            self.noted(where, form)
        return found.isoformat()

    def secret(self, where: str) -> str:
        """A secret, which nobody may find as it is, or in hexadecimal digits."""
        found = f"{self.word(where)}-{self.word(where)}"
        self.noted(where, found.encode().hex()[:32])
        return found

    def noted(self, where: str, mark: str) -> str:
        self.marks[mark.casefold()] = where
        return mark

    def found_in(self, written: str | bytes) -> set[str]:
        """Where the marks were planted that are in something, whatever its notation."""
        return {self.marks[mark] for text in readings(written) for mark in marks_in(text) & self.marks.keys()}

    @cached_property
    def rows(self) -> list[dict[str, object]]:
        """Records with a mark in every column; of `ward`, most values are shared, and one is somebody's alone."""
        return [self.record(i) for i in range(ROWS)]

    def record(self, i: int) -> dict[str, object]:
        return {
            "subject": self.word("subject"),
            "name": self.text("name", i),
            "age": int(self.number("age")),
            "code": self.word("code"),
            "born": self.day("born"),
            "ward": self.word("ward") if i == 17 else ("north", "south")[i % 2],
            "diagnosis": self.text("diagnosis", i + 1),
            "amount": f"{self.number('amount'):.2f}",
            "note": self.text("note", i),
            "score": f"{self.number('score'):.2f}",
            "seen": f"{self.day('seen')} 11:22:33",
            "remark": self.text("remark", i + 2),
        }


def day_forms(day: date) -> Iterator[str]:
    """A day as people and programs write it, in lower case and without what stands between digits."""
    year, month, two = day.year, day.month, f"{day.day:02}"
    yield from (f"{year}{month:02}{two}", f"{two}{month:02}{year}", f"{month:02}{two}{year}")
    yield f"{year}-{month:02}-{two}"
    for sign in "./":
        yield from (sign.join((two, f"{month:02}", str(year))), sign.join((f"{month:02}", two, str(year))))
    name = MONTHS[month - 1]
    for word in (name, name[:3]):
        yield from (f"{day.day} {word} {year}", f"{day.day}. {word} {year}", f"{word} {day.day}, {year}")
    yield f"datetime.date({year}, {month}, {day.day})"


def marks_in(text: str) -> set[str]:
    """All that looks like a mark."""
    return {mark for pattern in MARKS for mark in pattern.findall(text)}


def readings(written: str | bytes) -> Iterator[str]:
    """What somebody would read in a text: as it is, and with each notation undone."""
    if isinstance(written, bytes):
        yield from (form for coding in ("utf-8", "utf-16-le") for form in _undone(written.decode(coding, "replace")))
    else:
        yield from _undone(written)


def _undone(text: str) -> Iterator[str]:
    text = text.casefold()
    yield text
    yield " ".join(text.split())  # a terminal breaks lines where it likes
    yield THOUSANDS.sub("", text)
    yield " ".join(str(round(float(power))) for power in POWERS.findall(text))
    notations: tuple[tuple[str, Callable[[str], str]], ...] = (("&", html.unescape), ("%", unquote), ("\\", _unescaped))
    for sign, undo in notations:
        if sign in text:
            yield undo(text).casefold()


def _unescaped(text: str) -> str:
    return ESCAPED.sub(lambda match: chr(int(match[1] or match[2], 16)), text)


def as_csv(rows: list[dict[str, object]]) -> str:
    """Records as a CSV file."""
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
