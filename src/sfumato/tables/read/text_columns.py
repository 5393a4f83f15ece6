"""What a column of text turns out to be: numbers or dates only if every value says so and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.errors import EngineError
from sfumato.tables.engine import Engine, Kind, Table, listed, literal, quoted, unused
from sfumato.tables.read.column_parts import WIDE, in_few_blocks, parts, side_by_side
from sfumato.tables.read.columns import accepted, check_known, missing_note, wished, without_tokens
from sfumato.tables.read.notation import (
    DATES,
    DECIMAL,
    DECIMAL_COMMA,
    LOSSES,
    NUMBERS,
    NUMERAL,
    SHORT_WHOLE,
    WHOLE,
    WHOLE_GROUPED,
    Notation,
)
from sfumato.tables.read.text_decision import Decision, Tally, decided_by_person, decimal_sign, decision_of
from sfumato.tables.source import MISSING_TOKENS, Column, Extract, NumberedRows, ReadOptions

SAMPLE = 2000  # rows: a notation that fails in the first need not be tried on the rest. Chosen, not measured
AT_ONCE = 200  # expressions of one statement: a regular expression may take 8 MB, and thousands at once gigabytes
# How DuckDB says that `error` was met; and that a file is malformed, which the scans that follow will meet again.
STOPPED = "InvalidInputException"


@dataclass(frozen=True)
class _Texts:
    """Columns of text, the texts of each that mean "no value", and what a person says of them."""

    engine: Engine
    table: Table
    tokens: Mapping[str, tuple[str, ...]]
    options: ReadOptions
    decimal: str | None
    rows: int  # at most


@dataclass(frozen=True)
class _Settled:
    """A table with kinds, the decisions by which it was read, and what they were taken by."""

    table: Table
    decisions: Mapping[str, Decision]
    tallies: Mapping[str, Tally]
    notes: tuple[str, ...]
    held: NumberedRows | None = None


def settle(name: str, text: Table, options: ReadOptions, *, decimal: str | None = None, rows: int = 0) -> Extract:
    """Read a table whose columns are all text: the extract of that name has kinds, and a decision on each column.

    `decimal` is the decimal sign, a point or a comma; None lets the values say it. `rows` are as many as there may be,
    where that is known. The text is scanned once where all rows are written as the first ones are; else once to decide
    and once to build the table. It is held once.
    """
    names = text.columns
    check_known((*wished(options), *filter(None, options.also_missing)), names)
    tokens = {name: options.tokens(name, MISSING_TOKENS) for name in names}
    texts = _Texts(text.engine, text, tokens, options, decimal, rows if options.counted else 0)
    if len(names) > WIDE:
        settled = _in_two_scans(texts, {})
    else:
        first = _first_tallies(texts)
        settled = _in_one_scan(texts, first) or _in_two_scans(texts, first)
    columns = tuple(_column(name, settled.decisions[name], settled.tallies[name]) for name in names)
    notes = (*settled.notes, *missing_note(columns, options))
    return Extract(name, settled.table, columns, notes, held=settled.held)


def _in_two_scans(texts: _Texts, first: Mapping[str, Tally]) -> _Settled:
    """Every column as all of its rows say: one scan to decide, one to build the table."""
    engine, text, names = texts.engine, texts.table, tuple(texts.tokens)
    held = text
    if len(names) > WIDE:
        with in_few_blocks(engine, names):
            held = engine.query(f"SELECT * FROM {text}")
    tallies: dict[str, Tally] = {}
    for part in parts(names):
        some = replace(texts, table=held, tokens={name: texts.tokens[name] for name in part})
        tallies |= _tallies(some, first or _first_tallies(some))
    sign, notes = _sign(texts, tallies)
    decisions = _decisions(tallies, texts.options, sign)
    # Where no value lacks, none was taken for missing: the text is read as it is.
    barred = {name: texts.tokens[name] if tally.values < tally.rows else () for name, tally in tallies.items()}
    read = [engine.query(_as_decided(_clean(held, part, barred), part, decisions)) for part in parts(names)]
    if held is not text:
        engine.drop(held)  # before the parts are put together, which holds them twice
    with in_few_blocks(engine, names):
        return _Settled(side_by_side(engine, read), decisions, tallies, notes)


@dataclass(frozen=True)
class _Suggestion:
    """What the first rows of a column suggest: how to read it, and what must hold of each value then.

    A column that is read as text has no notation, and notations to count once it is held.
    """

    notation: Notation | None = None
    fits: tuple[Notation, ...] = ()
    counted: tuple[Notation, ...] = ()

    @property
    def checks(self) -> tuple[Notation, ...]:
        """The notations to look at; a short whole number is written alike in all of those for numbers."""
        return (SHORT_WHOLE,) if WHOLE in self.fits and len(self.fits) > 1 else self.fits

    def read(self, x: str, tokens: tuple[str, ...]) -> str:
        """SQL: the value of a text; where it is written otherwise, the statement ends."""
        clean = without_tokens(x, tokens)
        if self.notation is None:
            return clean
        whens = [
            f"WHEN {' AND '.join(f'({check.fits(x)})' for check in self.checks)} THEN {self.notation.read(x)}",
            f"WHEN {clean} IS NULL THEN NULL",
        ]
        # The usual texts for "no value" are neither numbers nor dates; one that a person names may be.
        whens = whens if set(tokens) <= set(MISSING_TOKENS) else whens[::-1]
        return f"CASE {' '.join(whens)} ELSE error({literal('written otherwise')}) END"


def _in_one_scan(texts: _Texts, first: Mapping[str, Tally]) -> _Settled | None:
    """Every column as its first rows suggest, where all rows agree; None where only two scans can tell.

    What fits all rows fits the first, so that nothing is possible which these bar. Whether what they suggest fits all
    is checked value by value while the table is built. So the decisions are those of two scans, or none is taken.
    """
    if any(tally.rows < SAMPLE for tally in first.values()):
        return None  # the first rows are all rows: what they say is known, and only the table is to build
    sign, _ = _sign(texts, first)
    suggested = {name: _suggestion(name, texts, first.get(name), sign) for name in texts.tokens}
    if sum(len(column.checks) for column in suggested.values()) > AT_ONCE:
        return None
    try:
        table, held = _scanned(texts, suggested)
    except EngineError as error:
        if error.kind != STOPPED:
            raise
        return None
    parts = _in_parts({name: column.counted for name, column in suggested.items()})
    rows = f"SELECT * FROM {held.short.table if held else table}"
    counted = {n: tally for part in parts for n, tally in _tally(texts.engine, rows, part).items()}
    tallies = {
        n: Tally(t.rows, t.values, {**t.fits, **dict.fromkeys(suggested[n].fits, t.values)}) for n, t in counted.items()
    }
    now, notes = _sign(texts, tallies)
    decisions = _decisions(tallies, texts.options, now)
    if now == sign and all(decisions[name].notation == column.notation for name, column in suggested.items()):
        return _Settled(table, decisions, tallies, notes, held)
    # A column without values in the first rows, or with dates that could be swapped there.
    texts.engine.drop(held.short.table if held else table)
    return None


def _scanned(texts: _Texts, suggested: Mapping[str, _Suggestion]) -> tuple[Table, NumberedRows | None]:
    """The table as it is suggested; its rows are held with short texts where they are many, and to be counted."""
    read = {name: column.read(quoted(name), texts.tokens[name]) for name, column in suggested.items()}
    plain = [name for name, column in suggested.items() if column.notation is None]
    row = unused("row", read.__contains__)
    short = texts.engine.short_scan(texts.table, read, plain, number=row, rows=texts.rows)
    if short is None:
        items = listed(f"{sql} AS {quoted(name)}" for name, sql in read.items())
        return texts.engine.query(f"SELECT {items} FROM {texts.table}"), None
    table = texts.engine.view(f"SELECT {quoted(*read)} FROM {short.spelt()}")
    return table, NumberedRows(table, short, row)


def _suggestion(name: str, texts: _Texts, first: Tally | None, sign: str) -> _Suggestion:
    """What the first rows say of a column; of one that a person decided about, what is tried first."""
    if first is None:
        said = next(iter(accepted(name, wished(texts.options)[name], texts.options, sign)), None)
        return _Suggestion(said, (said,) if said else ())
    notation = decision_of(first, sign).notation
    if notation is None:
        return _Suggestion(counted=_still_possible(first))
    # The decimal sign is told by all notations that fit: none of them may fail later.
    others = NUMBERS if texts.decimal is None else ()
    return _Suggestion(notation, (notation, *(n for n in others if n != notation and first.all_fit(n))))


def _sign(texts: _Texts, tallies: Mapping[str, Tally]) -> tuple[str, tuple[str, ...]]:
    return (texts.decimal, ()) if texts.decimal else decimal_sign(tallies.values())


def _decisions(tallies: Mapping[str, Tally], options: ReadOptions, sign: str) -> dict[str, Decision]:
    decided = wished(options)
    return {
        name: decided_by_person(name, tally, decided[name], options, sign)
        if name in decided
        else decision_of(tally, sign)
        for name, tally in tallies.items()
    }


def _clean(text: Table, names: Sequence[str], tokens: Mapping[str, Sequence[str]]) -> str:
    """SQL: some columns of a text, missing where a text says so."""
    clean = listed(f"{without_tokens(quoted(name), tokens[name])} AS {quoted(name)}" for name in names)
    return f"SELECT {clean} FROM {text}"


def _as_decided(clean: str, names: Sequence[str], decisions: Mapping[str, Decision]) -> str:
    """SQL: some columns as what they turned out to be."""
    reads = listed(f"{_read(quoted(name), decisions[name])} AS {quoted(name)}" for name in names)
    return f"SELECT {reads} FROM ({clean}) AS cleaned"


def _read(x: str, decision: Decision) -> str:
    return decision.notation.read(x) if decision.notation else x


def _column(name: str, decision: Decision, tally: Tally) -> Column:
    return Column(name, decision.kind, decision.why, tally.rows - tally.values)


def _first_tallies(texts: _Texts) -> dict[str, Tally]:
    """The tally of the first rows of each column that nobody decided about, of all notations."""
    tokens, decided = texts.tokens, wished(texts.options)
    first: dict[str, Tally] = {}
    for barred in dict.fromkeys(tokens.values()):  # nearly always the same for all
        alike = tuple(name for name in tokens if name not in decided and tokens[name] == barred)
        first |= _first_tally(texts.engine, texts.table, alike, barred, (*_possible(texts.decimal), *LOSSES))
    return first


def _tallies(texts: _Texts, first: Mapping[str, Tally]) -> dict[str, Tally]:
    """The tally of each column over all rows, of those notations that its first rows leave possible."""
    names, clean = tuple(texts.tokens), _clean(texts.table, tuple(texts.tokens), texts.tokens)
    decided = {name: kind for name, kind in wished(texts.options).items() if name in texts.tokens}
    tried = {name: _still_possible(tally) for name, tally in first.items()}
    tried |= {name: _accepted(name, kind, texts.options, texts.decimal) for name, kind in decided.items()}
    whole = {name: tally for name, tally in first.items() if tally.rows < SAMPLE}  # the first rows are all rows
    rest = _in_parts({name: tried[name] for name in names if name not in whole})
    counted = {name: tally for part in rest for name, tally in _tally(texts.engine, clean, part).items()}
    return whole | counted


def _in_parts(tried: Mapping[str, tuple[Notation, ...]]) -> Iterator[dict[str, tuple[Notation, ...]]]:
    """Columns and what is tried on them, as many together as one statement may hold."""
    part: dict[str, tuple[Notation, ...]] = {}
    for name, notations in tried.items():
        if part and sum(1 + len(others) for others in part.values()) + len(notations) >= AT_ONCE:
            yield part
            part = {}
        part[name] = notations
    if part:
        yield part


def _possible(decimal: str | None) -> tuple[Notation, ...]:
    barred = {".": (WHOLE_GROUPED, DECIMAL_COMMA), ",": (WHOLE, DECIMAL)}.get(decimal or "", ())
    return tuple(notation for notation in (*NUMBERS, *DATES) if notation not in barred)


def _accepted(name: str, kind: Kind, options: ReadOptions, decimal: str | None) -> tuple[Notation, ...]:
    signs = (decimal,) if decimal else (".", ",")
    return tuple(dict.fromkeys(notation for sign in signs for notation in accepted(name, kind, options, sign)))


def _still_possible(tally: Tally) -> tuple[Notation, ...]:
    if tally.values == 0:
        return tuple(tally.fits)
    whole = [notation for notation in tally.fits if tally.all_fit(notation)]
    lost = [notation for notation in LOSSES if tally.fits[notation]]
    numbers = max(tally.fits.get(notation, 0) for notation in NUMBERS)
    return (*whole, *lost) if numbers + sum(tally.fits[loss] for loss in lost) >= tally.values else (*whole,)


def _first_tally(
    engine: Engine, text: Table, names: tuple[str, ...], tokens: tuple[str, ...], tried: tuple[Notation, ...]
) -> dict[str, Tally]:
    """The tally of the first rows, where all notations are tried on all columns whose first look leaves them open.

    A statement of all notations takes ten milliseconds before it sees a row. So it is asked first what settles most
    columns: a text without digits and plus signs fits no notation, and a short whole number those for numbers alone.
    """
    looked = _stacked_tally(engine, text, names, tokens, (NUMERAL, SHORT_WHOLE))
    tallies: dict[str, Tally] = {}
    for name, look in looked.items():
        if not look.fits[NUMERAL] or look.all_fit(SHORT_WHOLE):
            fits = {notation: look.values if look.fits[NUMERAL] and notation in NUMBERS else 0 for notation in tried}
            tallies[name] = Tally(look.rows, look.values, fits)
    tallies |= _stacked_tally(engine, text, tuple(name for name in names if name not in tallies), tokens, tried)
    return {name: tallies[name] for name in names}


def _stacked_tally(
    engine: Engine, text: Table, names: tuple[str, ...], tokens: tuple[str, ...], tried: tuple[Notation, ...]
) -> dict[str, Tally]:
    """The tally of the first rows, of columns that are stacked: thousands of regular expressions take gigabytes."""
    if not names:
        return {}
    fits = [f"count(*) FILTER (WHERE {notation.fits('x')})" for notation in tried]
    first = f"SELECT {quoted(*names)} FROM {text} LIMIT {SAMPLE}"
    stacked = f"SELECT unnest(range({len(names)})) AS i, unnest([{quoted(*names)}]) AS x FROM ({first}) AS first"
    cleaned = f"SELECT i, {without_tokens('x', tokens)} AS x FROM ({stacked}) AS stacked"
    counted = engine.fetch(f"SELECT i, {listed(['count(*)', 'count(x)', *fits])} FROM ({cleaned}) AS s GROUP BY i")
    tallies = {names[i]: Tally(rows, n, dict(zip(tried, counts, strict=True))) for i, rows, n, *counts in counted}
    return {name: tallies.get(name, Tally(0, 0, dict.fromkeys(tried, 0))) for name in names}


def _tally(engine: Engine, sql: str, tried: Mapping[str, tuple[Notation, ...]]) -> dict[str, Tally]:
    if not tried:
        return {}
    items = ["count(*)"]
    for name, notations in tried.items():
        items.append(f"count({quoted(name)})")
        written = f"CAST({quoted(name)} AS VARCHAR)"  # which is short where rows are held so
        items += [f"count(*) FILTER (WHERE {notation.fits(written)})" for notation in notations]
    rows, *counts = engine.fetch(f"SELECT {listed(items)} FROM ({sql}) AS cleaned")[0]
    numbers = iter(counts)
    return {name: Tally(rows, next(numbers), {n: next(numbers) for n in tried[name]}) for name in tried}
