"""The quality of a table before anything is protected: what lacks, repeats, never changes or cannot be.

A steward cleans a table before it is released (S3): a column that is the same for everybody tells nothing, and one that
hardly anybody has a value in tells who they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from sfumato.columns.profile import ColumnProfile
from sfumato.tables.engine import Kind, Table, listed, quoted

MOSTLY_MISSING = 0.5  # share of records without a value from which a column is named. Chosen
ORDERED = 0.95  # share of records from which two dates are taken to follow each other. Chosen
EARLIEST, LATEST = "1850-01-01", "2100-01-01"  # no day of a living patient lies outside
MOST_DATES = 12  # columns of dates of which every two are compared
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
