"""A draft: a table on its way to a release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sfumato.errors import UnknownColumn
from sfumato.plans.source_records import SourceRecords
from sfumato.plans.vault import Vault
from sfumato.schema import Role
from sfumato.tables.engine import Engine, Kind, Table, listed, quoted, unused
from sfumato.tables.short_table import ShortTable, WholeRows
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
    short: ShortTable | None = field(default=None, compare=False, repr=False)  # its rows, held; `table` spells them out
    whole: WholeRows | None = field(default=None, compare=False, repr=False)  # they, before records were left out

    @classmethod
    def of(cls, extract: Extract, *, subject: str | None = None, roles: Mapping[str, Role] | None = None) -> Draft:
        """The draft that a plan begins with."""
        columns = tuple(
            DraftColumn(c.name, c.label, c.value_labels, role=(roles or {}).get(c.name, Role.NON_SENSITIVE))
            for c in extract.columns
            if c.name not in extract.made
        )
        held, engine = extract.held, extract.table.engine
        if held is not None and held.table == extract.table:
            draft = cls(held.short.spelt(), columns, held.row, subject, short=held.short)
        else:
            row = unused("row", extract.table.columns.__contains__)
            draft = cls(engine.numbered(f"SELECT * FROM {extract.table}", row, held=False), columns, row, subject)
        begun = replace(draft, origin=draft.source, frame=extract.frame, made=extract.made)
        return begun.require(*([subject] if subject else []))

    def taking_along(self, names: Iterable[str]) -> Draft:
        """The same draft, in which each record takes along what it holds now, in hidden columns: never released.

        What became of it then stands beside it, and a comparison need not look for the record again. That is for an
        engine that `waits`, which holds no short texts; any other finds records again by their numbers soon enough.
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

    @cached_property  # asked for once for each column, and columns may be thousands
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _by_name(self) -> Mapping[str, DraftColumn]:
        return {column.name: column for column in self.columns}

    def __getitem__(self, name: str) -> DraftColumn:
        self.require(name)
        return self._by_name[name]

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
            if name not in self._by_name:
                raise UnknownColumn(name, self.names)
        return self

    def changed(self, columns: Mapping[str, str], *, join: str = "", relabelled: bool = True) -> Draft:
        """Other values in some columns, given as SQL over `record`, and over tables that are joined to it.

        A join must give each record exactly one partner. Value labels go, since the values are others,
        unless `relabelled` is False.
        """
        self.require(*columns)
        changed = self._selected({name: columns.get(name) for name in self.names}, join)
        return changed._without_labels(*columns) if relabelled else changed

    def labelled(self, column: str, label: str, *, join: str = "") -> Draft:
        """Labels in one column, given as in `changed`, that depend on nothing but its values.

        Where rows are held with short texts, a label is found once for each different value, and is short as well.
        """
        looked_up = self.engine.short_labels(self.counted, column, label, join) if self.short else None
        if looked_up is None:
            return self.changed({column: label}, join=join)
        selected = self._selected(dict.fromkeys(self.names), short_labels={column: looked_up})
        return selected._without_labels(column)

    def added(self, column: DraftColumn, sql: str, *, join: str = "") -> Draft:
        """One more column at the end, given as SQL over `record`."""
        added = self._selected({**dict.fromkeys(self.names), column.name: sql}, join)
        return replace(added, columns=(*self.columns, column))

    def without(self, *names: str) -> Draft:
        """The draft without some columns."""
        self.require(*names)
        kept = tuple(column for column in self.columns if column.name not in names)
        return replace(self, columns=kept)

    def where(self, condition: str, *, join: str = "") -> Draft:
        """The records for which a condition, as SQL over `record`, is true; unknown is not true."""
        return self._selected(dict.fromkeys(self.names), join, f" WHERE {condition}")

    def held(self, rows: int, *, made: bool = False) -> Draft:
        """The same draft with its rows worked out and held, where they are so many that counting them takes long, or so
        few that each statement about them takes longer than they do.

        What is read of a release, and what is written, is then of the same rows: `table` spells out the held ones.
        `made` as in `Engine.shortened`.
        """
        known = self.short
        if known is not None and known.held:
            return self
        short = self.engine.shortened(self.counted, rows, made=made)
        if short is None:
            few = self.engine.few and not made and known is None
            return replace(self, table=self.engine.query(f"SELECT * FROM {self.table}")) if few else self
        short = replace(short, texts=(*short.texts, *(known.texts if known else ())))
        return replace(self, table=short.spelt(), short=short, whole=WholeRows.of(short.table, self.row, rows))

    @property
    def counted(self) -> Table:
        """The rows for whoever groups and counts them, texts as short as they are held."""
        return self.short.table if self.short else self.table

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

    def counted_table(self, *, numbered: bool = False) -> Table:
        """The same for whoever groups and counts the records, and hands none of them on."""
        names = [*([self.row] if numbered else []), *self.names]
        return self.engine.view(f"SELECT {listed(quoted(name) for name in names)} FROM {self.counted}")

    def compared_table(self) -> Table:
        """Of the draft that a plan begins with: its columns and those that steps will make, with the record numbers.

        For whoever counts them.
        """
        return self.engine.view(
            f"SELECT {listed(map(quoted, (self.row, *self.names, *self.made)))} FROM {self.counted}"
        )

    def select(self) -> str:
        """The released rows as a SELECT, in the order of the source."""
        order = "" if self.ordered else f" ORDER BY {self.number}"
        items = listed(f"record.{quoted(name)}" for name in self.names)
        return f"SELECT {items} FROM {self.table} AS record{order}"

    def _without_labels(self, *names: str) -> Draft:
        bare = (replace(c, value_labels=None, order=()) if c.name in names else c for c in self.columns)
        return replace(self, columns=tuple(bare))

    def _selected(
        self,
        columns: Mapping[str, str | None],
        join: str = "",
        rest: str = "",
        *,
        short_labels: Mapping[str, Callable[[str], str]] | None = None,
    ) -> Draft:
        """Columns by their SQL over `record`, or as they are. What is as it was stays short, where it is held so.

        `short_labels` are columns that become short, by SQL over their values as they are held.
        """
        short, become = self.short, short_labels or {}
        source, held = (self.table, {}) if short is None else short.beside_texts()
        as_held = {name: f"record.{quoted(held.get(name, name))}" for name in columns}
        items = [
            f"{become[name](as_held[name]) if name in become else sql or as_held[name]} AS {quoted(name)}"
            for name, sql in columns.items()
        ]
        items += [f"record.{quoted(name)}" for name in self.originals.values()]
        view = self.engine.view(
            f"SELECT {self.number}, {listed(items)} FROM {source} AS record{' ' + join if join else ''}{rest}"
        )
        ordered = self.ordered and not join
        if short is None:
            return replace(self, table=view, ordered=ordered, whole=None)
        kept = (name for name in short.texts if name in columns and columns[name] is None and name not in become)
        left = ShortTable(view, (*kept, *become), held=short.held and not become and not any(columns.values()))
        return replace(self, table=left.spelt(), short=left, ordered=ordered, whole=None)
