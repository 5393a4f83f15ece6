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
from sfumato.tables.load import TableLocation, load
from sfumato.tables.source import Extract, ReadOptions


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
        for number, place in enumerate(self.places, 1):
            tell(f"Table {number} of {len(self.places)}", number, len(self.places))
            try:
                extract = self._read(place)
                one = identify_extract(extract, self._asked(extract.table.columns))
                keys += keys_of(one, extract.table)
                alone.append((place, replace(one, extract=None)))
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
            again = identify_extract(self._read(place), asked, profile=counted_profile(one))
        return replace(again, extract=None)

    def _read(self, place: TableLocation) -> Extract:
        return replace(load(place.source, replace(self.options, table=place.table), self.engine), name=place.name)

    def _asked(self, columns: Sequence[str]) -> Inquiry:
        """What is asked of a table: the roles that were decided of its own columns."""
        return replace(self.inquiry, roles={n: role for n, role in self.inquiry.roles.items() if n in columns})

    def _require_columns(self, tables: Sequence[Identification]) -> None:
        """A role for a column that no table has is a mistake."""
        known = {column.name for table in tables for column in table.columns}
        for name in self.inquiry.roles:
            if name not in known:
                raise UnknownColumn(name, sorted(known))
