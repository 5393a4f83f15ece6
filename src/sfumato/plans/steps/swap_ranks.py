"""Swap ranks: each value goes to another record whose value is of nearly the same rank."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.plans.blocks.draws import uniform, with_units
from sfumato.plans.blocks.parameters import one_column, real
from sfumato.plans.blocks.values_in_sql import value_of
from sfumato.plans.draft import Draft
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.tables.engine import Kind, listed, literal

ORDERED = (Kind.INTEGER, Kind.REAL, Kind.DATE, Kind.TIMESTAMP)


@dataclass(frozen=True)
class SwapRanks(Transformation):
    r"""Values swapped between records whose ranks lie at most p per cent of the records apart.

    .. math:: |\,\mathrm{rank}(x_i) - \mathrm{rank}(x'_i)\,| \le \max(1, \lfloor n\,p / 100 \rfloor)

    From the lowest rank up, each value that has not been swapped changes places with one drawn at random among the
    unswapped ones above it within that distance; where none is left it stays. The values are exactly those that there
    were, so every statistic of the column alone is the same; ties to other columns are weakened, the more the larger
    `share`, which is in per cent. A column with few different values mostly swaps equals.

    Missing values stay where they are. Equal values are ranked at random. Texts need an order of their categories. The
    draws come from the key of the project: by what a record is in the source, never by where it stands. The column is
    brought into memory.

    References
    ----------
    Moore (1996). Controlled data-swapping techniques for masking public use microdata sets. US Bureau of the Census,
    Statistical Research Division, Report RR96-04.

    Examples
    --------
    >>> swapped([0.1, 0.8, 0.3, 0.5, 0.2], 2)
    [1, 0, 3, 2, 4]
    """

    column: str
    share: float = 5

    leaves_values = True

    def __post_init__(self) -> None:
        one_column(self, "column", self.column)
        if not 0 < real(self, "share", self.share) <= 100:
            raise self.wrong("share must be above 0 and at most 100 per cent.")

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        import pyarrow as pa

        ranked = self._ranked(draft, resources)
        if len(ranked) < 2:
            raise self.wrong(f"the column {self.column!r} has fewer than two values to swap.")
        distance = int(len(ranked) * self.share / 100)
        if distance < 1:
            raise self.wrong(
                f"{self.share:g} per cent of {len(ranked)} values is less than one rank, so nothing would be swapped. "
                "Take a larger share."
            )
        sources = swapped(ranked.column("drawn").to_pylist(), distance)
        values = ranked.column("value").take(pa.array(sources, pa.int64()))
        table = draft.engine.load(pa.table({"number": ranked.column("number"), "value": values}))
        new = f"CASE WHEN swapped.number IS NULL THEN {value_of(self.column)} ELSE swapped.value END"
        join = f"LEFT JOIN {table} AS swapped ON swapped.number = {draft.number}"
        return draft.changed({self.column: new}, join=join, relabelled=False)

    def explained(self) -> str:
        return (
            f"Swaps the values of {self.column} between records whose ranks lie at most {self.share:g} per cent of the "
            "records apart; the values as a whole stay exactly what they were."
        )

    def examples(self) -> tuple[tuple[str, str], ...]:
        before = [23, 25, 27, 41, 44, 47, 51, 58, 60, 72]
        distance = max(1, int(len(before) * self.share / 100))
        after = [before[i] for i in swapped([uniform(str(value)) for value in before], distance)]
        return ((listed(map(str, before)), listed(map(str, after))),)

    def keyed(self) -> bool:
        return True

    def _ranked(self, draft: Draft, resources: Resources) -> Any:
        """Record number, value and a uniform number, lowest value first, without what is missing."""
        value, rank = value_of(self.column), self._rank(draft)
        known = f"{value} IS NOT NULL" + (f" AND NOT isnan({value})" if draft.kind(self.column) is Kind.REAL else "")
        drawing, unit = with_units(draft)
        # Ties are broken by a draw of their own: which of two equals is swapped with whom must not depend on their
        # places, nor on the number that chooses the partner.
        tie, drawn = (resources.uniform(draft.engine, unit, draw) for draw in ("tie", "partner"))
        return draft.engine.arrow(f"""
            SELECT {draft.number} AS number, {value} AS value, {drawn} AS drawn
            FROM {drawing.table} AS record
            WHERE {known}
            ORDER BY {rank}, {tie}, {unit}""")

    def _rank(self, draft: Draft) -> str:
        """What the values are ranked by."""
        order, kind, value = draft[self.column].order, draft.kind(self.column), value_of(self.column)
        if kind in ORDERED:
            return value
        if kind is not Kind.TEXT or not order:
            raise self.wrong(f"the column {self.column!r} holds {kind.value} without an order, so it has no ranks.")
        strange = draft.count(f"{value} IS NOT NULL AND {value} NOT IN ({listed(map(literal, order))})")
        if strange:
            raise self.wrong(
                f"{strange} records of the column {self.column!r} hold values that its order does not name."
            )
        return f"CASE {' '.join(f'WHEN {value} = {literal(word)} THEN {i}' for i, word in enumerate(order))} END"


def swapped(drawn: Sequence[float], distance: int) -> list[int]:
    """For each rank, the rank that its value comes from. `drawn` holds a uniform number per rank."""
    sources = list(range(len(drawn)))
    free = list(reversed(sources))  # the lowest at the end, where taking one out is cheap
    while free:
        rank = free.pop()
        first = bisect_left(free, -(rank + distance), key=lambda other: -other)
        if first < len(free):
            other = free.pop(len(free) - 1 - int(drawn[rank] * (len(free) - first)))
            sources[rank], sources[other] = other, rank
    return sources
