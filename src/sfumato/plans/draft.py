"""A draft: a table on its way to a release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sfumato.errors import UnknownColumn
from sfumato.plans.source_records import SourceRecords
from sfumato.plans.vault import Vault
from sfumato.schema import Role
from sfumato.tables.engine import Engine, Kind, Table, listed, quoted, unused
from sfumato.tables.source import Extract
from sfumato.tables.source_frame import SourceFrame


@dataclass(frozen=True)
class DraftColumn:
    """One column as it will be released: its name, and what the source says of it in words."""

    name: str
    label: str | None = None
    value_labels: Mapping[str, str] | None = None
    order: tuple[str, ...] = ()  # of its categories, lowest first
    role: Role = Role.NON_SENSITIVE
    sealed: bool = False  # it holds tokens that say nothing


@dataclass(frozen=True)
class Draft:
    """The columns in order, the rows in an engine, and for every record its number in the source.

    Each change gives a new draft: the rows are a view of those before, so nothing is copied until the end, and
    what came before is still there. In SQL the columns are `record."name"`; `row` is the record's number.
    """

    table: Table
    columns: tuple[DraftColumn, ...]
    row: str
    subject: str | None = None
    ordered: bool = True  # whether the rows are still in the order of the source
    notes: tuple[str, ...] = field(default=())
    origin: SourceRecords | None = field(default=None, compare=False, repr=False)  # of a draft that did not begin here
    frame: SourceFrame | None = field(default=None, compare=False, repr=False)  # that it began with, where it was one
    made: tuple[str, ...] = field(default=(), compare=False)  # what steps will make, in the table of the first draft
    originals: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # hidden columns, by the name
    vaults: tuple[Vault, ...] = field(default=(), compare=False, repr=False)  # of its tokens, to be written in the end

    @classmethod
    def of(cls, extract: Extract, *, subject: str | None = None, roles: Mapping[str, Role] | None = None) -> Draft:
        """The draft that a plan begins with."""
        columns = tuple(
            DraftColumn(c.name, c.label, c.value_labels, role=(roles or {}).get(c.name, Role.NON_SENSITIVE))
            for c in extract.columns
            if c.name not in extract.made
        )
        row = unused("row", extract.table.columns.__contains__)
        engine = extract.table.engine
        draft = cls(engine.numbered(f"SELECT * FROM {extract.table}", row, held=False), columns, row, subject)
        begun = replace(draft, origin=draft.source, frame=extract.frame, made=extract.made)
        return begun.require(*([subject] if subject else []))

    def taking_along(self, names: Iterable[str]) -> Draft:
        """The same draft, in which each record takes along what it holds now, in hidden columns: never released.

        What became of it then stands beside it, and a comparison need not look for the record again.
        """
        hidden: dict[str, str] = {}
        for name in names:
            taken = {*self.table.columns, *hidden.values()}
            hidden[name] = unused(f"original {name}", taken.__contains__)
        items = listed(f"{quoted(name)} AS {quoted(other)}" for name, other in hidden.items())
        view = self.engine.view(f"SELECT *, {items} FROM {self.table}") if hidden else self.table
        return replace(self, table=view, originals=hidden)

    @property
    def source(self) -> SourceRecords:
        """The records as they were before the first step."""
        return self.origin or SourceRecords(self.table, self.names, self.row, self.subject)

    @property
    def engine(self) -> Engine:
        """Where the rows live."""
        return self.table.engine

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(column.name for column in self.columns)

    def __getitem__(self, name: str) -> DraftColumn:
        self.require(name)
        return next(column for column in self.columns if column.name == name)

    def kind(self, name: str) -> Kind:
        """What sort of values a column holds."""
        self.require(name)
        return self.table.kinds[name]

    def with_role(self, role: Role) -> tuple[str, ...]:
        """The columns of one role, in order."""
        return tuple(column.name for column in self.columns if column.role is role)

    def require(self, *names: str) -> Draft:
        """The same draft, when it has the columns; `UnknownColumn` with the nearest name when not."""
        for name in names:
            if name not in self.names:
                raise UnknownColumn(name, self.names)
        return self

    def changed(self, columns: Mapping[str, str], *, join: str = "", relabelled: bool = True) -> Draft:
        """Other values in some columns, given as SQL over `record`, and over tables that are joined to it.

        A join must give each record exactly one partner. Value labels go, since the values are others,
        unless `relabelled` is False.
        """
        self.require(*columns)
        items = (f"{columns.get(name) or f'record.{quoted(name)}'} AS {quoted(name)}" for name in self.names)
        changed = self._selected(listed(items), join)
        if not relabelled:
            return changed
        bare = (replace(c, value_labels=None, order=()) if c.name in columns else c for c in self.columns)
        return replace(changed, columns=tuple(bare))

    def added(self, column: DraftColumn, sql: str, *, join: str = "") -> Draft:
        """One more column at the end, given as SQL over `record`."""
        items = (*(f"record.{quoted(name)}" for name in self.names), f"{sql} AS {quoted(column.name)}")
        return replace(self._selected(listed(items), join), columns=(*self.columns, column))

    def without(self, *names: str) -> Draft:
        """The draft without some columns."""
        self.require(*names)
        kept = tuple(column for column in self.columns if column.name not in names)
        return replace(self, columns=kept)

    def where(self, condition: str, *, join: str = "") -> Draft:
        """The records for which a condition, as SQL over `record`, is true; unknown is not true."""
        items = listed(f"record.{quoted(name)}" for name in self.names)
        return self._selected(items, join, f" WHERE {condition}")

    def count(self, condition: str = "TRUE") -> int:
        """How many records satisfy a condition, as SQL over `record`."""
        if condition == "TRUE":
            return self.table.count()
        return int(self.engine.fetch(f"SELECT count(*) FROM {self.table} AS record WHERE {condition}")[0][0])

    def rows(self, condition: str, most: int = 5) -> list[int]:
        """The numbers of the first records that satisfy a condition."""
        numbers = self.engine.fetch(f"""
            SELECT {self.number} FROM {self.table} AS record WHERE {condition} ORDER BY 1 LIMIT {most}""")
        return [int(row) for (row,) in numbers]

    @property
    def number(self) -> str:
        """The number of a record, as SQL over `record`."""
        return f"record.{quoted(self.row)}"

    @property
    def person(self) -> str:
        """Whom a record is about, as SQL text over `record`: its subject, or the record itself without one."""
        alone = f"concat('row ', {self.number})"
        if self.subject is None:
            return alone
        subject = f"CAST(record.{quoted(self.subject)} AS VARCHAR)"
        return f"CASE WHEN {subject} IS NULL THEN {alone} ELSE concat('subject ', {subject}) END"

    def released_table(self, *, numbered: bool = False, originals: bool = False) -> Table:
        """The columns as a table, with the number and the originals of each record where these are asked for."""
        names = [*([self.row] if numbered else []), *self.names, *(self.originals.values() if originals else [])]
        return self.engine.view(f"SELECT {listed(quoted(name) for name in names)} FROM {self.table}")

    def compared_table(self) -> Table:
        """Of the draft that a plan begins with: its columns and those that steps will make, with the record numbers."""
        return self.engine.view(f"SELECT {listed(map(quoted, (self.row, *self.names, *self.made)))} FROM {self.table}")

    def select(self) -> str:
        """The released rows as a SELECT, in the order of the source."""
        order = "" if self.ordered else f" ORDER BY {self.number}"
        items = listed(f"record.{quoted(name)}" for name in self.names)
        return f"SELECT {items} FROM {self.table} AS record{order}"

    def _selected(self, items: str, join: str = "", rest: str = "") -> Draft:
        source = f"{self.table} AS record{' ' + join if join else ''}"
        hidden = "".join(f", record.{quoted(name)}" for name in self.originals.values())
        view = self.engine.view(f"SELECT {self.number}, {items}{hidden} FROM {source}{rest}")
        return replace(self, table=view, ordered=self.ordered and not join)
