"""The quality of a table before anything is protected: what lacks, repeats, never changes or cannot be.

A steward cleans a table before it is released (S3): a column that is the same for everybody tells nothing, and one that
hardly anybody has a value in tells who they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from sfumato.columns.profile import ColumnProfile
from sfumato.tables.engine import Kind, Table, listed, literal, quoted
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
    dates = [name for name, kind in table.kinds.items() if kind in MOMENTS][:MOST_DATES]
    return (
        *_repeated(table, records),
        *lacking,
        *mostly,
        *constant,
        *_impossible(table, dates),
        *_no_days(table, [name for name, kind in table.kinds.items() if kind is Kind.TEXT]),
        *_swapped(table, dates),
    )


def _repeated(table: Table, records: int) -> Iterator[QualityFinding]:
    names = listed(quoted(name) for name in table.columns)
    different = table.engine.fetch(f"SELECT count(*) FROM (SELECT DISTINCT {names} FROM {table}) AS record")[0][0]
    if records > int(different):
        yield QualityFinding("the same as an earlier record, in every column", (), records - int(different))


def _impossible(table: Table, dates: list[str]) -> Iterator[QualityFinding]:
    if not dates:
        return
    outside = [f"{quoted(n)} < CAST('{EARLIEST}' AS DATE) OR {quoted(n)} >= CAST('{LATEST}' AS DATE)" for n in dates]
    counts = table.engine.fetch(f"SELECT {listed(f'count(CASE WHEN {o} THEN 1 END)' for o in outside)} FROM {table}")
    for name, number in zip(dates, counts[0], strict=True):
        if number:
            yield QualityFinding(f"a date before {EARLIEST[:4]}, or from {LATEST[:4]} on", (name,), int(number))


def _no_days(table: Table, texts: list[str]) -> Iterator[QualityFinding]:
    """Texts that are dates in nearly all records, and in some no day that there is: 30 February, or no date at all."""
    if not texts:
        return
    looks = [" OR ".join(f"{quoted(name)} LIKE '{form}'" for form in LOOKS_WRITTEN) for name in texts]
    counts = (f"count({quoted(n)}), count(CASE WHEN {o} THEN 1 END)" for n, o in zip(texts, looks, strict=True))
    numbers = [int(number) for number in table.engine.fetch(f"SELECT {listed(counts)} FROM {table}")[0]]
    for place, name in enumerate(texts):
        known, written = numbers[2 * place : 2 * place + 2]
        if not written or written < DATED * known:
            continue
        days = table.engine.fetch(f"SELECT count({_day(name)}) FROM {table}")[0][0]
        if known > days >= DATED * known:
            yield QualityFinding("no day of the calendar, in a column of dates", (name,), known - int(days))


def _day(name: str) -> str:
    """The day that a text says, in any order of its parts, as SQL; null where there is none."""
    written = f"regexp_extract({quoted(name)}, {literal(WRITTEN_DAY)}, 1)"
    parts = f"regexp_replace({written}, '[/.]', '-', 'g')"
    return f"coalesce({', '.join(DateFormat(order).sql(parts)[0] for order in ORDERS)})"


def _swapped(table: Table, dates: list[str]) -> Iterator[QualityFinding]:
    """Two dates that follow each other in nearly all records, and not in some: a discharge before the admission."""
    pairs = list(combinations(dates, 2))
    if not pairs:
        return
    counts = [
        f"count(CASE WHEN {quoted(one)} {sign} {quoted(other)} THEN 1 END)" for one, other in pairs for sign in "<>"
    ]
    orders = [int(number) for number in table.engine.fetch(f"SELECT {listed(counts)} FROM {table}")[0]]
    for place, (one, other) in enumerate(pairs):
        before, after = orders[2 * place], orders[2 * place + 1]
        seldom, most = min(before, after), max(before, after)
        if seldom and most >= ORDERED * (most + seldom):
            early, late = (one, other) if before > after else (other, one)
            yield QualityFinding(f"{late} before {early}, which it follows in nearly all others", (early, late), seldom)
