"""Sets of columns: how many records each set of quasi-identifiers singles out, up to a size.

More columns can only single out more records. So a set that singles out as many as all columns together has shown
what every larger set around it does, and these need not be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from sfumato.attackers.class_refinement import Refinement, RefinementPath
from sfumato.attackers.coded_records import CodedRecords, coded_records
from sfumato.errors import PolicyError
from sfumato.privacy.dataset import Dataset
from sfumato.progress import Tell, quiet
from sfumato.show.documents.exposure import ColumnSetDocument, ColumnSetsDocument

# Chosen, not measured:
ENUMERABLE = 100_000  # sets of one size that are listed one by one; 4 of 40 columns are 91,390
PART = 4  # of the budget that is left, this part is for the next size, so that larger sizes have some of it too
MOST = 50  # sets that a document holds

Places = tuple[int, ...]


@dataclass(frozen=True)
class ColumnSet:
    """Some columns, and how many records are alone on them."""

    columns: tuple[str, ...]
    records: int
    singled_out: int

    @property
    def percent(self) -> float:
        """The share of records that are singled out, in per cent."""
        return 100 * self.singled_out / self.records

    def content(self) -> ColumnSetDocument:
        """The set as plain values."""
        return ColumnSetDocument(columns=self.columns, singled_out=self.singled_out, percent=self.percent)


@dataclass(frozen=True)
class ColumnSets:
    """The sets that were looked at, those that single out most first, and what is known of the others."""

    columns: tuple[str, ...]
    largest: int  # columns of a set
    records: int
    whole: int  # records that all columns together single out
    sets: tuple[ColumnSet, ...]
    possible: int  # sets of these sizes
    implied: int  # sets known without being looked at; where there are very many, those that came up

    @property
    def examined(self) -> int:
        """Sets that were looked at."""
        return len(self.sets)

    @property
    def left(self) -> int:
        """Sets that were not looked at, and of which nothing is implied."""
        return self.possible - self.examined - self.implied

    def singled_out(self, columns: Iterable[str]) -> int | None:
        """How many records a set of columns singles out: looked at, or implied by another; None where left."""
        asked = frozenset(columns)
        for known in self.sets:
            if known.singled_out == self.whole and asked.issuperset(known.columns):
                return self.whole
            if asked == frozenset(known.columns):
                return known.singled_out
        return None

    def content(self) -> ColumnSetsDocument:
        """The counts and the sets that single out most, as plain values."""
        return ColumnSetsDocument(
            possible=self.possible,
            examined=self.examined,
            implied=self.implied,
            left=self.left,
            found=[each.content() for each in self.sets[:MOST]],
        )


def subsets_up_to(
    dataset: Dataset, size: int, *, at_most: int = 2000, records: CodedRecords | None = None, tell: Tell = quiet
) -> ColumnSets:
    """Look at the sets of up to `size` quasi-identifiers, at most so many of them.

    Smaller sets come first. Of a size with more sets than its part of the budget, those are looked at that add a
    column to the sets which singled out most. `records` are those of the dataset, where they are coded already.

    >>> from sfumato.studies.printed_tables import inpatients
    >>> sets = subsets_up_to(inpatients(), 2)
    >>> [(each.columns, each.singled_out) for each in sets.sets], sets.examined, sets.implied, sets.left
    ([(('age',), 12), (('zip',), 0)], 2, 1, 0)
    """
    if size < 1 or at_most < 1:
        raise PolicyError("Sets of columns have a size from 1 on, and at least one must be looked at.")
    records = records or coded_records(dataset)
    # Columns of many values first: they leave the fewest records to look at when others are added.
    order = sorted(range(len(records.columns)), key=lambda place: (-records.values[place], place))
    return _ColumnSetSearch(records, order, min(size, len(order)), at_most).run(tell)


@dataclass
class _ColumnSetSearch:
    """A search by growing size; sets are places in `order`."""

    records: CodedRecords
    order: list[int]
    largest: int
    budget: int
    alone: dict[Places, int] = field(default_factory=dict)  # by set that was looked at, the records it singles out
    implied: set[Places] = field(default_factory=set)

    def run(self, tell: Tell) -> ColumnSets:
        whole = Refinement.of(self.records, tuple(self.order)).alone
        for part in (PART, 1):  # what the first sweep leaves of the budget goes to the smallest sets
            for size in range(1, self.largest + 1):
                tell(f"Looking at {size} of {len(self.order)} columns", len(self.alone), self.budget)
                self.alone |= self._examined(self._chosen(size, whole, part))
        sets = [ColumnSet(self._names(places), self.records.records, alone) for places, alone in self.alone.items()]
        return ColumnSets(
            columns=self.records.columns,
            largest=self.largest,
            records=self.records.records,
            whole=whole,
            sets=tuple(sorted(sets, key=lambda each: (-each.singled_out, len(each.columns), each.columns))),
            possible=sum(comb(len(self.order), size) for size in range(1, self.largest + 1)),
            implied=len(self.implied),
        )

    def _chosen(self, size: int, whole: int, part: int) -> list[Places]:
        """The sets of this size to look at, in lexicographic order, so that neighbours share their first columns."""
        share = (self.budget - len(self.alone)) // min(part, self.largest - size + 1)
        chosen: list[Places] = []
        for places in self._candidates(size, share):
            smaller = combinations(places, size - 1)
            if any(s in self.implied or self.alone.get(s) == whole for s in smaller):
                self.implied.add(places)
            elif len(chosen) < share:
                chosen.append(places)
        return sorted(chosen)

    def _candidates(self, size: int, share: int) -> Iterator[Places]:
        """Sets of this size that are not known, the most promising first; all of them where they can be listed.

        Otherwise those that add a column to a set which was looked at: they are all that may single out less than
        all columns do, if no such set of the size before was left out.
        """
        width, known = len(self.order), self.alone.keys() | self.implied
        if all(comb(width, smaller) <= ENUMERABLE for smaller in range(1, size + 1)):
            listed: Iterable[Places] = combinations(range(width), size)
            if comb(width, size) > share:
                listed = sorted(listed, key=lambda p: -max(self.alone.get(s, 0) for s in combinations(p, size - 1)))
            yield from (places for places in listed if places not in known)
            return
        before = [places for places in self.alone if len(places) == size - 1]
        for smaller in sorted(before, key=lambda places: (-self.alone[places], places)):
            for places in (tuple(sorted((*smaller, other))) for other in range(width) if other not in smaller):
                if places not in known:
                    known.add(places)
                    yield places

    def _examined(self, chosen: Sequence[Places]) -> dict[Places, int]:
        path = RefinementPath(self.records)
        return {places: path.to(tuple(self.order[place] for place in places)).alone for places in chosen}

    def _names(self, places: Places) -> tuple[str, ...]:
        return tuple(self.records.columns[place] for place in sorted(self.order[p] for p in places))
