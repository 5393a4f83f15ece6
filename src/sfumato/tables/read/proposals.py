"""Proposals: what a person may want to say about how a column is read, with the option to type.

Nothing is changed by itself. The first records are looked at; what they suggest is counted in all of them. A message
may name a text that is on a list of conventions here (`?`, `-99`, `unknown`); it never holds any other value.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sfumato.tables.engine import Kind, listed, literal, quoted, unused
from sfumato.tables.read.columns import BLANKS
from sfumato.tables.read.date_format import DateFormat
from sfumato.tables.read.notation import BLANKS_AROUND, DECIDED, GROUPED, LOSSES
from sfumato.tables.source import Column, Extract, Proposal, ReadOptions

SAMPLE = 2000  # records that are looked at first
CELLS = 400_000  # at the most, of very wide tables: a few milliseconds for each hundred columns
TOGETHER = 100  # columns of one statement
LONGEST = 20  # letters of a number or a date
NOTED = 40  # proposals that are noted: a terminal shows no thousand lines

WORDS = (
    "?", "??", "-", "--", "n.a.", "n/a", "na", "n.d.", "n.k.", "nan", "null", "missing", "unknown", "unk", "not known",
    "not available", "not recorded", "#n/a", "#null!", "k.a.", "keine angabe", "unbekannt", "inconnu", "onbekend",
    "desconocido", "desconhecido", "sconosciuto", "okänd", "ukendt", "ukjent", "nieznany", "neznámý", "ismeretlen",
)  # fmt: skip
CONVENTIONS = tuple(dict.fromkeys(form for word in WORDS for form in (word, word.capitalize(), word.upper())))
# Numbers that questionnaires and registers write for "no answer", "refused" and "unknown".
CODES = (-7, -8, -9, -77, -88, -99, -777, -888, -999, -9999, 77, 88, 99, 777, 888, 999, 7777, 8888, 9999, 99999)
FAR = 3  # times the largest other value, from which a code above all others stands apart. Chosen, not measured
MOSTLY = 0.8  # the share of numbers from which the other texts of a column are looked at. Chosen, not measured
SEVERAL = 3  # columns from which one option for all is shorter than one for each

FORMS = (
    "%d-%b-%Y", "%d %b %Y", "%d%b%Y", "%d/%b/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y", "%m.%d.%Y", "%d/%m/%Y",
    "%m/%d/%Y", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d-%b-%y", "%d %b %y", "%d%b%y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y",
    "%d-%m-%y", "%m-%d-%y",
)  # fmt: skip
CLOCKS = ("", " %H:%M", " %H:%M:%S")
SHAPED = {"%Y": ("9999",), "%y": ("99",), "%m": ("99", "9"), "%d": ("99", "9"), "%b": ("aaa",), "%H": ("99", "9"),
          "%M": ("99",), "%S": ("99",)}  # fmt: skip
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NUMBER = re.compile(r"^ *'?[-+]?[.,]?9[9.,'\u2019\u00a0\u202f ]*$")


def _today() -> dt.date:
    return dt.date.today()


def with_proposals(extract: Extract, options: ReadOptions) -> Extract:
    """The extract with what may be said of its columns, and what dates of two-digit years came out as."""
    if extract.table.engine.name != "duckdb" or not extract.columns:
        return extract
    decided = {*options.kinds, *options.date_formats}
    open_columns = [column for column in extract.columns if column.name not in decided]
    proposals = (*_proposals(extract, open_columns), *_codes(extract, open_columns))
    more = len(proposals) - NOTED
    rest = (
        (f"{more} more columns may be meant otherwise: `sfumato init` writes what to say of each.",) if more > 0 else ()
    )
    noted = (proposal.note for proposal in proposals[:NOTED])
    return replace(extract, notes=(*extract.notes, *_future(extract, options), *noted, *rest), proposals=proposals)


@dataclass(frozen=True)
class _Look:
    """What the first records show of a column: how many values have each shape, and each conventional text."""

    values: int
    shapes: Mapping[str, int]
    texts: Mapping[str, int]

    @property
    def forms(self) -> list[str]:
        """The forms of dates that most shapes may be of."""
        return [form for form, shapes in _SHAPES.items() if self._share(self.shapes.keys() & shapes) >= MOSTLY]

    @property
    def numbers(self) -> bool:
        """Whether most values look like numbers."""
        return self._share(shape for shape in self.shapes if NUMBER.match(shape)) >= MOSTLY

    def _share(self, shapes: Iterable[str]) -> float:
        others = self.values - sum(self.texts.values())
        return sum(self.shapes[shape] for shape in shapes) / others if others > 0 else 0.0


def _shapes_of(form: str) -> frozenset[str]:
    shapes = [""]
    for piece in re.findall("%.|.", form):
        shapes = [shape + end for shape in shapes for end in SHAPED.get(piece, (piece,))]
    return frozenset(shapes)


_SHAPES = {form + clock: _shapes_of(form + clock) for form in FORMS for clock in CLOCKS}


def _proposals(extract: Extract, columns: Sequence[Column]) -> Iterator[Proposal]:
    texts = [column for column in columns if column.kind is Kind.TEXT]
    wholes = [column for column in columns if column.kind is Kind.INTEGER]
    conventional: dict[str, dict[str, int]] = defaultdict(dict)
    for column, look in _looks(extract, [*texts, *wholes]):
        proposal = next(_about(extract, column, look), None)
        if proposal:
            yield proposal
        elif column.kind is Kind.TEXT:
            for text in look.texts:
                conventional[text][column.name] = 0
    for text, where in conventional.items():
        counts = {name: _texts(extract, name).get(text, 0) for name in where}
        yield _conventional(text, counts)


def _looks(extract: Extract, columns: Sequence[Column]) -> Iterator[tuple[Column, _Look]]:
    """The columns whose first records show anything."""
    rows = max(50, min(SAMPLE, CELLS // max(1, len(columns))))
    for start in range(0, len(columns), TOGETHER):
        part = columns[start : start + TOGETHER]
        items = listed(f"CAST({quoted(column.name)} AS VARCHAR)" for column in part)
        stacked = (
            f"SELECT unnest(range({len(part)})) AS i, unnest([{items}]) AS x "
            f"FROM (SELECT {quoted(*(column.name for column in part))} FROM {extract.table} LIMIT {rows}) AS first"
        )
        # Each different value is looked at once: to take a text apart takes longer than to find it among others.
        different = f"SELECT i, x, count(*) AS n FROM ({stacked}) AS stacked WHERE x IS NOT NULL GROUP BY i, x"
        shape = f"translate(x, {literal('012345678' + LETTERS)}, {literal('9' * 9 + 'a' * len(LETTERS))})"
        trimmed = f"trim(x, {literal(BLANKS)})"
        conventional = f"CASE WHEN {trimmed} IN ({listed(map(literal, CONVENTIONS))}) THEN {trimmed} END"
        grouped = extract.table.engine.fetch(
            f"SELECT i, CASE WHEN length(x) <= {LONGEST} THEN {shape} END AS shape, {conventional} AS token, "
            f"CAST(sum(n) AS BIGINT) FROM ({different}) AS different GROUP BY ALL"
        )
        for i, rows_of in _by_first(grouped).items():
            values, shapes, tokens = 0, defaultdict[str, int](int), defaultdict[str, int](int)
            for written, token, number in rows_of:
                values += number
                (tokens if token is not None else shapes)[written or "" if token is None else token] += number
            look = _Look(values, shapes, tokens)
            if tokens or look.forms or look.numbers:
                yield part[i], look


def _by_first(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    grouped: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for first, *rest in rows:
        grouped[first].append(tuple(rest))
    return dict(sorted(grouped.items()))


def _about(extract: Extract, column: Column, look: _Look) -> Iterator[Proposal]:
    """What all records say of a column of which the first ones say something."""
    name, x = column.name, f"CAST({quoted(column.name)} AS VARCHAR)"
    real = column.kind is Kind.TEXT and look.numbers and not _loses(column)
    readings = {
        form: _format(form).notation.fits(x) for form in look.forms if column.kind is Kind.TEXT or form == COMPACT
    }
    if real:
        losses = f"regexp_matches({x}, {literal(LOST)}) OR length({x}) > 15"
        for key, notations in _NUMBERS.items():
            readings[key] = f"({notations[0].fits(x)}) AND NOT ({losses})"
    if not readings:
        return
    first = f"(SELECT {quoted(name)} FROM {extract.table} LIMIT {SAMPLE})"
    others = look.values - sum(look.texts.values())
    _, *early = _fitting(extract, first, name, readings)
    enough = MOSTLY * others  # what most of the first records do not fit is not tried on the rest
    readings = {key: sql for (key, sql), number in zip(readings.items(), early, strict=True) if number >= enough}
    if not readings:
        return
    texts = _texts(extract, name) if column.kind is Kind.TEXT else {}
    values, *fitting = _fitting(extract, str(extract.table), name, readings)
    rest = values - sum(texts.values())
    whole = [key for key, number in zip(readings, fitting, strict=True) if number == rest and rest]
    dates = [key for key in whole if key.startswith("%")]
    if dates and (column.kind is Kind.TEXT or _plausible(extract, name)):
        yield _dated(name, dates, texts, values)
    elif whole:
        yield _numbered(name, whole[0], texts, values)
    elif texts and real and max(fitting) >= MOSTLY * values:
        yield _nearly(name, texts, values, rest - max(fitting))


def _fitting(extract: Extract, rows: str, name: str, readings: Mapping[str, str]) -> tuple[int, ...]:
    """How many values there are, and how many each reading fits: each different value is read once."""
    x, n = quoted(name), quoted(unused("n", {name.casefold()}.__contains__))
    different = f"SELECT {x}, count(*) AS {n} FROM {rows} AS records WHERE {x} IS NOT NULL GROUP BY {x}"
    counts = listed(f"sum({n}) FILTER (WHERE {reading})" for reading in readings.values())
    numbers = extract.table.engine.fetch(f"SELECT sum({n}), {counts} FROM ({different}) AS different")[0]
    return tuple(int(number or 0) for number in numbers)


LOST = "^ *[-+]?0[0-9]|[eE]|^ *[+]|^ *-0([.,]0*)? *$"  # leading zeros, exponents and signs that a number would lose
COMPACT = "%Y%m%d"
_NUMBERS = {
    "integer": DECIDED[Kind.INTEGER, "."],
    "real": DECIDED[Kind.REAL, "."],
    "grouped integer": GROUPED[Kind.INTEGER],
    "grouped real": GROUPED[Kind.REAL],
}


def _loses(column: Column) -> bool:
    """Whether the reader itself says that numbers would lose something: codes are no numbers stored as text."""
    return any(loss.why in column.why for loss in LOSSES if loss.why != BLANKS_AROUND)


def _format(form: str) -> DateFormat:
    return DateFormat(form, _today().year - 99 if "%y" in form else None)


def _written(form: str) -> str:
    return f"{form} from {_format(form).first}" if "%y" in form else form


def _plausible(extract: Extract, name: str) -> bool:
    """Whether whole numbers that may be dates are of times in which patients lived: else they are numbers."""
    x, last = quoted(name), (_today().year + 100) * 10_000
    sql = f"SELECT count(*) FROM {extract.table} WHERE {x} NOT BETWEEN 18500101 AND {last}"
    return bool(extract.table.engine.fetch(sql)[0][0] == 0)


def _texts(extract: Extract, name: str) -> dict[str, int]:
    """How often each conventional text stands in a column."""
    x, known = f"trim({quoted(name)}, {literal(BLANKS)})", listed(map(literal, CONVENTIONS))
    short = f"length({quoted(name)}) <= {LONGEST}"  # to trim every value takes long
    sql = f"SELECT {x}, count(*) FROM {extract.table} WHERE {short} AND {x} IN ({known}) GROUP BY 1"
    return dict(sorted(extract.table.engine.fetch(sql)))


def _dated(name: str, forms: Sequence[str], texts: Mapping[str, int], values: int) -> Proposal:
    options = [f"--date-format {_pair(name, _written(form))}{_missing_options(name, texts)}" for form in forms]
    keys = [", ".join((f"date_format: {_yaml(_written(form))}", *_missing_keys(texts))) for form in forms]
    unclear = "; nothing tells the day from the month, so look at one that you know" if len(forms) > 1 else ""
    two = _format(forms[0])
    century = (
        f"; two digits are read as {two.years}, so nobody born before {two.first} may be among them"
        if two.first
        else ""
    )
    dates = f"dates written {' or '.join(forms)}{unclear}{century}"
    words = f"Column {name!r}{_read_as(texts, values)} {dates}. To read them so"
    return Proposal((name,), words, ", or ".join(options), "  or  ".join(keys))


def _numbered(name: str, how: str, texts: Mapping[str, int], values: int) -> Proposal:
    kind, grouped = how.split()[-1], "grouped" in how
    decimal = "--decimal . " if grouped else ""
    words = f"Column {name!r}{_read_as(texts, values)} numbers stored as text"
    words += ", with commas between thousands" if grouped else ""
    option = f"{decimal}--type {_pair(name, kind)}{_missing_options(name, texts)}"
    key = ", ".join((f"type: {kind}", *_missing_keys(texts))) + (', and under data: decimal: "."' if grouped else "")
    return Proposal((name,), f"{words}. To read them so", option, key)


def _nearly(name: str, texts: Mapping[str, int], values: int, others: int) -> Proposal:
    words = f"Column {name!r}{_read_as(texts, values)} numbers, but for {others} other{'s' if others > 1 else ''}"
    option = f"{_missing_options(name, texts).strip()} --also-missing {_pair(name, 'TEXT')}"
    return Proposal(
        (name,), f"{words}. Name what means that there is no value", option, ", ".join(_missing_keys(texts))
    )


def _read_as(texts: Mapping[str, int], values: int) -> str:
    if not texts:
        return f": its {values} values are"
    said = ", ".join(f"{number} {_is(number)} {text!r}" for text, number in texts.items())
    return f": of {values} values {said}, and the others are"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _conventional(text: str, counts: Mapping[str, int]) -> Proposal:
    number, names = sum(counts.values()), list(counts)
    where = (
        f"column{'' if len(names) == 1 else 's'} {', '.join(map(repr, names[:10]))}{', ...' if len(names) > 10 else ''}"
    )
    values = f"{number} value{'' if number == 1 else 's'} of {where} {_is(number)} {text!r}"
    one = " ".join(f"--also-missing {_pair(name, text)}" for name in names)
    # An equals sign before it: a text that begins with a hyphen would be taken for an option.
    option = one if len(names) < SEVERAL else f"--also-missing {shlex.quote('=' + text)}"
    words = f"{values}. If it means that there is no value"
    return Proposal(tuple(names), words, option, f"also_missing: [{_yaml(text)}]")


def _codes(extract: Extract, columns: Sequence[Column]) -> Iterator[Proposal]:
    """Codes such as -99 and 999 that stand apart from all other numbers of their column."""
    numeric = [column for column in columns if column.kind.numeric]
    rows = max(50, min(SAMPLE, CELLS // max(1, len(numeric))))
    for start in range(0, len(numeric), TOGETHER):
        names = [column.name for column in numeric[start : start + TOGETHER]]
        first = f"(SELECT {quoted(*names)} FROM {extract.table} LIMIT {rows})"
        seen = [name for name, codes in _apart(extract, first, names).items() if codes]
        for name, codes in _apart(extract, str(extract.table), seen).items():
            if codes:
                yield _coded(name, codes)


def _apart(extract: Extract, rows: str, names: Sequence[str]) -> dict[str, dict[int, int]]:
    """The codes of each column that stand apart, and how often each occurs."""
    if not names:
        return {}
    items = listed(f"CAST({quoted(name)} AS DOUBLE)" for name in names)
    stacked = f"SELECT unnest(range({len(names)})) AS i, unnest([{items}]) AS x FROM {rows} AS records"
    known = f"x IN ({listed(map(str, CODES))})"
    each = listed(f"count(*) FILTER (WHERE x = {code})" for code in CODES)
    counted = extract.table.engine.fetch(
        f"SELECT i, min(x) FILTER (WHERE NOT {known}), max(x) FILTER (WHERE NOT {known}), {each} "
        f"FROM ({stacked}) AS stacked GROUP BY i"
    )
    return {
        names[i]: {
            code: number
            for code, number in zip(CODES, numbers, strict=True)
            if number and _stands_apart(code, low, high)
        }
        for i, low, high, *numbers in counted
    }


def _stands_apart(code: int, low: float | None, high: float | None) -> bool:
    """Whether a code lies far from all other values: below zero where nothing else does, or far above all."""
    if low is None or high is None:
        return False
    return low >= 0 if code < 0 else 0 < high * FAR <= code


def _coded(name: str, codes: Mapping[int, int]) -> Proposal:
    said = ", ".join(f"{count} {_is(count)} {code}" for code, count in codes.items())
    codes_said = f"Column {name!r} holds numbers that may be codes: {said}, far from all others"
    texts = {str(code): count for code, count in codes.items()}
    words = f"{codes_said}. If they mean that there is no value"
    return Proposal((name,), words, _missing_options(name, texts).strip(), ", ".join(_missing_keys(texts)))


def _future(extract: Extract, options: ReadOptions) -> Iterator[str]:
    """Dates of two-digit years that are still to come: the hundred years may not be the right ones."""
    for name, form in options.date_formats.items():
        years, today = DateFormat.of(form).years, _today()
        if not years:
            continue
        late = f"SELECT count(*) FROM {extract.table} WHERE {quoted(name)} > DATE '{today.isoformat()}'"
        number = extract.table.engine.fetch(late)[0][0]
        if number:
            dates = "1 date lies" if number == 1 else f"{number} dates lie"
            yield (
                f"Column {name!r}: {dates} in the future, since years of two digits are read as {years}. "
                f"If nobody can have them yet, begin with an earlier year: from {today.year - 99}."
            )


def _pair(name: str, value: str) -> str:
    """COLUMN=VALUE as it is typed in a shell."""
    column = '"' + name.replace('"', '""') + '"' if re.search('[="]', name) else name
    return shlex.quote(f"{column}={value}")


def _missing_options(name: str, texts: Iterable[str]) -> str:
    return "".join(f" --also-missing {_pair(name, text)}" for text in texts)


def _missing_keys(texts: Mapping[str, int]) -> list[str]:
    return [f"also_missing: [{', '.join(map(_yaml, texts))}]"] if texts else []


def _yaml(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
