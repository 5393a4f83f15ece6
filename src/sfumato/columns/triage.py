"""The verb of triage: which of many tables hold personal data, by names first, then samples, then all records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Any

from sfumato.columns.gather_evidence import column_proposals
from sfumato.columns.identification import IdentifiedColumn
from sfumato.columns.lexicon import meaning_of
from sfumato.columns.lexicon.key_names import Whose, whose_rows
from sfumato.columns.proposal import SURE
from sfumato.errors import SfumatoError
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.show.documents.triage import StageDocument, TriageDocument, TriagedTableDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet, counted
from sfumato.show.sheets.identification import column_reasons
from sfumato.show.sheets.triage import triage_sheet
from sfumato.tables.engine import Engine
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.glance import Glance
from sfumato.tables.load import TableLocation, load, reader_of, table_locations
from sfumato.tables.read.store import masked
from sfumato.tables.source import Extract, ReadOptions

# Records of a sample. A sample only says that a table holds personal data, never that it does not, so that its size
# decides how often all is read and not what is found. Chosen, not measured.
SAMPLE = 200
# What the engine may hold. It keeps what it has read of a database until it needs the room: a quarter of a megabyte of
# every table, although none is looked at again. A table that does not fit is counted on disk.
MEMORY = "500MB"
NAMED = 3  # columns that are named as the reason
ABOUT_PEOPLE = (Role.DIRECT, Role.QUASI, Role.SENSITIVE)


class Holds(StrEnum):
    """What a table holds."""

    PERSONAL = "personal"
    FREE = "free"
    OPEN = "open"  # nothing shows that it is free of personal data, and nothing that it holds any


class TriageStage(StrEnum):
    """What was read of a table, from little to all."""

    NAMES = "names"
    SAMPLE = "sample"
    ALL = "all"


@dataclass(frozen=True)
class TriagedTable:
    """One table: what it holds, decided at which stage, by which columns."""

    name: str
    holds: Holds
    stage: TriageStage
    columns: tuple[str, ...] = ()
    because: str = ""
    records: int = 0  # that were read in all stages

    def content(self) -> TriagedTableDocument:
        """The table as plain values."""
        return TriagedTableDocument(
            name=self.name, holds=self.holds.value, stage=self.stage.value, columns=self.columns, because=self.because,
            records=self.records,
        )  # fmt: skip


@dataclass
class StageCost:
    """What a stage cost so far."""

    tables: int = 0
    decided: int = 0
    records: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, repr=False)
class Triage(Presented):
    """The tables of a source, each with what it holds, and what it cost to know."""

    source: str
    tables: tuple[TriagedTable, ...]
    # Seconds differ from run to run.
    costs: Mapping[TriageStage, StageCost] = field(default_factory=dict, compare=False)

    def holding(self, holds: Holds) -> tuple[str, ...]:
        """The names of the tables that hold this."""
        return tuple(table.name for table in self.tables if table.holds is holds)

    def content(self) -> TriageDocument:
        """Everything as plain values."""
        return TriageDocument(
            source=self.source,
            counts={holds.value: len(self.holding(holds)) for holds in Holds},
            stages=[
                StageDocument(
                    stage=stage.value, tables=cost.tables, decided=cost.decided, records=cost.records,
                    seconds=round(cost.seconds, 3),
                )
                for stage, cost in self.costs.items()
            ],
            tables=[table.content() for table in self.tables],
        )  # fmt: skip

    def sheet(self) -> Sheet:
        """The same for people."""
        return triage_sheet(self.content())


def triage(
    data: str | Path, *, options: ReadOptions | None = None, engine: Engine | None = None, tell: Tell = quiet
) -> Triage:
    """Which tables of a folder, a database or a workbook hold personal data, at the least cost that can tell.

    The names of the columns are read of every table, and no record. Of those that they do not decide, the first
    records; of those that are left, all. By names, or by a sample, a table may be said to hold personal data; that it
    is free of it only by all of its records. What cannot be read, has no record, or has a column of which nothing is
    known stays open.
    """
    source = str(data)
    name = masked(source) if "://" in source else Path(source).name
    places = table_locations(source, options) or (TableLocation(name, source),)
    return _Triage(options or ReadOptions(), engine or DuckDB(memory=MEMORY), tell).of(name, places)


@dataclass
class _Triage:
    """One run over the tables, with what it cost so far."""

    options: ReadOptions
    engine: Engine
    tell: Tell
    costs: dict[TriageStage, StageCost] = field(default_factory=lambda: {stage: StageCost() for stage in TriageStage})
    glances: dict[str, Glance | None] = field(default_factory=dict)
    names: dict[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)  # records of each table, over the stages

    def of(self, name: str, places: Sequence[TableLocation]) -> Triage:
        decided: dict[str, TriagedTable] = {}
        for stage, look in (
            (TriageStage.NAMES, self._by_names),
            (TriageStage.SAMPLE, self._by_sample),
            (TriageStage.ALL, self._by_all),
        ):
            left = [place for place in places if place.name not in decided]
            start, cost = perf_counter(), self.costs[stage]
            for number, place in enumerate(left, 1):
                self.tell(f"{stage.capitalize()}: table {number} of {len(left)}", number, len(left))
                table = look(place)
                cost.tables += 1
                if table is not None:
                    cost.decided += 1
                    decided[place.name] = replace(table, records=self.read.get(place.name, 0))
            cost.seconds = perf_counter() - start
        return Triage(name, tuple(decided[place.name] for place in places), self.costs)

    def _by_names(self, place: TableLocation) -> TriagedTable | None:
        """By the names of the columns, where one plainly says what is about people. Names of a list of codes do not."""
        try:
            columns = self._columns(place)
        except SfumatoError:
            return None  # a later stage says what is wrong with it
        if whose_rows(place.name) is Whose.LIST:
            return None
        meanings = [(name, meaning_of(name, None)) for name in columns]
        telling = [
            (name, said)
            for name, said in meanings
            if said is not None and said.sure >= SURE and said.concept.role in ABOUT_PEOPLE
        ]
        if not telling:
            return None
        telling.sort(key=lambda one: ABOUT_PEOPLE.index(one[1].concept.role))
        because = "; ".join(f"the name says {said.concept.name}" for _, said in telling[:NAMED])
        return TriagedTable(
            place.name, Holds.PERSONAL, TriageStage.NAMES, tuple(name for name, _ in telling[:NAMED]), because
        )

    def _by_sample(self, place: TableLocation) -> TriagedTable | None:
        try:
            glance = self._glance(place)
            extract = glance.beginning(place.table or "", SAMPLE + 1, self.options, self.engine) if glance else None
        except SfumatoError:
            return None
        if extract is None:
            return None
        whole = glance is not None and glance.whole(extract.table.count(), SAMPLE + 1)
        columns = self._looked_at(extract, place, TriageStage.SAMPLE)
        if whole:  # a small table is all in its sample
            return _judged(place.name, columns)
        return _personal(place.name, TriageStage.SAMPLE, columns)

    def _by_all(self, place: TableLocation) -> TriagedTable:
        try:
            columns = self._looked_at(self._all(place), place, TriageStage.ALL)
        except SfumatoError as error:
            return TriagedTable(place.name, Holds.OPEN, TriageStage.ALL, (), f"It cannot be read: {error}")
        return _judged(place.name, columns)

    def _all(self, place: TableLocation) -> Extract:
        """Every record of a table. A database is not asked for its tables again: of thousands, that takes longest."""
        glance = self._glance(place)
        extract = glance.all(place.table or "", self.options, self.engine) if glance else None
        if extract is None:
            return load(place.source, replace(self.options, table=place.table), self.engine)
        self.options.bounds.require_names(extract.name, [column.name for column in extract.columns])
        return extract

    def _looked_at(self, extract: Extract, place: TableLocation, stage: TriageStage) -> tuple[IdentifiedColumn, ...]:
        """The columns of what was read, which is let go again."""
        try:
            self.engine.expect(extract.table)
            columns = column_proposals(replace(extract, name=place.name))
        finally:
            self.engine.drop(extract.table)
        records = columns[0].profile.records if columns else 0
        self.costs[stage].records += records
        self.read[place.name] = self.read.get(place.name, 0) + records
        return columns

    def _columns(self, place: TableLocation) -> Iterable[str]:
        if place.source not in self.names:
            glance = self._glance(place)
            self.names[place.source] = glance.columns() if glance else {}
        return self.names[place.source].get(place.table or "", ())

    def _glance(self, place: TableLocation) -> Glance | None:
        if place.source not in self.glances:
            self.glances[place.source] = None  # where looking fails, it is not tried again for every table
            reader: Any = reader_of(place.source)
            self.glances[place.source] = reader.glance(place.source, self.options) if reader else None
        return self.glances[place.source]


def _judged(name: str, columns: Sequence[IdentifiedColumn]) -> TriagedTable:
    """What a table holds of which all records were read."""
    if not columns or columns[0].profile.records == 0:
        return TriagedTable(name, Holds.OPEN, TriageStage.ALL, (), "It has no record to look at.")
    personal = _personal(name, TriageStage.ALL, columns)
    if personal is not None:
        return personal
    unknown = tuple(column.name for column in columns if column.role is None)
    if unknown:
        return TriagedTable(
            name, Holds.OPEN, TriageStage.ALL, unknown, f"Nothing decides about {counted(len(unknown), 'column')}."
        )
    because = f"All {counted(len(columns), 'column')} are shown to be neither identifying nor sensitive."
    return TriagedTable(name, Holds.FREE, TriageStage.ALL, (), because)


def _personal(name: str, stage: TriageStage, columns: Sequence[IdentifiedColumn]) -> TriagedTable | None:
    """The table, where a column is about people; the most telling ones first."""
    telling = [column for column in columns if column.role in ABOUT_PEOPLE]
    if not telling:
        return None
    telling.sort(key=lambda column: (ABOUT_PEOPLE.index(column.role or Role.SENSITIVE), -column.sure))
    because = " ".join(column_reasons(column.content())[0] for column in telling[:1])
    return TriagedTable(name, Holds.PERSONAL, stage, tuple(column.name for column in telling[:NAMED]), because)
