"""Combinations of columns, and how well each tells records apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations as subsets
from math import comb

from sfumato.progress import Tell, quiet
from sfumato.show.documents.identification import ColumnCombinationDocument, CombinationsDocument
from sfumato.tables.engine import Table, listed

# Combinations from which larger ones are grown, where there are too many to look at all. Chosen: with 20 columns and a
# budget of 50 the best of them single out at least 0.9 of the records of the best there is (tests/columns).
BEAM = 12
# Rows that are grouped for the combinations of one size, and combinations that are looked at however many rows there
# are. Chosen for the time it takes: with a million different rows, two seconds for each size.
ROWS_GROUPED = 24_000_000
FEWEST = 20


@dataclass(frozen=True)
class ColumnCombination:
    """Some columns, and the classes that the records fall into on them."""

    columns: tuple[str, ...]
    records: int
    classes: int
    alone: int  # records that are alone in their class
    pairs: int  # pairs of records in the same class

    @property
    def distinction(self) -> float:
        """Different values per record: 1 when every record has a value of its own."""
        return self.classes / self.records if self.records else 0.0

    @property
    def separation(self) -> float:
        r"""The share of pairs of records that differ.

        .. math:: 1 - \sum_E \binom{|E|}{2} \Big/ \binom{n}{2}

        References
        ----------
        Motwani and Xu (2007), Efficient algorithms for masking and finding quasi-identifiers.
        """
        return 1 - self.pairs / comb(self.records, 2) if self.records > 1 else 0.0

    def content(self) -> ColumnCombinationDocument:
        """The numbers as plain values."""
        return ColumnCombinationDocument(
            columns=self.columns,
            distinction=self.distinction,
            separation=self.separation,
            classes=self.classes,
            unique_records=self.alone,
        )


@dataclass(frozen=True)
class Combinations:
    """The combinations that were looked at, those that tell most apart first."""

    examined: tuple[ColumnCombination, ...]
    possible: int  # how many there are of these sizes

    def content(self) -> CombinationsDocument:
        """The combinations as plain values, and how many there are."""
        combinations = [combination.content() for combination in self.examined]
        return CombinationsDocument(examined=len(combinations), possible=self.possible, found=combinations)


def examine_combinations(
    rows: Table,
    columns: Sequence[str],
    *,
    largest: int = 3,
    budget: int = 200,
    tell: Tell = quiet,
) -> Combinations:
    """Look at the combinations of up to `largest` columns; at all of a size when they are within the budget.

    `rows` are distinct rows as `influence.distinct_rows` makes them: q1, q2, ... for the columns, and n.
    The budget is smaller where there are many rows. Of a size that has more combinations than the budget, those that
    grow from the best smaller ones are looked at.
    """
    sizes = range(1, min(largest, len(columns)) + 1)
    budget = min(budget, max(FEWEST, ROWS_GROUPED // max(1, rows.count())))
    examined: list[ColumnCombination] = []
    best: list[ColumnCombination] = []
    for size in sizes:
        tell(f"Combining {size} of {len(columns)} columns", size - 1, len(sizes))
        best = sorted(
            (_combination(rows, columns, c) for c in _chosen(len(columns), size, best, columns, budget)), key=_rank
        )
        examined += best
    return Combinations(tuple(sorted(examined, key=_rank)), sum(comb(len(columns), size) for size in sizes))


def _chosen(
    width: int, size: int, best: Iterable[ColumnCombination], columns: Sequence[str], budget: int
) -> Iterator[tuple[int, ...]]:
    if comb(width, size) <= budget or size == 1:
        yield from subsets(range(width), size)
        return
    places = [tuple(map(columns.index, smaller.columns)) for smaller in list(best)[:BEAM]]
    yield from sorted({tuple(sorted({*smaller, other})) for smaller in places for other in range(width)
                       if other not in smaller})[:budget]  # fmt: skip


def _rank(combination: ColumnCombination) -> tuple[float, float, int, tuple[str, ...]]:
    return -combination.alone, -combination.separation, len(combination.columns), combination.columns


def _combination(rows: Table, columns: Sequence[str], places: Sequence[int]) -> ColumnCombination:
    by = listed(f"q{place + 1}" for place in places)
    records, classes, alone, ordered = rows.engine.fetch(f"""
        SELECT coalesce(sum(n), 0), count(*), count(*) FILTER (WHERE n = 1), coalesce(sum(n * (n - 1)), 0)
        FROM (SELECT CAST(sum(n) AS BIGINT) AS n FROM {rows} GROUP BY {by}) AS class""")[0]
    pairs = int(ordered) // 2  # each pair was counted from both sides
    return ColumnCombination(tuple(columns[p] for p in places), int(records), int(classes), int(alone), pairs)
