"""Sampled cells: how many records are alone as one column after the other becomes known, from a part of the records.

Whether somebody is alone on the columns of an order is decided among those who share the first of them. So the records
are parted by the first columns into cells, some cells are drawn, and in these the whole order is looked at. Each cell
has the same chance to be drawn: the counts, divided by it, are right on average, whatever the table is like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attackers.coded_records import CodedRecords
from sfumato.attackers.column_order import alone_in_order
from sfumato.chance import Chance

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole

FROM = 1 << 18  # records from which cells are drawn: below, one sort of all takes about as long as finding the cells
AIM = 1 << 16  # records to look at in one order, on average
# Cells are drawn where they would be as many as so many equal ones, if columns did not depend on each other. The number
# of records that are drawn then varies by a quarter from order to order, and what the columns add by more than that.
CELLS = 256
DENSE = 1 << 22  # cells that are counted by their number, so that their counts stay in proportion to the table
MIX, TURN = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)  # odd, and without a pattern: the golden ratio in 64 bits


@dataclass(frozen=True, eq=False)
class SampledCells:
    """Records without a subject, of which those who share a place stand there twice, and the cells that are drawn."""

    records: CodedRecords
    equal: tuple[float, ...]  # for each column, as many equal values as its own are worth
    known: dict[frozenset[int], int]  # records that are alone on sets of columns
    chance: Chance

    @classmethod
    def of(cls, records: CodedRecords, known: dict[frozenset[int], int], chance: Chance) -> SampledCells | None:
        """Where there are enough records; a person's records may lie in several cells, and are all looked at."""
        if records.persons or len(records.n) < FROM:
            return None
        several = np.flatnonzero(records.crowded)
        codes = tuple(np.append(code, code[several]) for code in records.codes)
        shares = (np.bincount(code) / len(code) for code in codes)
        return cls(_with_codes(records, codes), tuple(1 / float(own @ own) for own in shares), known, chance)

    def alone(self, order: Sequence[int], whole: float) -> list[float]:
        """How many records are alone on no column, on the first of an order, and so on; on all of them, `whole`.

        Up to the first columns whose cells are many, it is counted. From there on it is estimated. What the estimate
        for all columns is off by, which is nothing on average, is shared out among the steps by how much a column
        tells, the logarithm of its values: that is known before cells are drawn, so the steps stay right on average.
        """
        first = self._first(order)
        if not first:
            return [float(alone) for alone in alone_in_order(self.records, order)]
        counts = [0.0, *(self._alone(order[:known]) for known in range(1, first))]
        cells, space = self._cells(order[:first])
        share = AIM / len(cells)
        rows = np.flatnonzero(self._drawn(space, share).take(cells))
        drawn = _with_codes(self.records, tuple(code.take(rows) for code in self.records.codes))
        estimates = [alone / share for alone in alone_in_order(drawn, order)[first:]]
        tell = np.cumsum([log(self.equal[column]) for column in order[first - 1 :]])
        off = (whole - estimates[-1]) * tell / tell[-1]
        return [*counts, *(np.array(estimates) + off).tolist()]

    def _first(self, order: Sequence[int]) -> int:
        """How many columns of an order make the cells; none where these would be too few, or too many to count."""
        equal, space = 1.0, 1
        for known, column in enumerate(order, 1):
            equal, space = equal * self.equal[column], space * self.records.values[column]
            if space > DENSE:
                return 0
            if equal >= CELLS and self.equal[column] > 1:
                return known
        return 0

    def _cells(self, columns: Sequence[int]) -> tuple[Whole, int]:
        """The cell of each record by some columns, and what their numbers are below."""
        cells: Whole = np.zeros(len(self.records.n), dtype=np.int32)  # half as wide: they are below `DENSE`
        space = 1
        for column in columns:
            cells *= np.int32(self.records.values[column])
            cells += self.records.codes[column].astype(np.int32)
            space *= self.records.values[column]
        return cells, space

    def _alone(self, columns: Sequence[int]) -> float:
        """How many records are alone on some columns, counted once for each set of them."""
        known = frozenset(columns)
        if known not in self.known:
            cells, _ = self._cells(columns)
            self.known[known] = int(np.count_nonzero(np.bincount(cells) == 1))
        return float(self.known[known])

    def _drawn(self, cells: int, share: float) -> Flags:
        """Which cells are drawn, each with the same chance and for itself."""
        numbers = np.arange(cells, dtype=np.uint64) + np.uint64(self.chance.random.getrandbits(63))
        for _ in range(2):
            numbers *= MIX
            numbers ^= numbers >> TURN
        drawn: Flags = numbers * MIX < np.uint64(int(share * 2.0**64))
        return drawn


def _with_codes(records: CodedRecords, codes: tuple[Whole, ...]) -> CodedRecords:
    """Records of these codes, each a place of its own."""
    places = len(codes[0])
    return CodedRecords(
        columns=records.columns,
        codes=codes,
        values=records.values,
        n=np.ones(places, dtype=np.int64),
        person=np.arange(places),
        crowded=np.zeros(places, dtype=np.bool_),
        persons=False,
        members=places,
    )
