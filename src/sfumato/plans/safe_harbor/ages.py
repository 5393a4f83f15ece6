"""What the dates and ages of a table say: the year in which ages are counted, and ages that are not in years."""

from __future__ import annotations

from collections.abc import Iterator

from sfumato.columns.identification import Identification
from sfumato.columns.lexicon import Hipaa
from sfumato.plans.safe_harbor.plan import LARGEST, concept_of, dated
from sfumato.tables.engine import quoted
from sfumato.tables.source import Extract


def latest_year(extract: Extract, identification: Identification) -> int | None:
    """The latest year of a date that is not of birth."""
    names = [
        column.name
        for column in identification
        if column.hipaa == Hipaa.DATES and concept_of(column) == "date of an event" and dated(column)
    ]
    years = [_largest(extract, f"TRY_CAST(substr(CAST({quoted(name)} AS VARCHAR), 1, 4) AS DOUBLE)") for name in names]
    return max((int(year) for year in years if year is not None), default=None)


def aged_columns(extract: Extract, identification: Identification) -> Iterator[str]:
    """Columns of ages with a number that is no age in years, or in months is over 89 years."""
    for column in identification:
        limit = LARGEST.get(concept_of(column))
        if limit is None:
            continue
        most = _largest(extract, f"TRY_CAST({quoted(column.name)} AS DOUBLE)")
        if most is not None and most > limit:
            yield column.name


def _largest(extract: Extract, number: str) -> float | None:
    largest = extract.table.engine.fetch(f"SELECT max({number}) FROM {extract.table}")[0][0]
    return None if largest is None else float(largest)
