"""Headers: whether the first record of a text file names the columns, or is one of the records.

Taken for names, the first record would stand in every message, report and project file: it is somebody's. So where it
looks like the records below it, a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sfumato.tables.source import MISSING_TOKENS

LEAST = 3  # records below the first from which the spread of numbers says anything
NUMBER = re.compile(r"[-+]?(\d+([.,]\d+)*|[.,]\d+)([eE][-+]?\d+)?\s*%?")
DATE = re.compile(r"\d{1,4}[-/.]([A-Za-z]{3,9}|\d{1,2})[-/.]\d{1,4}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(:\d{2}.*)?")
YEARS = range(1800, 2200)


@dataclass(frozen=True)
class _Field:
    """The first cell of a column, and the cells below it that hold anything."""

    first: str
    below: tuple[str, ...]

    def all_like(self, pattern: re.Pattern[str]) -> bool:
        return all(map(pattern.fullmatch, self.below))

    @property
    def shape(self) -> str | None:
        """The shape that all cells below share, where it says anything: letters and digits, such as `aa-999`."""
        shapes = {_shape(cell) for cell in self.below}
        shape = next(iter(shapes))
        return shape if len(shapes) == 1 and "9" in shape and "a" in shape and len(set(self.below)) > 1 else None

    @property
    def names(self) -> bool:
        """Whether the first cell is no value: the others are numbers, dates or codes, and it is not."""
        kinds = [kind for kind in (NUMBER, DATE) if self.all_like(kind)]
        if kinds:
            return not any(kind.fullmatch(self.first) for kind in kinds)
        return self.shape is not None and _shape(self.first) != self.shape

    @property
    def number(self) -> bool:
        """Whether the first cell is a number among numbers."""
        return self.all_like(NUMBER) and NUMBER.fullmatch(self.first) is not None

    @property
    def within(self) -> bool:
        """Whether the number is as large as those below it, or beside them: the first of a series is the smallest."""
        numbers = sorted(map(_number, self.below))
        reach = numbers[-1] - numbers[0]
        if len(numbers) < LEAST:  # few say little about how far others may lie
            reach = max(reach, abs(numbers[0]) / 2, abs(numbers[-1]) / 2)
        return numbers[0] - reach <= _number(self.first) <= numbers[-1] + reach

    @property
    def value(self) -> bool:
        """Whether the first cell is a date or a code as those below it are."""
        if self.all_like(NUMBER):
            return False
        return (self.all_like(DATE) and DATE.fullmatch(self.first) is not None) or _shape(self.first) == self.shape


def looks_like_data(records: Sequence[Sequence[str]]) -> int:
    """How many cells of the first record look like those below them; 0 where it may name the columns.

    One column of numbers, dates or codes below something else, and it is a header. Numbers alone say little: names may
    be years, visits and codes. They count where they are about as large as the numbers below them and are no row of
    names. A record that stands alone is told by its numbers and dates.

    >>> looks_like_data([["id", "age"], ["1", "30"], ["2", "41"], ["3", "28"]])
    0
    >>> looks_like_data([["7", "30.5"], ["1", "30.1"], ["12", "41.5"], ["3", "28.1"]])
    2
    >>> looks_like_data([["44", "f"], ["45", "m"]])
    1
    >>> looks_like_data([["country", "2001", "2002"], ["A", "1999", "5"], ["B", "2010", "3000"], ["C", "7", "1"]])
    0
    """
    first, *below = [record for record in records if record]
    below = [record for record in below if len(record) == len(first)]
    columns = [_Field(cells[0].strip(), _filled(cells[1:])) for cells in zip(first, *below, strict=True)]
    if not below:
        return _alone(columns)
    enough = min(LEAST, len(below))
    fields = [field for field in columns if field.first not in MISSING_TOKENS and len(field.below) >= enough]
    if any(field.names for field in fields):
        return 0
    numbers = [field for field in fields if field.number]
    like = [field for field in fields if field.value]
    like += [] if _row_of_names(numbers) else [field for field in numbers if field.within]
    like += _recurring(first, below) if not numbers else []
    return len(like)


def _filled(cells: Sequence[str]) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in cells if cell.strip() not in MISSING_TOKENS)


def _alone(fields: Sequence[_Field]) -> int:
    """How many cells of a record with none below it are numbers and dates, which few name a column after."""
    numbers = [field for field in fields if NUMBER.fullmatch(field.first)]
    dates = [field for field in fields if DATE.fullmatch(field.first)]
    return len(dates) + (0 if _row_of_names(numbers) else len(numbers))


def _row_of_names(numbers: Sequence[_Field]) -> bool:
    """Whether numbers may be names of columns: years, or whole numbers that go up by the same step."""
    firsts = [field.first for field in numbers]
    if not all(first.isdecimal() for first in firsts) or len(set(firsts)) < len(firsts):
        return False
    whole = list(map(int, firsts))
    steps = {later - earlier for earlier, later in pairwise(whole)}
    return all(year in YEARS for year in whole) or (len(whole) > 1 and len(steps) == 1 and min(steps) > 0)


def _recurring(first: Sequence[str], below: Sequence[Sequence[str]]) -> list[_Field]:
    """The columns of text whose first cell stands again below it, where most do and no record is the header again."""
    columns = list(zip(*below, strict=True))
    again = [place for place, cell in enumerate(first) if cell.strip() not in MISSING_TOKENS and cell in columns[place]]
    repeated = any(list(record) == list(first) for record in below)
    if repeated or len(again) * 2 <= len(first) or len(again) < 2:
        return []
    return [_Field(first[place], ()) for place in again]


def _shape(cell: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", cell))


def _number(cell: str) -> float:
    """A number by size, whatever its decimal sign; only compared with others that are written alike."""
    plain = cell.rstrip("% \t").replace(",", ".")
    whole, point, fraction = plain.rpartition(".")
    return float(f"{whole.replace('.', '')}{point}{fraction}")
