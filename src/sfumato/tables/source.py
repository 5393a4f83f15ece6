"""Sources: files, database tables and frames, and what was understood when they were read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.tables.engine import Engine, Kind, Table
from sfumato.tables.read.limits import Limits
from sfumato.tables.short_table import ShortTable

if TYPE_CHECKING:
    from sfumato.tables.glance import Glance
    from sfumato.tables.source_frame import SourceFrame
    from sfumato.tables.source_state import SourceState

MISSING_TOKENS = ("", "NA", "N/A", "NULL", ".")


@dataclass(frozen=True)
class ReadOptions:
    """How a source is to be read; what is None is detected."""

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: tuple[str, ...] | None = None  # texts that mean "no value"; None: as the format does by default
    kinds: Mapping[str, Kind] = field(default_factory=dict)  # decided by a person, column by column
    table: str | None = None  # of a database, a workbook or a file that holds several
    query: str | None = None  # a SELECT, instead of a table
    also_missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by column; under "" for every column
    date_formats: Mapping[str, str] = field(default_factory=dict)  # how dates are written, column by column
    header: bool | None = None  # whether the first line of a text file names the columns
    counted: bool = False  # whether the rows will be grouped and counted again and again, and are best held for that
    limits: Limits | None = None  # how large a source may be; None: as the environment says. Never from a project file

    @property
    def bounds(self) -> Limits:
        """How large a source may be."""
        return self.limits or Limits.usual()

    def completed_by(self, others: ReadOptions) -> ReadOptions:
        """These options, completed by others where they say nothing."""
        given = {name: value for name, value in vars(self).items() if value not in (None, {}, ())}
        if self.table or self.query:  # one stands in for the other
            others = replace(others, table=None, query=None)
        by_column = ("kinds", "date_formats", "also_missing")
        merged = {name: {**getattr(others, name), **getattr(self, name)} for name in by_column}
        return replace(others, **{**given, **merged})

    def tokens(self, column: str, usual: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The texts that mean "no value" in a column: the usual ones of its format, or those that replace them."""
        stated = usual if self.missing is None else self.missing
        return tuple(dict.fromkeys((*stated, *self.also_missing.get("", ()), *self.also_missing.get(column, ()))))


@dataclass(frozen=True)
class Column:
    """One column as it was read: its kind, why, and how many values are missing."""

    name: str
    kind: Kind
    why: str
    missing: int = 0
    label: str | None = None
    value_labels: Mapping[str, str] | None = None

    def document(self) -> dict[str, Any]:
        """The decision on this column as plain values."""
        return {
            "name": self.name,
            "type": self.kind.value,
            "missing": self.missing,
            "why": self.why,
            "label": self.label,
            "value_labels": dict(self.value_labels) if self.value_labels else None,
        }


@dataclass(frozen=True)
class Proposal:
    """What a person may say about how columns are read: in words, as an option to type, and as a key of a project."""

    columns: tuple[str, ...]
    words: str
    option: str
    key: str  # of the column in a project file, as YAML

    @property
    def note(self) -> str:
        """What is noticed, and what to type."""
        return f"{self.words}: {self.option}"


@dataclass(frozen=True)
class NumberedRows:
    """The rows of a table, held with short texts and with their numbers from 1 on, by whoever looked at it before."""

    table: Table  # whose rows they are
    short: ShortTable
    row: str  # the column of the numbers


@dataclass(frozen=True)
class Extract:
    """A source, read: the table, the decision on each column, and what a person should know."""

    name: str
    table: Table
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    state: SourceState | None = field(default=None, compare=False, repr=False)  # of the files, where they are watched
    proposals: tuple[Proposal, ...] = ()  # the first of them stand among the notes too
    options: ReadOptions | None = field(default=None, compare=False, repr=False)  # as a person asked for it
    frame: SourceFrame | None = field(default=None, compare=False, repr=False)  # that was read, where it was one
    made: tuple[str, ...] = ()  # columns that a plan will make, computed from the source: no plan begins with them
    held: NumberedRows | None = field(default=None, compare=False, repr=False)

    def document(self) -> dict[str, Any]:
        """What was understood, as plain values. It holds no cell value."""
        return {
            "source": self.name,
            "records": self.table.count(),
            "columns": [column.document() for column in self.columns],
            "notes": list(self.notes),
        }


class Format(ABC):
    """One kind of source. To add one, write a subclass in one new file of `formats/`.

    Subclasses are frozen dataclasses without fields. `suffixes` are the endings of the files
    that the format reads; a format for something else (a frame, a database) overrides `claims`.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    everywhere: ClassVar[bool] = False  # whether any engine reads it by itself, or only the embedded one
    selects: ClassVar[tuple[str, ...]] = ()  # those of `table` and `query` that choose what is read from it

    def claims(self, source: Any) -> bool:
        """Whether this format reads the source."""
        return isinstance(source, str) and source.lower().endswith(self.suffixes)

    def tables(self, source: Any) -> tuple[str, ...]:
        """The names of the tables in the source, for `ReadOptions.table`; none where it is one table by itself."""
        return ()

    def glance(self, source: Any, options: ReadOptions) -> Glance | None:
        """A look at the source without reading all of it; None where the format knows no such look."""
        return None

    @abstractmethod
    def read(self, source: Any, options: ReadOptions, engine: Engine) -> Extract:
        """Read the source into a table of the engine."""
