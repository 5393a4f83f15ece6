"""The cells of a sheet of a workbook: a header, records below it, and the kind that the cells of a column share."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from sfumato.errors import UnreadableFile
from sfumato.tables.engine import Kind
from sfumato.tables.read.columns import as_number, distinct_names
from sfumato.tables.source import MISSING_TOKENS, ReadOptions

MIDNIGHT = dt.time()


@dataclass(frozen=True)
class MissingCells:
    """Which cells of each column hold no value: texts and numbers that a person or a convention names."""

    options: ReadOptions

    def of(self, column: str) -> tuple[frozenset[str], frozenset[float | None]]:
        """The texts, and those of them that are numbers."""
        tokens = self.options.tokens(column, MISSING_TOKENS)
        return frozenset(("", *tokens)), frozenset(map(as_number, tokens))


@dataclass(frozen=True)
class SheetGrid:
    """The cells of a sheet; the first row that is not empty names the columns."""

    source: str
    sheet: Any

    def every_row(self) -> Iterator[Sequence[Any]]:
        """The rows, empty ones too. python-calamine before 0.9 panics at a sheet without a cell."""
        if self.sheet.height:
            yield from self.sheet.iter_rows()

    @cached_property
    def header(self) -> list[Any]:
        row = next((row for row in self.every_row() if not _empty(row)), None)
        if row is None:
            raise UnreadableFile(self.source, f"the sheet {self.sheet.name!r} is empty.", hint="Name another: --table.")
        return list(row)

    def records(self) -> Iterator[Sequence[Any]]:
        """The rows below the header that hold anything."""
        rows = (row for row in self.every_row() if not _empty(row))
        return islice(rows, 1, None)

    @cached_property
    def kept(self) -> list[int]:
        """Places of the columns that have a name or a value."""
        used = {place for place, title in enumerate(self.header) if _present(title)}
        for row in self.records():
            if len(used) == len(self.header):
                break
            used |= {place for place, cell in enumerate(row) if _present(cell)}
        return sorted(used)

    @cached_property
    def named(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the columns that an engine can tell apart, and what to say about those that had to change."""
        return distinct_names([self._title(place) for place in self.kept])

    def places(self, names: Sequence[str]) -> list[int]:
        """Where columns of these names are in this sheet, capitals ignored."""
        at = {name.casefold(): place for name, place in zip(self.named[0], self.kept, strict=True)}
        return [at[name.casefold()] for name in names]

    def _title(self, place: int) -> str:
        """The name of a column; one without a name is called after its place in the sheet."""
        title = self.header[place]
        left = self.sheet.start[1] if self.sheet.start else 0
        return _text(title).strip() if _present(title) else f"column {left + place + 1}"

    def sorts(self, names: Sequence[str], missing: MissingCells) -> list[set[Kind]]:
        """The kinds of cells that each column has."""
        kinds: list[set[Kind]] = [set() for _ in names]
        lacking, places = [missing.of(name) for name in names], self.places(names)
        for row in self.records():
            for place, sorts, tokens in zip(places, kinds, lacking, strict=True):
                if not _is_missing(row[place], *tokens):
                    sorts.add(_kind(row[place]))
        return kinds

    def rows(self, kinds: Mapping[str, Kind], missing: MissingCells, size: int) -> Iterator[list[list[Any]]]:
        """The values of the records, column by column, some rows at once."""
        records, places = self.records(), self.places(tuple(kinds))
        lacking = [missing.of(name) for name in kinds]
        while rows := list(islice(records, size)):
            yield [
                [None if _is_missing(row[place], *tokens) else _value(row[place], kind) for row in rows]
                for place, kind, tokens in zip(places, kinds.values(), lacking, strict=True)
            ]

    def skipped(self) -> int:
        """How many empty rows there are between the others: they are no records, which a person should know."""
        below = list(map(_empty, self.every_row()))
        filled = [number for number, empty in enumerate(below) if not empty]
        return sum(below[filled[0] : filled[-1]])


def shared_kind(sorts: set[Kind]) -> Kind:
    """One kind for cells of several: numbers go together, and dates; all else is text."""
    for family in ((Kind.INTEGER, Kind.REAL), (Kind.DATE, Kind.TIMESTAMP)):
        if sorts and sorts <= set(family):
            return family[-1] if family[-1] in sorts else family[0]
    return Kind.BOOLEAN if sorts == {Kind.BOOLEAN} else Kind.TEXT


def _is_missing(cell: Any, texts: frozenset[str], numbers: frozenset[float | None]) -> bool:
    if isinstance(cell, str):
        return not _present(cell) or cell.strip() in texts
    return cell is None or (not isinstance(cell, bool) and isinstance(cell, (int, float)) and cell in numbers)


def _value(cell: Any, kind: Kind) -> Any:
    if kind is Kind.TEXT:
        return _text(cell)
    if kind is Kind.TIMESTAMP and not isinstance(cell, dt.datetime):
        return dt.datetime.combine(cell, MIDNIGHT)
    return int(cell) if kind is Kind.INTEGER else cell


def _present(cell: Any) -> bool:
    return cell is not None and not (isinstance(cell, str) and not cell.strip())


def _empty(row: Sequence[Any]) -> bool:
    return not any(map(_present, row))


def _kind(cell: Any) -> Kind:
    if isinstance(cell, bool):
        return Kind.BOOLEAN
    if isinstance(cell, (int, float)):
        return Kind.INTEGER if cell == int(cell) and abs(cell) < 2**53 else Kind.REAL
    if isinstance(cell, dt.datetime):
        return Kind.DATE if cell.time() == MIDNIGHT else Kind.TIMESTAMP
    return Kind.DATE if isinstance(cell, dt.date) else Kind.TEXT


def _text(cell: Any) -> str:
    """A cell as a person sees it: whole numbers without decimals, dates in ISO form."""
    if isinstance(cell, float) and cell == int(cell):
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, (dt.date, dt.time)) else str(cell)
