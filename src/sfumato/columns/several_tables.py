"""Several tables that belong together: each is identified by itself, then beside the keys of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sfumato.columns.gather_evidence import (
    Inquiry,
    counted_profile,
    identify_beside_keys,
    identify_extract,
    keys_of,
)
from sfumato.columns.identification import Identification, Identifications
from sfumato.columns.table_keys import TableKey
from sfumato.errors import SfumatoError, UnknownColumn
from sfumato.progress import Tell, quiet
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.load import TableLocation, load
from sfumato.tables.source import Extract, ReadOptions

# Small tables share an engine, since to make one takes as long as to read them: a hundred tables at most, which keep
# their files open in it, and as many cells as take no memory worth a word. With the engine goes all that it holds.
CELLS, OF_ANY_TABLE = 100_000, 1000


@dataclass
class SharedEngine:
    """The engine for one table after the other: that of the last, until it holds enough. One that was given stays."""

    given: Engine | None
    kept: Engine | None = None
    held: int = 0  # cells

    def take(self) -> Engine:
        """The engine for the next table; nobody keeps it until that table was read and is known to be small."""
        if self.kept is None:
            self.held = 0
        engine, self.kept = self.given or self.kept or DuckDB(), None
        return engine

    def give_back(self, engine: Engine, one: Identification) -> None:
        """Keep an engine for the next table, where it holds little with this one."""
        self.held += OF_ANY_TABLE + one.records * len(one.columns)
        self.kept = engine if self.held < CELLS else None


@dataclass(frozen=True)
class SeveralTables:
    """The tables of a folder, a workbook or a database, and what is asked of them. One is held at a time."""

    name: str
    places: tuple[TableLocation, ...]
    inquiry: Inquiry
    options: ReadOptions
    engine: Engine | None = None

    def identify(self, tell: Tell = quiet) -> Identifications:
        """Every table, read twice only where a key of another makes or unmakes a quasi-identifier."""
        alone: list[tuple[TableLocation, Identification]] = []
        keys, failures = list[TableKey](), list[tuple[str, str]]()
        engines = SharedEngine(self.engine)
        for number, place in enumerate(self.places, 1):
            tell(f"Table {number} of {len(self.places)}", number, len(self.places))
            try:
                engine = engines.take()
                extract = self._read(place, engine)
                one = identify_extract(extract, self._asked(extract.table.columns))
                keys += keys_of(one, extract.table)
                alone.append((place, replace(one, extract=None)))
                engines.give_back(engine, one)
            except SfumatoError as error:  # a table that cannot be read does not stop the others
                failures.append((place.name, str(error)))
        self._require_columns([one for _, one in alone])
        tell("Looking for the keys of each table in the others")
        tables = tuple(self._beside(place, one, keys) for place, one in alone)
        return Identifications(self.name, tables, tuple(failures), recipient=self.inquiry.recipient)

    def _beside(self, place: TableLocation, one: Identification, keys: Sequence[TableKey]) -> Identification:
        """A table beside the keys of the others."""
        others = tuple(key for key in keys if key.table != one.source)
        if not others or self.inquiry.method == "risk-rate":
            return one
        asked = replace(self._asked([column.name for column in one.columns]), keys=others)
        again = identify_beside_keys(one, asked)
        if again is None:
            again = identify_extract(self._read(place, self.engine), asked, profile=counted_profile(one))
        return replace(again, extract=None)

    def _read(self, place: TableLocation, engine: Engine | None) -> Extract:
        return replace(load(place.source, replace(self.options, table=place.table), engine), name=place.name)

    def _asked(self, columns: Sequence[str]) -> Inquiry:
        """What is asked of a table: the roles that were decided of its own columns."""
        return replace(self.inquiry, roles={n: role for n, role in self.inquiry.roles.items() if n in columns})

    def _require_columns(self, tables: Sequence[Identification]) -> None:
        """A role for a column that no table has is a mistake."""
        known = {column.name for table in tables for column in table.columns}
        for name in self.inquiry.roles:
            if name not in known:
                raise UnknownColumn(name, sorted(known))
