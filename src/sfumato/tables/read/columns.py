"""Columns as a source gives them: their names, their missing values, and the kinds that a person decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isfinite

from sfumato.errors import UnknownColumn, WrongScale
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, quoted
from sfumato.tables.read.notation import DECIDED
from sfumato.tables.source import Column, ReadOptions


def distinct_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that an engine can tell apart, and what to say about those that had to change.

    Engines ignore capitals in names. All of those that coincide are numbered, so that no one of them
    is taken for the only one; a column without a name is called by its position.

    >>> distinct_names(["age", "", "Age"])[0]
    ('age (1)', 'column 2', 'Age (2)')
    """
    named = [name or f"column {i}" for i, name in enumerate(names, 1)]
    times = Counter(name.casefold() for name in named)
    taken = {name.casefold() for name in named if times[name.casefold()] == 1}
    result = []
    for name in named:
        result.append(name if times[name.casefold()] == 1 else _numbered(name, taken))
        taken.add(result[-1].casefold())
    return tuple(result), _renamed(named, result, times)


def _numbered(name: str, taken: Collection[str]) -> str:
    number = 1
    while f"{name} ({number})".casefold() in taken:
        number += 1
    return f"{name} ({number})"


def _renamed(named: Sequence[str], result: Sequence[str], times: Mapping[str, int]) -> tuple[str, ...]:
    notes = []
    for folded in (folded for folded, number in times.items() if number > 1):
        alike = [(old, new) for old, new in zip(named, result, strict=True) if old.casefold() == folded]
        capitals = " when capitals are ignored" if len({old for old, _ in alike}) > 1 else ""
        *others, last = [repr(new) for _, new in alike]
        read = f"they are read as {', '.join(others)} and {last}"
        notes.append(f"There are {len(alike)} columns called {alike[0][0]!r}{capitals}; {read}.")
    return tuple(notes)


def check_known(columns: Iterable[str], available: Sequence[str]) -> None:
    """Every named column is in the table; `UnknownColumn` when one is not."""
    for column in columns:
        if column not in available:
            raise UnknownColumn(column, available)


BLANKS = " \t\r\n\u00a0"


def without_tokens(x: str, tokens: Sequence[str], kind: Kind = Kind.TEXT) -> str:
    """SQL: the value, or null where it is one of the texts that mean "no value", or not a number."""
    if kind.numeric:
        barred = [f"isnan({x})"] if kind is Kind.REAL else []
        barred += [f"{x} = {number!r}" for number in map(as_number, tokens) if number is not None]
        return f"CASE WHEN {' OR '.join(barred)} THEN NULL ELSE {x} END" if barred else x
    if not tokens or kind not in (Kind.TEXT, Kind.DATE, Kind.TIMESTAMP):
        return x
    # Not IN (...): DuckDB makes a join of it, and a table of 400 columns would have 400 joins.
    cases = " ".join(f"WHEN {literal(token)} THEN NULL" for token in tokens)
    if kind is not Kind.TEXT:
        return f"CASE CAST({x} AS VARCHAR) {cases} ELSE {x} END"
    compared = f"CASE trim({x}, {literal(BLANKS)}) {cases} ELSE {x} END"
    return f"CASE WHEN {_may_be_token(x, tokens)} THEN {compared} ELSE {x} END"


def _may_be_token(x: str, tokens: Sequence[str]) -> str:
    """SQL: whether a text is empty, or begins with a blank or as a token does: to trim every value takes long.

    Blanks come before the exclamation mark, but for the one that does not break.
    """
    first = sorted({token[0] for token in tokens if token} | {BLANKS[-1]})
    return f"{x} < '!' OR contains({literal(''.join(first))}, left({x}, 1))"


def as_number(token: str) -> float | None:
    """The number that a text which means "no value" stands for, where it is one: 999 is missing, however it is kept.

    >>> as_number("-99"), as_number("1.50"), as_number("NA")
    (-99, 1.5, None)
    """
    try:
        number = float(token)
    except ValueError:
        return None
    if not isfinite(number):
        return None
    return int(number) if number == int(number) else number


def does_not_fit(column: str, kind: Kind, number: int) -> WrongScale:
    """The error for a column that a person called a number, a date or a truth value, and that is not."""
    values = "1 value does" if number == 1 else f"{number} values do"
    return WrongScale(
        f"Column {column!r} cannot be read as {kind}: {values} not fit. "
        "Leave the decision to Sfumato, read the column as text, or name the text that means 'missing'.",
        column=column,
    )


def typed(
    engine: Engine,
    table: Table,
    names: Sequence[str],
    options: ReadOptions,
    *,
    floating: Collection[int] = (),
    missing: Mapping[str, int] | None = None,
) -> tuple[Table, tuple[Column, ...]]:
    """A table whose columns have kinds of their own (Parquet, a frame), as a person wants it read.

    `names` are the columns' names in order; `floating` are the positions of those that may hold NaN, which
    means "no value"; `missing` are the numbers of missing values where they are known without a scan.
    """
    check_known(options.kinds, names)
    kinds = dict(zip(names, table.kinds.values(), strict=True))
    clean = {
        name: _clean(quoted(column), kinds[name], options, nan=i in floating)
        for i, (name, column) in enumerate(zip(names, table.columns, strict=True))
    }
    chosen = {name: kind for name, kind in options.kinds.items() if kinds[name] is not kind}
    read = clean | {name: _converted(table, name, clean[name], options) for name in chosen}
    if list(read.values()) != [quoted(name) for name in names]:
        table = engine.view(f"SELECT {listed(f'{x} AS {quoted(name)}' for name, x in read.items())} FROM {table}")
    known = {} if missing is None or options.missing else missing
    scanned = [name for i, name in enumerate(names) if not known or i in floating]
    counts = {**known, **(_missing(engine, table, scanned) if scanned else {})}
    kinds |= chosen
    return table, tuple(
        Column(name, kinds[name], _why(kinds[name], decided=name in options.kinds), counts.get(name, 0))
        for name in names
    )


def _clean(x: str, kind: Kind, options: ReadOptions, *, nan: bool) -> str:
    tokens = options.missing or ()
    if kind is Kind.REAL and not nan and not tokens:
        return x
    return without_tokens(x, tokens, kind)


def _converted(table: Table, name: str, x: str, options: ReadOptions) -> str:
    """SQL: the column as the kind that a person decided; `WrongScale` when a value does not fit."""
    kind, text = options.kinds[name], f"CAST({x} AS VARCHAR)"
    if kind is Kind.TEXT:
        return text
    notations = DECIDED.get((kind, options.decimal or "."), ())
    fits = [f"count(*) FILTER (WHERE {notation.fits(text)})" for notation in notations]
    values, *counts = table.engine.fetch(f"SELECT {listed([f'count({x})', *fits])} FROM {table}")[0]
    for notation, fitting in zip(notations, counts, strict=True):
        if fitting == values:
            return notation.read(text)
    raise does_not_fit(name, kind, values - max(counts, default=0))


def _missing(engine: Engine, table: Table, names: Sequence[str]) -> dict[str, int]:
    counts = [f"count({quoted(name)})" for name in names]
    rows, *values = engine.fetch(f"SELECT {listed(['count(*)', *counts])} FROM {table}")[0]
    return {name: rows - present for name, present in zip(names, values, strict=True)}


def _why(kind: Kind, *, decided: bool) -> str:
    return "decided by a person" if decided else f"the source says that it is {kind}"
