"""Short texts: how DuckDB holds the texts of a column in a byte or two each, as places in a sorted list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import prod
from typing import Any

from sfumato.tables.engine import Engine, ShortKeys, Table, listed, literal, quoted, unused
from sfumato.tables.short_table import ShortTable

# Different texts of a column that are listed, so that a record holds a number of one or two bytes instead of each.
LISTED = 1 << 16
# Values, or numbers from the least on, whose labels are written into a statement: a few milliseconds to read. Chosen.
LOOKED_UP = 4096
MANY = 1_000_000  # rows from where on it is worth a look at every text: memory is no concern with fewer
HELD = 20_000_000  # rows that are held with short keys: a gigabyte of twenty columns. Chosen, not measured
NUMBERS = 2**62  # numbers of combinations stay below this, as those of the search do
WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "BOOLEAN")
# Rows whose texts are listed before all are read: to read 20,000 takes no longer than to read 2,000, and of the census
# one text of 95 is then met later. A column with more different texts than an eighth of them has many others.
FIRST = 20_000
FEW_OF_FIRST = FIRST // 8


@dataclass(frozen=True)
class ShortColumn:
    """A column whose values are places in a sorted list: the places, and the values in little room, as SQL."""

    column: str
    short: str
    place: str  # from 0 on, over the short column
    count: int  # of places, without that of the missing value
    lacking: bool
    declared: str = ""  # the type of its texts, where it has texts

    @classmethod
    def of(cls, column: str, short: str, place: str, count: int, *, lacking: bool, declared: str = "") -> ShortColumn:
        """The missing value has the place after the last."""
        placed = f"coalesce({place}, {count})" if lacking else place
        return cls(column=column, short=short, place=placed, count=count, lacking=lacking, declared=declared)


class ShortTexts(Engine):
    """The part of DuckDB that holds texts in little room. A list is an ENUM, as it says: it sorts as the texts do."""

    def __init__(self) -> None:
        self._names = (f"sfumato_{i}" for i in count())
        self._views: set[str] = set()
        self._behind: dict[str, Table] = {}  # tables that nobody but a view shows, by its name: they go with it

    @abstractmethod
    def run(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Run one statement."""

    def short_keys(self, table: Table, keys: Sequence[str]) -> ShortKeys:
        types = self._types(table)
        texts = [key for key in keys if types[key] == "VARCHAR"]
        rows = table.count() if texts else 0
        if rows < MANY:
            return ShortKeys()
        short = self._listed_texts(table, texts)
        places = [*short.values(), *self._whole_numbers(table, {k: types[k] for k in keys if k not in short})]
        every = {place.column: place for place in places}
        number = None
        if short and len(every) == len(keys) and prod(place.count + 1 for place in places) < NUMBERS:
            number = "0"
            for key in keys:  # one place is left for the missing value, which sorts last
                number = f"({number}) * {every[key].count + 1} + {every[key].place}"
        return ShortKeys(
            texts={name: place.short for name, place in short.items()},
            number=number,
            lacking=any(place.lacking for place in places),
            held=rows <= HELD,
        )

    def shortened(self, table: Table, rows: int, *, made: bool) -> ShortTable | None:
        texts = self._texts(table) if rows >= MANY else []
        if rows < MANY or (made and not texts):
            return None
        whole = table if made else self.query(f"SELECT * FROM {table}")
        short = self._listed_texts(whole, texts)
        items = listed(
            f"{short[name].short} AS {quoted(name)}" if name in short else quoted(name) for name in whole.columns
        )
        held = self.query(f"SELECT {items} FROM {whole}") if short or made else whole
        if whole not in (table, held):
            self.drop(whole)
        return ShortTable(held, tuple(short))

    def short_scan(
        self, source: Table, columns: Mapping[str, str], texts: Sequence[str], *, number: str, rows: int
    ) -> ShortTable | None:
        lists = self._lists_of_first(source, {name: columns[name] for name in texts}) if rows >= MANY else {}
        if not lists:
            return None
        taken = {name.casefold() for name in (*columns, number)}.__contains__
        others = unused("others", taken)
        # A text that is listed was read as it is written, so that whatever is found in the list is as well: only the
        # others are read. They are few, and stand together in one more column.
        place = {name: f"TRY_CAST({quoted(name)} AS {declared})" for name, declared in lists.items()}
        read = {name: f"CASE WHEN {place[name]} IS NULL THEN {columns[name]} END" for name in lists}
        beside = f"CASE WHEN coalesce({listed(read.values())}) IS NOT NULL THEN [{listed(read.values())}] END"
        table = self.query(f"SELECT {_items({**columns, **place, others: beside})} FROM {source}")
        self._take_in(table, lists, others)
        for name, short in self._listed_texts(table, [name for name in texts if name not in lists]).items():
            self._retype(table, name, short.declared, short.short)
        # Rows stay in the order in which they were inserted, and are counted from 0 on; a column may have that name.
        place_in_table = "row_number() OVER ()" if taken("rowid") else "rowid + 1"
        numbered = self.view(f"SELECT {place_in_table} AS {quoted(number)}, {quoted(*columns)} FROM {table}")
        self._behind[numbered.name] = table
        types = self._types(numbered)
        return ShortTable(numbered, tuple(name for name in texts if types[name].startswith("ENUM(")))

    def _lists_of_first(self, source: Table, texts: Mapping[str, str]) -> dict[str, str]:
        """The types of the texts that the first rows have, of columns that have few different ones there."""
        first = self.query(
            f"SELECT {_items(texts)} FROM (SELECT {quoted(*texts)} FROM {source} LIMIT {FIRST}) AS first"
        )
        lists = {name: short.declared for name, short in self._listed_texts(first, tuple(texts), FEW_OF_FIRST).items()}
        self.drop(first)
        return lists

    def _take_in(self, table: Table, lists: Mapping[str, str], others: str) -> None:
        """Texts that are in no list, and stand together in a column beside, among those that are; that column goes."""
        beside = {name: f"{quoted(others)}[{i}]" for i, name in enumerate(lists, 1)}
        counted = listed(f"count({other})" for other in beside.values())
        counts = self.run(f"SELECT {counted} FROM {table} WHERE {quoted(others)} IS NOT NULL").fetchall()[0]
        for (name, other), late in zip(beside.items(), counts, strict=True):
            if not late:
                continue
            x, declared = quoted(name), "VARCHAR"
            every = (
                f"SELECT DISTINCT {other} AS value FROM {table} WHERE {other} IS NOT NULL UNION ALL "
                f"SELECT CAST(unnest(enum_range(CAST(NULL AS {lists[name]}))) AS VARCHAR)"
            )
            different = self.query(f"SELECT value FROM ({every}) AS every LIMIT {LISTED + 1}")
            if different.count() <= LISTED:
                declared = next(self._names)
                self._declare(declared, f"SELECT value FROM {different}")
            self.drop(different)
            self._retype(table, name, declared, f"coalesce(CAST({x} AS {declared}), CAST({other} AS {declared}))")
        self.run(f"ALTER TABLE {table} DROP COLUMN {quoted(others)}")

    def _retype(self, table: Table, column: str, declared: str, value: str) -> None:
        self.run(f"ALTER TABLE {table} ALTER {quoted(column)} TYPE {declared} USING ({value})")

    def short_labels(self, table: Table, column: str, label: str, join: str) -> Callable[[str], str] | None:
        declared = self._types(table)[column]
        if declared.startswith("ENUM"):
            return self._looked_up(table, column, label, join, "CAST(enum_code({}) AS BIGINT)")
        if declared not in WHOLE:
            return None
        x = f"CAST({quoted(column)} AS BIGINT)"
        least, most = self.run(f"SELECT coalesce(min({x}), 0), coalesce(max({x}), 0) FROM {table}").fetchall()[0]
        if most - least >= LOOKED_UP:
            return None
        return self._looked_up(table, column, label, join, f"CAST({{}} AS BIGINT) - ({least})")

    def _looked_up(self, table: Table, column: str, label: str, join: str, place: str) -> Callable[[str], str] | None:
        """The labels one after the other by the places of their values, which are SQL over the value."""
        x, number, name = quoted(column), quoted(unused("place", {column.casefold()}.__contains__)), next(self._names)
        different = self.query(f"SELECT DISTINCT {x}, {place.format(x)} AS {number} FROM {table} LIMIT {LOOKED_UP + 1}")
        few, values = different.count() <= LOOKED_UP, x if "enum" not in place else f"CAST({x} AS VARCHAR) AS {x}"
        source = f"(SELECT {values}, {number} FROM {different}) AS record {join}"
        labels: list[Any] = self.fetch(f"SELECT record.{number}, {label} FROM {source}") if few else []
        self.drop(different)
        of_place: dict[int | None, str | None] = dict(labels)
        texts = sorted({text for text in of_place.values() if text is not None}, key=str.encode)
        if not texts or any("\0" in text for text in texts):  # which ends a text within a statement
            return None
        self.run(f"CREATE TEMP TYPE {name} AS ENUM ({listed(map(literal, texts))})")
        written = {where: "NULL" if text is None else literal(text) for where, text in of_place.items()}
        last = max((where for where in written if where is not None), default=-1)
        missing = f"CAST({written.get(None, 'NULL')} AS {name})"
        in_order = f"CAST([{listed(written.get(i, 'NULL') for i in range(last + 1))}] AS {name}[])"
        return lambda value: f"CASE WHEN {value} IS NULL THEN {missing} ELSE {in_order}[{place.format(value)} + 1] END"

    def only_short(self, table: Table, short: ShortTable) -> None:
        if table.name in self._views or table == short.table:
            return
        columns, spelt = quoted(*table.columns), short.spelt()
        self.run(f"DROP TABLE {table}")
        self.run(f"CREATE TEMP VIEW {table} AS SELECT {columns} FROM {spelt}")
        self._views.add(table.name)

    def _types(self, table: Table) -> dict[str, str]:
        return {row[0]: str(row[1]) for row in self.run(f"DESCRIBE FROM {table}").fetchall()}

    def _texts(self, table: Table) -> list[str]:
        """The columns of texts. Not of any other type: a list that somebody declared has an order of its own."""
        return [name for name, declared in self._types(table).items() if declared == "VARCHAR"]

    def _listed_texts(self, table: Table, columns: Sequence[str], most: int | None = None) -> dict[str, ShortColumn]:
        """Each column as places in the sorted list of its texts; nothing of one that has too many."""
        short = {}
        for column in columns:
            name, x = next(self._names), quoted(column)
            longest = LISTED if most is None else most
            values = self.query(f"SELECT DISTINCT {x} AS value FROM {table} LIMIT {longest + 2}")
            different, count = self.run(f"SELECT count(*), count(value) FROM {values}").fetchall()[0]
            if 0 < count <= longest:
                self._declare(name, f"SELECT value FROM {values} WHERE value IS NOT NULL")
                place = f"CAST(enum_code({x}) AS BIGINT)"
                short[column] = ShortColumn.of(
                    column, f"CAST({x} AS {name})", place, count, lacking=different > count, declared=name
                )
            self.drop(values)
        return short

    def _declare(self, name: str, values: str) -> None:
        """A type of its own for the texts of a column, in their order; `values` is a SELECT of them."""
        self.run(f"CREATE TEMP TYPE {name} AS ENUM (SELECT value FROM ({values}) AS listed ORDER BY value)")

    def _whole_numbers(self, table: Table, columns: Mapping[str, str]) -> list[ShortColumn]:
        """Those columns, of some types, that hold whole numbers, as places from the least of them on."""
        names = [name for name, declared in columns.items() if declared in WHOLE]
        ends = [f"min(CAST({x} AS BIGINT)), max(CAST({x} AS BIGINT)), count({x})" for x in map(quoted, names)]
        rows, *known_ends = self.run(f"SELECT {listed(['count(*)', *ends])} FROM {table}").fetchall()[0]
        numbers = []
        for i, name in enumerate(names):
            least, most, known = known_ends[3 * i : 3 * i + 3]
            x, least, most = quoted(name), int(least or 0), int(most or 0)
            place = f"(CAST({x} AS BIGINT) - ({least}))"
            numbers.append(ShortColumn.of(name, x, place, most - least + 1, lacking=known < rows))
        return numbers


def _items(columns: Mapping[str, str]) -> str:
    """The items of a SELECT: SQL by the name that it gets."""
    return listed(f"{sql} AS {quoted(name)}" for name, sql in columns.items())
