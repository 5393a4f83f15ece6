"""A glance at a source: the names of its columns, and its first records, without reading the rest of it."""

from __future__ import annotations

import gzip
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.tables.engine import Engine
from sfumato.tables.source import Extract, ReadOptions

BEGINNING = 1 << 18  # bytes of a text file: some thousand records of usual width. Chosen, not measured


@dataclass(frozen=True)
class RowPage:
    """Some rows of a source, the names of its columns, and how many records it has, where that is known."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    records: int | None = None


class Glance(ABC):
    """What a format can tell of a source without reading all of it."""

    @abstractmethod
    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the columns of each table; under "" of a source that is one table. No record is read."""

    def whole(self, records: int, asked: int) -> bool:
        """Whether so many records are all that there are, where more were asked for."""
        return records < asked

    @abstractmethod
    def beginning(self, table: str, records: int, options: ReadOptions, engine: Engine) -> Extract | None:
        """About so many of the first records of a table, and no others; None where that cannot be done."""

    def rows(self, after: int, limit: int, engine: Engine) -> RowPage | None:
        """Some rows as they stand in the source, without reading what follows; None where that cannot be done."""
        return None

    def all(self, table: str, options: ReadOptions, engine: Engine) -> Extract | None:
        """Every record of a table, without listing the tables of its source anew; None where reading is as cheap."""
        return None


def beginning_of(source: Path, folder: Path) -> Path:
    """A copy of the first lines of a text file, as large as `BEGINNING`; all of a smaller one."""
    packed = source.name.lower().endswith(".gz")
    with gzip.open(source, "rb") if packed else source.open("rb") as file:
        start = file.read(BEGINNING)
    whole = len(start) < BEGINNING
    copy = folder / "beginning.csv"
    copy.write_bytes(start if whole else start[: start.rfind(b"\n") + 1])
    return copy
