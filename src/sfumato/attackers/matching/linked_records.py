"""Linked records: original and released values of the same people, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import EmptyTable, MissingRole, UnknownColumn
from sfumato.tables.engine import Engine, Kind, Table, listed, one_value

MOMENTS = (Kind.DATE, Kind.TIMESTAMP)


@dataclass(frozen=True)
class LinkedRecords:
    """Every original record, and what became of it.

    Rows of `table`: one per original record, with columns row (its number, from 1 on), kept (whether it is in the
    release), and for the columns by name v1, v2, ... (the original value), o1, o2, ... (the same as the release would
    write it) and r1, r2, ... (the released value). `kinds` says as what each column is compared.

    Rows of `pairs`: the same, once for all records that are alike, with n (how many) and the first of them as row.

    Where the subject is known there is a column person as well: a number for each person, of the original record and of
    its released one. A record without a subject is a person of its own. Attacks then count persons (`persons`).

    A column is *recoded* where values cannot be compared as they are: numbers or dates have become texts, texts have
    become labels that no original has, or all of it is suppressed. An attacker knows the coding, and so o is then the
    label that the release most often gives to the value. Other columns (with noise, with swapped texts) are compared as
    they are. Naming the recoded columns in `of` overrules this.
    """

    table: Table
    pairs: Table
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    recoded: tuple[str, ...]
    records: int
    released: int
    persons: int | None = None  # None where no subject is known, and every record counts for itself
    told_apart: bool = False  # whether no two pairs are the same as they are compared, so that none is grouped again
    held: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)  # what attacks share

    @classmethod
    def of(cls, table: Table, names: Sequence[str], *, recoded: Iterable[str] | None = None) -> LinkedRecords:
        """The records of a table with columns o1, o2, ..., r1, r2, ... and kept.

        `row` numbers them if it is there; `person`, if it is there, is whatever says whose record it is.
        """
        names = tuple(names)
        _check(table, names, recoded)
        kinds = tuple(_compared(table.kinds[f"o{i}"], table.kinds[f"r{i}"]) for i in range(1, len(names) + 1))
        numbered = _numbered(table)
        plain = _plain(_counted(numbered, len(names)), table, kinds)
        counts = ["coalesce(sum(n), 0)", "coalesce(sum(CASE WHEN kept THEN n END), 0)"]
        counts += ["count(DISTINCT person)"] if "person" in plain.columns else []
        records, released, *persons = map(int, plain.engine.fetch(f"SELECT {listed(counts)} FROM {plain}")[0])
        if not records:
            raise EmptyTable("The original table")
        chosen = _recoded(table, plain, kinds) if recoded is None else [names.index(name) + 1 for name in recoded]
        labels = {i: plain.engine.query(_labels(plain, i)) for i in chosen}
        named = tuple(names[i - 1] for i in sorted(chosen))
        return cls(
            table=_labelled(_plain(numbered, table, kinds), len(names), labels),
            pairs=_labelled(plain, len(names), labels),
            names=names,
            kinds=tuple(Kind.TEXT if i in chosen else kind for i, kind in enumerate(kinds, 1)),
            recoded=named,
            records=records,
            released=released,
            persons=persons[0] if persons else None,
            told_apart=all(_told_apart(table.kinds[f"{c}{i}"], kind) for c in "or" for i, kind in enumerate(kinds, 1)),
        )

    @property
    def engine(self) -> Engine:
        """Where the pairs live."""
        return self.table.engine

    def columns(self, letter: str) -> list[str]:
        """The columns of one kind: v1, v2, ... or o1, o2, ... or r1, r2, ..."""
        return [f"{letter}{i}" for i in range(1, len(self.names) + 1)]

    @property
    def unit(self) -> str:
        """What attacks count: persons where a subject is known, records otherwise."""
        return "records" if self.persons is None else "persons"

    def alike(self, rows: Table) -> Table:
        """The numbers of all records of the same person with the same original values as some, by their numbers."""
        same = [f"other.{o} IS NOT DISTINCT FROM first.{o}" for o in ("person", *self.columns("o"))]
        return self.engine.query(f"""
            SELECT other.row FROM {self.table} AS other
            JOIN (SELECT pair.* FROM {self.table} AS pair JOIN {rows} AS chosen ON chosen.row = pair.row) AS first
            ON {" AND ".join(same)}""")


def _check(table: Table, names: Sequence[str], recoded: Iterable[str] | None) -> None:
    if not names:
        raise MissingRole("quasi", "Record linkage")
    present = table.columns
    for needed in ("kept", *(f"{letter}{i}" for letter in "or" for i in range(1, len(names) + 1))):
        if needed not in present:
            raise UnknownColumn(needed, present)
    for name in recoded or ():
        if name not in names:
            raise UnknownColumn(name, names)


def _numbered(table: Table) -> Table:
    """The records with their numbers, and with those of persons where they are known."""
    numbered = table if "row" in table.kinds else table.engine.numbered(f"SELECT * FROM {table}", "row")
    return table.engine.query(_with_persons(numbered)) if "person" in table.kinds else numbered


def _counted(numbered: Table, width: int) -> Table:
    """The different pairs of records as they are held, with n and the first row: all else is read once for each."""
    kinds = numbered.kinds
    cells = [f"{letter}{i}" for letter in "or" for i in range(1, width + 1)]
    by = [*cells, "kept", *(["person"] if "person" in kinds else [])]
    # What an engine may not group (lists, maps) is a text.
    read = {name: f"CAST({name} AS VARCHAR)" if kinds[name] is Kind.OTHER else name for name in by}
    read["kept"] = "coalesce(kept, FALSE)"
    items = listed(f"{sql} AS {name}" for name, sql in read.items())
    held = numbered.engine.view(f"SELECT {items}, row FROM {numbered}")
    return numbered.engine.query(
        f"SELECT {listed(by)}, count(*) AS n, min(row) AS row FROM {held} GROUP BY {listed(by)}"
    )


def _plain(source: Table, table: Table, compared: Sequence[Kind]) -> Table:
    """Pairs with both values of a column as the same kind: row, kept, v1, v2, ..., r1, r2, ..., and n where counted."""
    engine, kinds = source.engine, table.kinds
    pairs = [(f"{letter}{i}", f"{to}{i}", kind) for letter, to in ("ov", "rr") for i, kind in enumerate(compared, 1)]
    cast = [f"{_as(column, kinds[column], kind)} AS {name}" for column, name, kind in pairs]
    own = ["row", *(name for name in ("person", "n") if name in source.columns)]
    view = engine.view(f"SELECT {listed([*own, 'coalesce(kept, FALSE) AS kept', *cast])} FROM {source}")
    if Kind.REAL in compared:  # a view of its own, since the text of a cast inside a cast grows on some engines
        clean = [f"{one_value(name, kind)} AS {name}" for _, name, kind in pairs]
        view = engine.view(f"SELECT {listed([*own, 'kept', *clean])} FROM {view}")
    return view


def _with_persons(numbered: Table) -> str:
    """The pairs with a number for each person; a record without a subject is a person of its own."""
    columns = [column for column in numbered.columns if column != "person"]
    whose = "CASE WHEN person IS NULL THEN concat('row ', row) ELSE concat('subject ', person) END"
    return f"SELECT {listed(columns)}, dense_rank() OVER (ORDER BY {whose}) AS person FROM {numbered}"


def _compared(original: Kind, released: Kind) -> Kind:
    """As what the values of a column are compared."""
    if original is released and original is not Kind.OTHER:
        return original
    if original.numeric and released.numeric:
        return Kind.REAL
    return Kind.DATE if original in MOMENTS and released in MOMENTS else Kind.TEXT  # who knows a time knows the day


def _as(column: str, kind: Kind, compared: Kind) -> str:
    """A column as it is compared, as SQL."""
    types = {Kind.TEXT: "VARCHAR", Kind.REAL: "DOUBLE", Kind.DATE: "DATE"}
    if kind is compared and compared not in (Kind.TEXT, Kind.REAL):  # texts may be enumerated, reals of any precision
        return column
    return f"CAST({column} AS {types[compared]})"


def _told_apart(kind: Kind, compared: Kind) -> bool:
    """Whether different values stay different where they are compared as another kind: those of these kinds do."""
    return kind is compared or compared is Kind.TEXT if kind in (Kind.TEXT, Kind.INTEGER, Kind.BOOLEAN) else False


def _recoded(table: Table, plain: Table, kinds: Sequence[Kind]) -> list[int]:
    """The columns whose released values an attacker cannot compare with the original ones as they are."""
    before = table.kinds
    present = [f"count(CASE WHEN kept THEN r{i} END)" for i in range(1, len(kinds) + 1)]
    counts = plain.engine.fetch(f"SELECT {listed(present)} FROM {plain}")[0]
    recoded = []
    for i, (kind, count) in enumerate(zip(kinds, counts, strict=True), 1):
        changed = kind is Kind.TEXT and {before[f"o{i}"], before[f"r{i}"]} != {Kind.TEXT}
        if not count or changed or (kind is Kind.TEXT and _new_labels(plain, i)):
            recoded.append(i)
    return recoded


def _new_labels(plain: Table, i: int) -> bool:
    """Whether some released text is not that of any original."""
    released = f"SELECT DISTINCT r{i} AS label FROM {plain} WHERE kept AND r{i} IS NOT NULL"
    originals = f"SELECT DISTINCT v{i} AS value FROM {plain}"
    new = plain.engine.fetch(f"""
        SELECT count(*) FROM ({released}) AS released
        LEFT JOIN ({originals}) AS original ON original.value = released.label WHERE original.value IS NULL""")[0][0]
    return bool(new)


def _labelled(plain: Table, width: int, labels: Mapping[int, Table]) -> Table:
    """The pairs with o1, o2, ...: the original value, or the label that the release most often gives to it."""
    engine, joins = plain.engine, ""
    columns = ["pair.row", "pair.kept", *(f"pair.{name}" for name in ("person", "n") if name in plain.columns)]
    for i in range(1, width + 1):
        value, label = (f"CAST(pair.{c}{i} AS VARCHAR)" if i in labels else f"pair.{c}{i}" for c in "vr")
        coded = f"CASE WHEN label{i}.place = 1 THEN label{i}.label ELSE {value} END" if i in labels else value
        columns += [f"{value} AS v{i}", f"{coded} AS o{i}", f"{label} AS r{i}"]
        if i in labels:
            joins += f" LEFT JOIN {labels[i]} AS label{i}"
            joins += f" ON label{i}.value IS NOT DISTINCT FROM pair.v{i}"
    return engine.view(f"SELECT {listed(columns)} FROM {plain} AS pair{joins}")


def _labels(plain: Table, i: int) -> str:
    pairs = f"SELECT v{i} AS value, CAST(r{i} AS VARCHAR) AS label, n FROM {plain} WHERE kept"
    counted = f"SELECT value, label, sum(n) AS n FROM ({pairs}) AS pair GROUP BY value, label"
    order = "PARTITION BY value ORDER BY n DESC, label IS NULL, label"
    ranked = f"SELECT value, label, row_number() OVER ({order}) AS place FROM ({counted}) AS counted"
    return f"SELECT value, label, place FROM ({ranked}) AS ranked WHERE place = 1"
