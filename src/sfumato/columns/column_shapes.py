"""Shapes of columns: how often values occur, as heights of bars without the values.

Numbers and dates stand from low to high in bars of the same width, all else by how often it occurs. A shape tells a
glance whether a column is a number with a tail, a code with three values or a key; it says no value, and no count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from math import floor, isfinite

from sfumato.tables.engine import Engine, Kind, Table

BARS = 24  # as many as can be told apart in a picture of six letters' width
LEAST = 0.01  # of a bar in which there is anything at all
HUGE = 1e300  # beyond which differences are no numbers any more
ORDERED = (Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TIMESTAMP)
MONTHS, DAYS = 372, 31  # days of a year and a month that are counted alike: the order is kept, which is all a bar needs

Shape = tuple[float, ...]


def shapes_of_counts(engine: Engine, counted: Table, kind: Kind, width: int) -> list[Shape]:
    """The shapes of columns of one kind whose values were counted: `i`, `value` and `n` for each."""
    bars: list[dict[int, int]] = [{} for _ in range(width)]
    for i, place, n in engine.fetch(_in_order(counted, kind) if kind in ORDERED else _commonest(counted, width)):
        bars[i][int(place)] = int(n)
    return [_heights(each) for each in bars]


def shape_of_texts(counts: Iterable[tuple[str, int]], kind: Kind) -> Shape:
    """The shape of a column whose few values were counted as texts.

    >>> shape_of_texts([("1", 2), ("2", 4), ("4", 1)], Kind.INTEGER), shape_of_texts([("f", 1), ("m", 4)], Kind.TEXT)
    ((0.5, 1.0, 0.0, 0.25), (1.0, 0.25))
    """
    if kind not in ORDERED:
        return _heights(dict(enumerate(sorted((n for _, n in counts), reverse=True)[:BARS])))
    numbers = [(_number(text, kind), n) for text, n in counts]
    numbers = [(x, n) for x, n in numbers if isfinite(x) and abs(x) < HUGE]
    if not numbers:
        return ()
    low, high = min(x for x, _ in numbers), max(x for x, _ in numbers)
    most = _most(kind, high - low)
    bars: dict[int, int] = {}
    for x, n in numbers:
        place = min(most - 1, floor(most * (x - low) / (high - low))) if high > low else 0
        bars[place] = bars.get(place, 0) + n
    return _heights(bars)


def _most(kind: Kind, distance: float) -> int:
    """Bars between the lowest and the highest value: whole numbers that lie near each other have one each."""
    return int(min(BARS, distance + 1)) if kind is Kind.INTEGER else BARS


def _number(text: str, kind: Kind) -> float:
    if kind.numeric:
        return float(text)
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:  # a year that Python's calendar does not have
        return float("nan")
    return MONTHS * day.year + DAYS * day.month + day.day


def _in_order(counted: Table, kind: Kind) -> str:
    x = "CAST(value AS DOUBLE)"
    if not kind.numeric:
        x = f"CAST({MONTHS} * year(value) + {DAYS} * month(value) + day(value) AS DOUBLE)"
    most = f"least({BARS}, high - low + 1)" if kind is Kind.INTEGER else str(BARS)
    return f"""
        SELECT i, CASE WHEN high > low THEN least({most} - 1, floor({most} * (x - low) / (high - low))) ELSE 0 END
               AS place, sum(n)
        FROM (SELECT i, x, n, min(x) OVER (PARTITION BY i) AS low, max(x) OVER (PARTITION BY i) AS high
              FROM (SELECT i, {x} AS x, n FROM {counted} WHERE value IS NOT NULL) AS v
              WHERE abs(x) < {HUGE!r}) AS w
        GROUP BY 1, 2"""


def _commonest(counted: Table, width: int) -> str:
    if width == 1:  # as many rows as there are values: the commonest are kept while they are read
        ranked = f"SELECT i, n FROM {counted} WHERE value IS NOT NULL ORDER BY n DESC LIMIT {BARS}"
        return f"SELECT i, row_number() OVER (ORDER BY n DESC) - 1 AS place, n FROM ({ranked}) AS r"
    return f"""
        SELECT i, place, n
        FROM (SELECT i, row_number() OVER (PARTITION BY i ORDER BY n DESC) - 1 AS place, n
              FROM {counted} WHERE value IS NOT NULL) AS r
        WHERE place < {BARS}"""


def _heights(bars: dict[int, int]) -> Shape:
    if not bars:
        return ()
    counts: Sequence[int] = [bars.get(place, 0) for place in range(max(bars) + 1)]
    highest = max(counts)
    return tuple(max(LEAST, round(n / highest, 2)) if n else 0.0 for n in counts)
