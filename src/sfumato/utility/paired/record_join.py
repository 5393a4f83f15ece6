"""The join of records: those of an original beside those of a release, by position or by a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.errors import SchemaError, UnknownColumn
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, one_value, quoted, unused
from sfumato.tables.short_table import STILL_THERE, WholeRows

# Records from where on pairs are counted before they are spelt out, and not after: each is then spelt once, and texts
# that an engine holds as numbers are compared as such. With fewer, one more statement costs more than that saves.
MANY = 1_000_000
CELL = 4  # bytes of a cell in a table of pairs, by and large
PIECES = 4  # times as many as fit: a join holds its records with their numbers and hashes, and blocks to read and write
LARGEST = 9e15  # whole numbers up to 2**53, a little more than this, are exact in floating point


def require_pairing(key: str | None, *, by_position: bool) -> None:
    """`SchemaError` where nobody said which record of a release was which of the original.

    A release is written in an order of its own, so that the first record of its file is not the first of the original:
    paired by position, every number would be wrong and look right. Only people know that two tables are in one order.
    """
    if key is None and not by_position:
        raise SchemaError(
            "It is not known which record of the release was which of the original: a release is written in an order "
            "of its own. Name a column that both have (--key), give the plan that makes the release instead of its "
            "file (--plan), or say that both tables have their records in the same order (--by-position)."
        )


def joined_values(
    original: Table,
    released: Table,
    names: Sequence[str],
    *,
    key: str | None,
    marks: Sequence[str],
    subject: str | None = None,
    numbered: bool = False,
) -> Table:
    """Every original record beside its released one, values as they are: o1, o2, ..., r1, r2, ... and kept.

    `numbered` says that the key numbers the records of the original in their order, from 1 on: it is `row` then.

    A record is not kept where the release lacks its key, or has nothing but suppression marks for it. A column that the
    release lacks is empty there. With a subject of the original, `person` says whose record it is.
    """
    source, present = _sources(original, released, key, numbered=numbered)
    known = released.kinds
    columns = [f"a.{quoted(name)} AS o{i}" for i, name in enumerate(names, 1)]
    columns += [f"{f'b.{quoted(name)}' if name in known else 'CAST(NULL AS VARCHAR)'} AS r{i}"
                for i, name in enumerate(names, 1)]  # fmt: skip
    columns += [f"a.{quoted(subject)} AS person"] if subject is not None else []
    columns += [f"a.{quoted(key)} AS row"] if key is not None and numbered else []
    texts = [f"CAST(b.{quoted(name)} AS VARCHAR)" for name in names if name in known]
    marked = listed(map(literal, marks)) or "''"
    unmarked = " OR ".join(f"({text} IS NOT NULL AND {text} NOT IN ({marked}))" for text in texts) or "FALSE"
    return original.engine.view(f"SELECT {listed(columns)}, ({present} AND ({unmarked})) AS kept FROM {source}")


def released_as(original: Table, released: Table, condition: str, columns: Sequence[str], *, key: str | None) -> Table:
    """The released records that look, on some columns, like those of whom a condition is true in the original.

    The condition is SQL over `record`. A release may say the same in other words, or in coarser ones: then more records
    look so. Where it has none of the columns, all do.
    """
    there = [quoted(name) for name in columns if name in released.columns]
    if not there:
        return released
    held = unused("held", original.columns.__contains__)
    marked = original.engine.view(f"SELECT record.*, ({condition}) AS {quoted(held)} FROM {original} AS record")
    source, present = _sources(marked, released, key)
    looks = original.engine.view(
        f"SELECT DISTINCT {listed(f'b.{name} AS {name}' for name in there)} FROM {source} "
        f"WHERE {present} AND a.{quoted(held)}"
    )
    alike = " AND ".join(f"look.{name} IS NOT DISTINCT FROM record.{name}" for name in there)
    return released.engine.view(f"SELECT record.* FROM {released} AS record JOIN {looks} AS look ON {alike}")


def joined_texts(
    original: Table, released: Table, names: Sequence[str], *, target: str | None, key: str | None
) -> Table:
    """Every original record beside its released one, as texts: o1, o2, ..., r1, r2, ..., present, and the target.

    By position, or by a key that both tables have; a record whose key the release lacks was suppressed.
    """
    return _as_texts(original, released, names, target, _Pairs.of(original, released, names, target, key))


def counted_texts(
    original: Table,
    released: Table,
    names: Sequence[str],
    *,
    target: str | None,
    key: str | None,
    records: int,
    numbered: bool = False,
    weight: str | None = None,
    whole: WholeRows | None = None,
) -> Table:
    """The same, counted: a row for each different pair, and n, how many records it has. Texts may be short ones.

    `numbered` as in `joined_values`; `weight` is a column of the original that says for how many records a row stands;
    `whole` are the rows of the release from before records were left out, where they are still there.
    It may be held by another engine (`Engine.near`).
    """
    engine, many = original.engine, records >= MANY or weight is not None
    in_place = whole if many else None
    pairs = _Pairs.of(original, released, names, target, key, numbered=numbered, whole=in_place)
    counted = pairs.counted(engine, weight) if many else pairs
    texts = _counted(original, released, names, target, counted)
    if counted.held is not None:
        engine.drop(counted.held)
    return texts


def texts_in_pieces(
    original: Table, released: Table, names: Sequence[str], *, target: str | None, key: str, records: int
) -> Table:
    """The same where all pairs are more than the engine can hold at once.

    Each record has a row: to join all of them, and to group them by all that they hold, takes several times the room of
    the pairs. They are joined some at a time, by their numbers (`key`).
    """
    engine, x, selects = original.engine, quoted(key), []
    pairs = _Pairs.of(original, released, names, target, key, numbered=True)
    most = max((engine.memory or 0) // (PIECES * bytes_of_pairs(1, len(names))), 1)
    for start in range(1, records + 1, most):
        own, others = (f"(SELECT * FROM {table} WHERE {x} BETWEEN {start} AND {start + most - 1})"
                       for table in (original, released))  # fmt: skip
        some = replace(pairs, source=f"{own} AS a LEFT JOIN {others} AS b ON a.{x} = b.{x}")
        texts = _as_texts(original, released, names, target, some)
        selects.append(f"SELECT *, CAST(1 AS BIGINT) AS n FROM {texts}")
    return engine.gathered(selects)


def bytes_of_pairs(records: int, columns: int) -> int:
    """About what the pairs take where each record has a row."""
    return records * CELL * 2 * columns


def carried_texts(original: Table, released: Table, names: Sequence[str], originals: Mapping[str, str]) -> Table:
    """The same of released records that took along what they were, in columns of other names.

    There is no join, and without it no record that was suppressed.
    """
    mine = {name: f"b.{quoted(originals[name])}" for name in names}
    its = {name: f"b.{quoted(name)}" for name in names if name in released.kinds}
    return _counted(original, released, names, None, _Pairs(f"{released} AS b", mine, its, "TRUE"))


def original_texts(original: Table, names: Sequence[str]) -> str:
    """The records of the original as texts, a SELECT: o1, o2, ..."""
    kinds = original.kinds
    texts = (f"{_text(f'a.{quoted(name)}', kinds[name])} AS o{i}" for i, name in enumerate(names, 1))
    return f"SELECT {listed(texts)} FROM {original} AS a"


def _counted(original: Table, released: Table, names: Sequence[str], target: str | None, pairs: _Pairs) -> Table:
    paired = _as_texts(original, released, names, target, pairs)
    keys = [f"{side}{i}" for side in "or" for i in range(1, len(names) + 1)] + ["present"] + ["target"] * bool(target)
    n = "count(*)" if pairs.held is None else "CAST(sum(n) AS BIGINT)"
    return original.engine.near(f"SELECT {listed(keys)}, {n} AS n FROM {paired} GROUP BY {listed(keys)}")


def _sources(original: Table, released: Table, key: str | None, *, numbered: bool = False) -> tuple[str, str]:
    """Both tables as a FROM clause (a and b), and whether the release has the record."""
    return _by_key(original, released, key, numbered=numbered) if key else _by_position(original, released)


def _by_position(original: Table, released: Table) -> tuple[str, str]:
    """The first record with the first, the second with the second; both tables must have as many."""
    before, after = original.count(), released.count()
    if before != after:
        raise SchemaError(
            f"The original has {before} records and the release {after}, so they cannot be paired by position. "
            f"Name a column that says which is which: --key."
        )
    return original.engine.side_by_side(original, released), "TRUE"


def _by_key(original: Table, released: Table, key: str, *, numbered: bool = False) -> tuple[str, str]:
    for table in (original, released):
        if key not in table.kinds:
            raise UnknownColumn(key, table.kinds)
    # Whole numbers are the same where their texts are, and are compared in a fraction of the time.
    whole = original.kinds[key] is released.kinds[key] is Kind.INTEGER
    engine, mine, its = original.engine, _key("a", key, whole=whole), _key("b", key, whole=whole)
    if numbered and whole:  # no number but 1 to that of the last record, and numbers given one by one are a key
        strange = _check_numbers(released, key, original.count())
    else:
        for table, which in ((original, "original"), (released, "release")):
            if not (numbered and table is original):
                _check_key(table, key, which)
        unknown = f"FROM {released} AS b LEFT JOIN {original} AS a ON {mine} = {its} WHERE {mine} IS NULL"
        strange = engine.fetch(f"SELECT count(*) {unknown}")[0][0]
    if strange:
        raise SchemaError(
            f"Column {key!r}: {strange} record{'s' * (strange != 1)} of the release have a key that the original "
            f"lacks. Compare the release with the table that it was made from."
        )
    return f"{original} AS a LEFT JOIN {released} AS b ON {mine} = {its}", f"{its} IS NOT NULL"


def _key(table: str, key: str, *, whole: bool) -> str:
    return f"{table}.{quoted(key)}" if whole else f"CAST({table}.{quoted(key)} AS VARCHAR)"


def _check_numbers(released: Table, key: str, most: int) -> int:
    """How many released records have a number that no record of the original has, where each has one of its own."""
    x, engine = f"record.{quoted(key)}", released.engine
    outside = f"count(CASE WHEN {x} < 1 OR {x} > {most} THEN 1 END)"
    rows, known, different, strange = engine.fetch(
        f"SELECT count(*), count({x}), {engine.different_numbers(x, most)}, {outside} FROM {released} AS record"
    )[0]
    if known < rows or different + strange < known:
        _check_key(released, key, "release")  # says what is wrong
    return int(strange)


def _check_key(table: Table, key: str, which: str) -> None:
    """Whether a column has a value of its own for every record."""
    x = _key("record", key, whole=table.kinds[key] is Kind.INTEGER)
    counts = f"count(*), count({x}), count(DISTINCT {x})"
    rows, known, different = table.engine.fetch(f"SELECT {counts} FROM {table} AS record")[0]
    if known < rows or different < known:
        problem = (
            f"{rows - known} records without one"
            if known < rows
            else f"{known - different} record{'s' * (known - different != 1)} too many with a key that occurs before"
        )
        raise SchemaError(f"Column {key!r} of the {which} is no key of its records: {problem}. Name another one.")


@dataclass(frozen=True)
class _Pairs:
    """Records side by side: a FROM clause, SQL for the columns of both, and whether the release has the record."""

    source: str
    mine: Mapping[str, str]
    its: Mapping[str, str]
    present: str
    held: Table | None = None  # of different pairs, with n
    beyond: bool = False  # whether records that were left out have a row as well, whose cells count as missing

    @classmethod
    def of(
        cls,
        original: Table,
        released: Table,
        names: Sequence[str],
        target: str | None,
        key: str | None,
        *,
        numbered: bool = False,
        whole: WholeRows | None = None,
    ) -> _Pairs:
        beside = whole.beside(original) if whole is not None else None
        in_place = (beside, STILL_THERE) if beside is not None else None
        source, present = in_place or _sources(original, released, key, numbered=numbered)
        read, known = (*names, *([target] if target is not None else [])), released.kinds
        mine = {name: f"a.{quoted(name)}" for name in read}
        its = {name: f"b.{quoted(name)}" for name in names if name in known}
        return cls(source, mine, its, present, beyond=beside is not None)

    def counted(self, engine: Engine, weight: str | None = None) -> _Pairs:
        """The different pairs of values as they are held, counted."""
        mine = {name: f"a{i}" for i, name in enumerate(self.mine)}
        its = {name: f"b{i}" for i, name in enumerate(self.its)}
        cells = [f"{self.mine[name]} AS {cell}" for name, cell in mine.items()]
        cells += [f"{self.its[name]} AS {cell}" for name, cell in its.items()]
        cells += [f"{self.present} AS there", f"{f'a.{quoted(weight)}' if weight else '1'} AS weight"]
        pairs = engine.view(f"SELECT {listed(cells)} FROM {self.source}")
        keys = listed([*mine.values(), *its.values(), "there"])
        n = "CAST(sum(weight) AS BIGINT)" if weight else "count(*)"
        held = engine.query(f"SELECT {keys}, {n} AS n FROM {pairs} GROUP BY {keys}")
        if self.beyond:
            its = {name: f"(CASE WHEN there THEN {cell} END)" for name, cell in its.items()}
        return _Pairs(f"{held} AS pair", mine, its, "there", held)


def _as_texts(original: Table, released: Table, names: Sequence[str], target: str | None, pairs: _Pairs) -> Table:
    """o1, o2, ... and r1, r2, ... as texts, present, and the target of the original; n where pairs are counted."""
    engine, kinds, others = original.engine, original.kinds, released.kinds
    columns = [f"{_text(pairs.mine[name], kinds[name])} AS o{i}" for i, name in enumerate(names, 1)]
    for i, name in enumerate(names, 1):
        columns += _released(pairs.its[name], kinds[name], others[name], i) if name in others else [
            f"CAST(NULL AS VARCHAR) AS r{i}"
        ]  # fmt: skip
    if target is not None:
        columns.append(f"{_text(pairs.mine[target], kinds[target])} AS target")
    columns += ["n"] if pairs.held is not None else []
    paired = engine.view(f"SELECT {listed(columns)}, {pairs.present} AS present FROM {pairs.source}")
    numbers = [i for i, name in enumerate(names, 1) if f"d{i}" in paired.kinds]
    if not numbers:
        return paired
    kept = [name for name in paired.kinds if name[0] != "d" and not (name[0] == "r" and int(name[1:]) in numbers)]
    return engine.view(
        f"SELECT {listed(kept)}, {listed(f'{_number(i, kinds[names[i - 1]])} AS r{i}' for i in numbers)} FROM {paired}"
    )


def _text(column: str, kind: Kind) -> str:
    return column if kind is Kind.TEXT else f"CAST({one_value(column, kind)} AS VARCHAR)"


def _released(column: str, kind: Kind, released: Kind, i: int) -> list[str]:
    """A released column as text; where numbers are written otherwise than in the original, with what they are."""
    if not kind.numeric or released is kind is Kind.INTEGER:
        return [f"{_text(column, released)} AS r{i}"]
    number = column if released.numeric else f"TRY_CAST({column} AS DOUBLE)"
    return [f"{_text(column, released)} AS r{i}", f"CAST({number} AS DOUBLE) AS d{i}"]


def _number(i: int, kind: Kind) -> str:
    """A released number as the original would write it: 37 and not 37.0 where the original has whole numbers."""
    if kind is Kind.REAL:
        return f"coalesce(CAST({one_value(f'd{i}', Kind.REAL)} AS VARCHAR), r{i})"
    whole = f"d{i} = round(d{i}) AND abs(d{i}) < {LARGEST}"
    return f"CASE WHEN {whole} THEN CAST(CAST(d{i} AS BIGINT) AS VARCHAR) ELSE r{i} END"
