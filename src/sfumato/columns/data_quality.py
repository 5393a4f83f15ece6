"""The quality of a table before anything is protected: what lacks, repeats, never changes or cannot be.

A steward cleans a table before it is released (S3): a column that is the same for everybody tells nothing, and one that
hardly anybody has a value in tells who they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

from sfumato.columns.profile import ColumnProfile
from sfumato.tables.engine import Kind, Table, listed, literal, quoted
from sfumato.tables.read.column_parts import counts
from sfumato.tables.read.date_format import DateFormat

MOSTLY_MISSING = 0.5  # share of records without a value from which a column is named. Chosen
ORDERED = 0.95  # share of records from which two dates are taken to follow each other. Chosen
EARLIEST, LATEST = "1850-01-01", "2100-01-01"  # no day of a living patient lies outside
MOST_DATES = 12  # columns of dates of which every two are compared
DATED = 0.95  # share of the values of a text from which it is taken for a column of dates. Chosen
# A date as people write it, and perhaps a time after it; then in each order that the parts may stand in.
WRITTEN_DAY = "^([0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4})([ T].*)?$"
LOOKS_WRITTEN = tuple(form.replace("-", sign) for sign in "-/." for form in ("____-%-%", "%-%-____%"))
ORDERS = ("%Y-%m-%d", "%d-%m-%Y", "%m-%d-%Y")
# From so many records on, values that each stand in so many of them are looked at once (chosen, not measured).
MANY, REPEATED = 100_000, 10
MOMENTS = (Kind.DATE, Kind.TIMESTAMP)


@dataclass(frozen=True)
class QualityFinding:
    """One thing that a steward would look at before a release: what it is, where, and in how many records."""

    what: str
    columns: tuple[str, ...]
    records: int


def data_quality(table: Table, profiles: Iterable[ColumnProfile]) -> tuple[QualityFinding, ...]:
    """What lacks, repeats, never changes or cannot be in a table; the profiles are those of its columns."""
    known = tuple(profiles)
    records = table.count()
    if not records:
        return ()
    lacking = [QualityFinding("without any value", (c.name,), records) for c in known if c.missing == records]
    mostly = [
        QualityFinding("mostly without a value", (c.name,), c.missing)
        for c in known
        if MOSTLY_MISSING <= c.missing_share < 1
    ]
    constant = [
        QualityFinding("the same in every record", (c.name,), records)
        for c in known
        if c.distinct == 1 and not c.missing and records > 1
    ]
    dates = [name for name, kind in table.kinds.items() if kind in MOMENTS]
    texts = {c.name: c for c in known if table.kinds.get(c.name) is Kind.TEXT}
    return (
        *_repeated(table, records),
        *lacking,
        *mostly,
        *constant,
        *_impossible(table, dates),
        *_no_days(table, {name: _repeats(c, records) for name, c in texts.items()}),
        *_swapped(table, dates[:MOST_DATES]),
    )


def _repeated(table: Table, records: int) -> Iterator[QualityFinding]:
    names = listed(quoted(name) for name in table.columns)
    different = table.engine.fetch(f"SELECT count(*) FROM (SELECT DISTINCT {names} FROM {table}) AS record")[0][0]
    if records > int(different):
        yield QualityFinding("the same as an earlier record, in every column", (), records - int(different))


def _impossible(table: Table, dates: list[str]) -> Iterator[QualityFinding]:
    outside = [f"{quoted(n)} < CAST('{EARLIEST}' AS DATE) OR {quoted(n)} >= CAST('{LATEST}' AS DATE)" for n in dates]
    numbers = counts(table, [f"count(CASE WHEN {o} THEN 1 END)" for o in outside])
    for name, number in zip(dates, numbers, strict=True):
        if number:
            yield QualityFinding(f"a date before {EARLIEST[:4]}, or from {LATEST[:4]} on", (name,), number)


def _repeats(column: ColumnProfile, records: int) -> bool:
    """Whether its different values are so few that each is rather looked at once, and not in every record."""
    return records >= MANY and column.distinct * REPEATED <= records


def _no_days(table: Table, texts: Mapping[str, bool]) -> Iterator[QualityFinding]:
    """Texts that are dates in nearly all records, and in some no day that there is: 30 February, or no date at all.

    Of each text it is said whether it repeats its values.
    """
    for name, (known, written) in _written_days(table, texts).items():
        if not written or written < DATED * known:
            continue
        days = table.engine.fetch(f"SELECT count({_day(name)}) FROM {table}")[0][0]
        if known > days >= DATED * known:
            yield QualityFinding("no day of the calendar, in a column of dates", (name,), known - int(days))


def _written_days(table: Table, texts: Mapping[str, bool]) -> dict[str, tuple[int, int]]:
    """How many values each text has, and how many of them look like a date as people write it."""
    engine = table.engine
    in_each = [name for name, repeats in texts.items() if engine.waits or not repeats]
    asked = ((f"count({quoted(n)})", f"count(CASE WHEN {_looks_written(quoted(n))} THEN 1 END)") for n in in_each)
    numbers = counts(table, list(chain(*asked)))
    days = dict(zip(in_each, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
    for name in texts.keys() - days.keys():
        values = f"SELECT {quoted(name)} AS value, count({quoted(name)}) AS n FROM {table} GROUP BY 1"
        known, written = engine.fetch(f"""
            SELECT coalesce(sum(n), 0), coalesce(sum(CASE WHEN {_looks_written("value")} THEN n END), 0)
            FROM (SELECT CAST(value AS VARCHAR) AS value, n FROM ({values}) AS counted) AS different""")[0]
        days[name] = int(known), int(written)
    return {name: days[name] for name in texts}


def _looks_written(value: str) -> str:
    return " OR ".join(f"{value} LIKE '{form}'" for form in LOOKS_WRITTEN)


def _day(name: str) -> str:
    """The day that a text says, in any order of its parts, as SQL; null where there is none."""
    written = f"regexp_extract({quoted(name)}, {literal(WRITTEN_DAY)}, 1)"
    parts = f"regexp_replace({written}, '[/.]', '-', 'g')"
    return f"coalesce({', '.join(DateFormat(order).sql(parts)[0] for order in ORDERS)})"


def _swapped(table: Table, dates: list[str]) -> Iterator[QualityFinding]:
    """Two dates that follow each other in nearly all records, and not in some: a discharge before the admission."""
    pairs = list(combinations(dates, 2))
    asked = [
        f"count(CASE WHEN {quoted(one)} {sign} {quoted(other)} THEN 1 END)" for one, other in pairs for sign in "<>"
    ]
    orders = counts(table, asked)
    for place, (one, other) in enumerate(pairs):
        before, after = orders[2 * place], orders[2 * place + 1]
        seldom, most = min(before, after), max(before, after)
        if seldom and most >= ORDERED * (most + seldom):
            early, late = (one, other) if before > after else (other, one)
            yield QualityFinding(f"{late} before {early}, which it follows in nearly all others", (early, late), seldom)
