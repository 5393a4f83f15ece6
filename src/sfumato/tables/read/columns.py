"""Columns as a source gives them: their names, their missing values, and the kinds that a person decides."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import isfinite

from sfumato.errors import UnknownColumn, WrongScale, shown
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, quoted
from sfumato.tables.read.date_format import DateFormat
from sfumato.tables.read.notation import DECIDED, GROUPED, Notation
from sfumato.tables.source import MISSING_TOKENS, Column, ReadOptions

ALIKE = 10  # names of columns that a note lists


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
    given: Counter[str] = Counter()  # the last number of each name, so that a thousand alike are no million tries
    result = []
    for name in named:
        result.append(name if times[name.casefold()] == 1 else _numbered(name, taken, given))
        taken.add(result[-1].casefold())
    return tuple(result), _renamed(named, result, times)


def _numbered(name: str, taken: Collection[str], given: Counter[str]) -> str:
    while True:
        given[name.casefold()] += 1
        numbered = f"{name} ({given[name.casefold()]})"
        if numbered.casefold() not in taken:
            return numbered


def _renamed(named: Sequence[str], result: Sequence[str], times: Mapping[str, int]) -> tuple[str, ...]:
    notes = []
    for folded in (folded for folded, number in times.items() if number > 1):
        alike = [(old, new) for old, new in zip(named, result, strict=True) if old.casefold() == folded]
        capitals = " when capitals are ignored" if len({old for old, _ in alike}) > 1 else ""
        *others, last = [shown(new) for _, new in alike]
        listed_names = ", ".join([*others[:ALIKE], *(["..."] if len(others) > ALIKE else [])])
        read = f"they are read as {listed_names} and {last}"
        notes.append(f"There are {len(alike)} columns called {shown(alike[0][0])}{capitals}; {read}.")
    return tuple(notes)


def check_known(columns: Iterable[str], available: Sequence[str]) -> None:
    """Every named column is in the table; `UnknownColumn` when one is not."""
    for column in columns:
        if column not in available:
            raise UnknownColumn(column, available)


BLANKS = " \t\r\n\u00a0"
LOOKED_FOR = 8  # texts that mean "no value" and are looked for as such; usual are five, one of them empty. Chosen


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
    """SQL: whether a text is empty, or begins with a blank or with a token: to trim every value takes long.

    Blanks come before the exclamation mark, but for the one that does not break. Where a text stands in the order of
    texts is seen at its first bytes, and takes a third of the time that its first letter takes. Of many tokens only the
    first letters are looked at: many comparisons take long too.
    """
    named = {token for token in tokens if token}
    first = sorted({*(named if len(named) <= LOOKED_FOR else {token[0] for token in named}), BLANKS[-1]})
    return " OR ".join([f"{x} < '!'", *(_begins(x, beginning) for beginning in first)])


def _begins(x: str, beginning: str) -> str:
    """SQL: whether a text begins so: it is not before that, and before the next such beginning in Unicode.

    >>> _begins("x", "NA")
    "(x >= 'NA' AND x < 'NB')"
    """
    following = ord(beginning[-1]) + 1
    following = 0xE000 if following == 0xD800 else following  # half of a pair is no letter
    before = f" AND {x} < {literal(beginning[:-1] + chr(following))}" if following <= sys.maxunicode else ""
    return f"({x} >= {literal(beginning)}{before})"


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


def wished(options: ReadOptions) -> dict[str, Kind]:
    """The kind that a person decided, by column: a type, or a format of dates."""
    formats = {column: DateFormat.of(form).kind for column, form in options.date_formats.items()}
    for column, kind in formats.items():
        if options.kinds.get(column, kind) is not kind:
            words = f"Column {column!r}: its format says {kind}, and its type {options.kinds[column]}. Say one of them."
            raise WrongScale(words, column=column)
    return {**options.kinds, **formats}


def accepted(column: str, kind: Kind, options: ReadOptions, sign: str) -> tuple[Notation, ...]:
    """The notations in which values of a kind that a person decided may be written.

    Commas between groups of three digits are read over only where the person said that the point is the decimal sign.
    """
    if column in options.date_formats:
        return (DateFormat.of(options.date_formats[column]).notation,)
    grouped = GROUPED.get(kind, ()) if options.decimal == "." else ()
    return (*DECIDED.get((kind, sign), ()), *grouped)


def said_by(notation: Notation) -> str:
    """Why a column is what a person decided, with how it is written where there are several ways."""
    return f"decided by a person, read as {notation.name}" if notation.told else "decided by a person"


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
    decided = wished(options)
    check_known((*decided, *filter(None, options.also_missing)), names)
    kinds = dict(zip(names, table.kinds.values(), strict=True))
    clean = {
        name: _clean(quoted(column), kinds[name], options.tokens(name), nan=i in floating)
        for i, (name, column) in enumerate(zip(names, table.columns, strict=True))
    }
    chosen = {name: kind for name, kind in decided.items() if kinds[name] is not kind}
    notations = {name: _notation(table, name, clean[name], options, kind) for name, kind in chosen.items()}
    read = clean | {name: _converted(clean[name], notation) for name, notation in notations.items()}
    if list(read.values()) != [quoted(name) for name in names]:
        table = engine.view(f"SELECT {listed(f'{x} AS {quoted(name)}' for name, x in read.items())} FROM {table}")
    known = {} if missing is None or options.missing or options.also_missing else missing
    scanned = [name for i, name in enumerate(names) if not known or i in floating]
    counts = {**known, **(_missing(engine, table, scanned) if scanned else {})}
    kinds |= chosen
    return table, tuple(
        Column(name, kinds[name], _why(kinds[name], notations.get(name), decided=name in decided), counts.get(name, 0))
        for name in names
    )


def _clean(x: str, kind: Kind, tokens: Sequence[str], *, nan: bool) -> str:
    if kind is Kind.REAL and not nan and not tokens:
        return x
    return without_tokens(x, tokens, kind)


def _notation(table: Table, name: str, x: str, options: ReadOptions, kind: Kind) -> Notation | None:
    """How a column of the kind that a person decided is written; `WrongScale` when a value does not fit."""
    if kind is Kind.TEXT:
        return None
    notations = accepted(name, kind, options, options.decimal or ".")
    text = f"CAST({x} AS VARCHAR)"
    fits = [f"count(*) FILTER (WHERE {notation.fits(text)})" for notation in notations]
    values, *counts = table.engine.fetch(f"SELECT {listed([f'count({x})', *fits])} FROM {table}")[0]
    for notation, fitting in zip(notations, counts, strict=True):
        if fitting == values:
            return notation
    raise does_not_fit(name, kind, values - max(counts, default=0))


def _converted(x: str, notation: Notation | None) -> str:
    """SQL: the column as what a person decided."""
    text = f"CAST({x} AS VARCHAR)"
    return notation.read(text) if notation else text


def _missing(engine: Engine, table: Table, names: Sequence[str]) -> dict[str, int]:
    counts = [f"count({quoted(name)})" for name in names]
    rows, *values = engine.fetch(f"SELECT {listed(['count(*)', *counts])} FROM {table}")[0]
    engine.known_rows(table, int(rows))
    return {name: rows - present for name, present in zip(names, values, strict=True)}


def _why(kind: Kind, notation: Notation | None, *, decided: bool) -> str:
    if not decided:
        return f"the source says that it is {kind}"
    return said_by(notation) if notation else "decided by a person"


def missing_note(columns: Iterable[Column], options: ReadOptions) -> tuple[str, ...]:
    """How many values were taken for missing, and by which texts."""
    lacking = [column.missing for column in columns if column.missing]
    if not lacking:
        return ()
    said = ", ".join(token or "empty" for token in options.tokens("", MISSING_TOKENS))
    said += "".join(f"; in {column}: {', '.join(more)}" for column, more in options.also_missing.items() if column)
    values, where = "1 value" if sum(lacking) == 1 else f"{sum(lacking)} values", len(lacking)
    return (f"{values} in {where} column{'' if where == 1 else 's'} read as missing ({said}).",)
