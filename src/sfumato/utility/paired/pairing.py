"""Pairings: every record of the original beside what became of it in the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sfumato.errors import EmptyTable, SchemaError, UnknownColumn
from sfumato.hierarchies.hierarchy import TOP, Hierarchy
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, quoted
from sfumato.tables.short_table import WholeRows
from sfumato.utility.paired import record_join
from sfumato.utility.paired.record_join import (
    bytes_of_pairs,
    carried_texts,
    counted_texts,
    original_texts,
    texts_in_pieces,
)

MARKS = (TOP,)  # what stands in the place of a suppressed value


@dataclass(frozen=True)
class PairedColumn:
    """A quasi-identifier that is compared: what the original holds, and whether the release has it at all."""

    name: str
    number: int
    kind: Kind
    hierarchy: Hierarchy | None = None
    dropped: bool = False
    blanked: bool = False  # whether values were suppressed by leaving the cell empty

    @property
    def moment(self) -> bool:
        """Whether its values are dates or times, which can be counted in days."""
        return self.kind in (Kind.DATE, Kind.TIMESTAMP)

    @property
    def whole(self) -> bool:
        """Whether its numbers or days are whole, so that each is as wide as one."""
        return self.kind in (Kind.INTEGER, Kind.DATE)


@dataclass(frozen=True)
class Pairing:
    """The records of an original and what became of them, counted: one row per different pair.

    `table` has columns o1, o2, ... (the values of the original as text), l1, l2, ... (the labels that the release has
    for them), g1, g2, ... (whether the value is gone: suppressed in the cell or with its record), kept (whether the
    record is in the release), target where one is asked for, and n (records). A record is suppressed when the release
    lacks its key, or has nothing but suppression marks for it; all of its values are gone then.
    """

    engine: Engine
    columns: tuple[PairedColumn, ...]
    table: Table
    records: int
    target: str | None = None
    tables: tuple[Table, Table] | None = field(default=None, repr=False, compare=False)  # the original, the release
    short: Table | None = field(default=None, repr=False, compare=False)  # many pairs, held; `table` spells them out
    _held: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        original: Table,
        released: Table,
        names: Sequence[str],
        *,
        hierarchies: Mapping[str, Hierarchy] | None = None,
        key: str | None = None,
        numbered: bool = False,
        originals: Mapping[str, str] | None = None,
        marks: Sequence[str] = MARKS,
        target: str | None = None,
        weight: str | None = None,
        whole: WholeRows | None = None,
    ) -> Pairing:
        """Pair the records by position, or by a key that both tables have.

        `numbered` says that the key numbers the records of the original in their order, from 1 on. Where the released
        records took along what they were, `originals` says in which columns: nothing is paired then. `weight` is a
        column of the original that says for how many records a row stands, where it is not one each. `whole` are the
        rows of the release from before records were left out, where they are still there: they are paired by place.
        """
        engine, kinds = original.engine, original.kinds
        engine.expect(original)
        for name in (*names, *([target] if target else [])):
            if name not in kinds:
                raise UnknownColumn(name, kinds)
        records = original.count() if weight is None else _weighed(original, weight)
        if not records:
            raise EmptyTable("The original table")
        columns = tuple(
            PairedColumn(
                name=name,
                number=i,
                kind=kinds[name],
                hierarchy=(hierarchies or {}).get(name),
                dropped=name not in released.kinds,
            )
            for i, name in enumerate(names, 1)
        )
        carried = originals if originals and not target and set(names) <= set(originals) else None
        if carried:
            counted = _with_suppressed(carried_texts(original, released, names, carried), original, names, records)
        elif key and numbered and weight is None and engine.cannot_hold(bytes_of_pairs(records, len(names))):
            counted = texts_in_pieces(original, released, names, target=target, key=key, records=records)
        else:
            counted = counted_texts(
                original,
                released,
                names,
                target=target,
                key=key,
                records=records,
                numbered=numbered,
                weight=weight,
                whole=whole,
            )
        engine = counted.engine  # of the pairs from here on, which are few where many records are alike
        columns = _with_blanks(counted, columns)
        labelled = _labelled(engine, counted, columns, marks, target=bool(target))
        short = engine.query(labelled) if records >= record_join.MANY else None
        spelt = _spelt(f"{short} AS pair" if short else f"({labelled}) AS pair", columns, target=bool(target))
        table = engine.view(spelt) if short else engine.query(spelt)
        engine.drop(counted)
        return cls(
            engine=engine, columns=columns, table=table, records=records, target=target, tables=(original, released),
            short=short,
        )  # fmt: skip

    @property
    def counted(self) -> Table:
        """The pairs for whoever groups and counts them, texts as short as they are held."""
        return self.short or self.table

    def without_hierarchies(self) -> Pairing | None:
        """The same pairs for whoever knows no hierarchy; None where a top of its own was read as a suppressed value."""
        if any(column.hierarchy is not None and column.hierarchy.top not in MARKS for column in self.columns):
            return None
        return replace(self, columns=tuple(replace(column, hierarchy=None) for column in self.columns), _held={})

    @cached_property
    def suppressed(self) -> int:
        """Records of the original that are not in the release."""
        return int(self.engine.fetch(f"SELECT coalesce(sum(n), 0) FROM {self.table} WHERE NOT kept")[0][0])

    def first_record(self, side: int, column: str, texts: str) -> int | None:
        """The first record of the original (0) or of the release (1) whose cell is one of some texts, a SELECT."""
        if self.tables is None:
            return None
        cells = f"SELECT CAST({quoted(column)} AS VARCHAR) AS cell FROM {self.tables[side]}"
        engine = self.tables[side].engine
        if engine is not self.engine:  # the pairs lie elsewhere, and so do the texts
            texts = f"SELECT text FROM {engine.load(self.engine.arrow(texts).rename_columns(['text']))}"
        records = engine.numbered(cells, "record", held=False)
        first = engine.fetch(f"SELECT min(record) FROM {records} WHERE cell IN ({texts})")[0][0]
        return None if first is None else int(first)

    def held(self, key: object, sql: str) -> Table:
        """The result of a SELECT, computed once for this pairing."""
        if key not in self._held:
            self._held[key] = self.engine.query(sql)
        table: Table = self._held[key]
        return table

    def column(self, name: str) -> PairedColumn:
        """A column by its name."""
        return next(column for column in self.columns if column.name == name)


def _weighed(original: Table, weight: str) -> int:
    return int(original.engine.fetch(f"SELECT coalesce(sum({quoted(weight)}), 0) FROM {original}")[0][0])


def _labelled(
    engine: Engine, counted: Table, columns: Sequence[PairedColumn], marks: Sequence[str], *, target: bool
) -> str:
    """The pairs with labels, texts as they are held: a value that is gone has none."""
    gone = engine.view(f"SELECT *, {listed(f'{_gone(c, marks)} AS m{c.number}' for c in columns)} FROM {counted}")
    kept = engine.view(f"SELECT *, NOT ({' AND '.join(f'm{c.number}' for c in columns)}) AS kept FROM {gone}")
    shown = [f"o{c.number}" for c in columns]
    shown += [f"CASE WHEN kept AND NOT m{c.number} THEN r{c.number} END AS l{c.number}" for c in columns]
    shown += [f"(m{c.number} OR NOT kept) AS g{c.number}" for c in columns]
    return f"SELECT {listed(shown)}, kept, n{', target' if target else ''} FROM {kept}"


def _spelt(pairs: str, columns: Sequence[PairedColumn], *, target: bool) -> str:
    """The same with their texts."""
    texts = [f"{side}{c.number}" for side in "ol" for c in columns]
    shown = [f"CAST({name} AS VARCHAR) AS {name}" for name in (*texts, *(["target"] if target else []))]
    return f"SELECT {listed([*shown, *(f'g{c.number}' for c in columns)])}, kept, n FROM {pairs}"


def _with_suppressed(counted: Table, original: Table, names: Sequence[str], records: int) -> Table:
    """The pairs of the released records, and with them whoever is missing among these: the original less the released.

    `SchemaError` where more were released than there were.
    """
    engine = counted.engine
    if int(engine.fetch(f"SELECT coalesce(sum(n), 0) FROM {counted}")[0][0]) == records:
        return counted
    keys, released = ([f"{side}{i}" for i in range(1, len(names) + 1)] for side in "or")
    texts = original_texts(original, names)
    before = original.engine.near(f"SELECT {listed(keys)}, count(*) AS n FROM ({texts}) AS o GROUP BY {listed(keys)}")
    if before.engine is not engine:  # one of the two was small enough to be brought near
        mover = counted if engine is not original.engine else before
        brought = original.engine.load(mover.engine.arrow(f"SELECT * FROM {mover}"))
        mover.engine.drop(mover)
        counted, before, engine = (brought, before, original.engine) if mover is counted else (counted, brought, engine)
    gone = engine.query(f"""
        SELECT {listed(keys)}, CAST(sum(n) AS BIGINT) AS n
        FROM (SELECT {listed(keys)}, n FROM {before} UNION ALL SELECT {listed(keys)}, -n AS n FROM {counted}) AS either
        GROUP BY {listed(keys)} HAVING sum(n) <> 0""")
    if int(engine.fetch(f"SELECT count(*) FROM {gone} WHERE n < 0")[0][0]):
        raise SchemaError("The release has records that the original lacks, so that they cannot be compared.")
    empty = listed(f"CAST(NULL AS VARCHAR) AS {name}" for name in released)
    both = engine.query(f"""
        SELECT {listed([*keys, *released])}, present, n FROM {counted}
        UNION ALL SELECT {listed(keys)}, {empty}, FALSE AS present, n FROM {gone}""")
    engine.drop(counted, before, gone)
    return both


def _with_blanks(counted: Table, columns: Sequence[PairedColumn]) -> tuple[PairedColumn, ...]:
    """The columns, knowing where values were blanked: an empty cell does not say there that a value was missing."""
    blanked = (f"present AND r{c.number} IS NULL AND o{c.number} IS NOT NULL" for c in columns)
    row = counted.engine.fetch(
        f"SELECT {listed(f'max(CASE WHEN {b} THEN 1 ELSE 0 END)' for b in blanked)} FROM {counted}"
    )
    return tuple(replace(c, blanked=bool(blank)) for c, blank in zip(columns, row[0], strict=True))


def _gone(column: PairedColumn, marks: Sequence[str]) -> str:
    """Whether a value was suppressed: its column, its record, a mark instead of it, or nothing where something was."""
    if column.dropped:
        return "TRUE"
    texts = dict.fromkeys([*marks, *([column.hierarchy.top] if column.hierarchy else [])])
    released = f"r{column.number}"
    marked = f"coalesce({released} IN ({listed(map(literal, texts))}), FALSE)" if texts else "FALSE"
    blank = f"{released} IS NULL" if column.blanked else "FALSE"
    return f"(NOT present OR {marked} OR {blank})"
