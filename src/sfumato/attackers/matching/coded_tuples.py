"""Tuples: original and released values as numbers, each different row of values once, with the records that have it.

Attacks compare values with values, not records with records: a census of a million people has some ten thousand
different rows. One pair of columns at a time comes from the engine, so that no more than that is held as texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.attackers.attack_interface import LinkageResult
from sfumato.attackers.matching.linked_records import MOMENTS, LinkedRecords
from sfumato.privacy.coded.distinct_rows import first_places, row_numbers
from sfumato.tables.engine import Kind, Table, listed

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


MISSING = 0  # the code of a missing value


@dataclass(frozen=True)
class MatchedColumn:
    """One column: a code for each different value, the same for original and released ones; a missing value is 0."""

    name: str
    original: Whole  # by original tuple, as the release would write it
    value: Whole  # by original tuple, as it is
    released: Whole  # by released tuple
    codes: int  # all codes are below this
    numbers: Real | None = None  # the number that each code stands for; not a number where it is missing
    labelled: Whole | None = None  # of a recoded column, value * codes + label of what occurs together, sorted


@dataclass(frozen=True)
class Tuples:
    """The different rows of original values, of released values, and of both together.

    Pairs come in the order of the first record that has them, whatever the engine.
    """

    linked: LinkedRecords
    columns: tuple[MatchedColumn, ...]
    originals: Whole  # records of each original tuple
    releases: Whole  # records of each released tuple
    original: Whole  # of each pair, the original tuple
    released: Whole  # of each pair, the released tuple; -1 where the record is not in the release
    n: Whole  # records of each pair
    row: Whole  # the first of them

    @classmethod
    def of(cls, linked: LinkedRecords, *, raw: bool = False) -> Tuples:
        """Count the pairs in the engine, and code their values here.

        Originals are told apart as the release would write them, or by their values as they are (`raw`).
        """
        joint = linked.engine.query(_joint(linked, "vo" if raw else "o"))
        n, row, kept = _counts(joint)
        coded = [_coded(joint, i, kind, "v" if raw else "o") for i, kind in enumerate(linked.kinds, 1)]
        original = row_numbers([column.value for column in coded])
        present = np.flatnonzero(kept)
        released = np.full(len(n), -1, dtype=np.int64)
        released[present] = row_numbers([column.released[present] for column in coded])
        linked.engine.drop(joint)
        first, last = first_places(original), present[first_places(released[present])]
        columns = [
            MatchedColumn(
                name=name,
                original=pairs.original[first],
                value=pairs.value[first],
                released=pairs.released[last],
                codes=pairs.codes,
                numbers=pairs.numbers,
                labelled=pairs.labelled(kept) if raw and name in linked.recoded else None,
            )
            for name, pairs in zip(linked.names, coded, strict=True)
        ]
        return cls(
            linked=linked,
            columns=tuple(columns),
            originals=records_by_number(original, n),
            releases=records_by_number(released[present], n[present]),
            original=original,
            released=released,
            n=n,
            row=row,
        )

    def own(self, cost: Callable[[Whole, Whole], Real]) -> Real:
        """What each pair costs itself; infinite where the record is not in the release."""
        own = np.full(len(self.n), np.inf)
        kept = self.released >= 0
        own[kept] = cost(self.original[kept], self.released[kept])
        return own

    def result(self, method: str, cost: Real, records: Whole, own: Real, **more: Any) -> LinkageResult:
        """The result of an attack that names, for each original tuple, `records` released records that cost least.

        `own` is what each pair costs itself; where it costs as little, the own record is among those named.
        """
        sizes = records[self.original]
        named = (self.released >= 0) & (sizes > 0) & (own <= cost[self.original])
        linkable = np.sort(self.row[named & (sizes == 1)])
        return LinkageResult(
            method=method,
            records=self.linked.records,
            released=self.linked.released,
            matched=int(self.originals[records > 0].sum()),
            own_named=int(self.n[named].sum()),
            expected=fsum(self.n[named] / sizes[named]),
            linkable=len(linkable),
            rows=self.linked.engine.load(pa.table({"row": linkable})),
            recoded=self.linked.recoded,
            **more,
        )


def records_by_number(numbers: Whole, n: Whole) -> Whole:
    """The records of each of the numbers 0, 1, 2, ..., where `n` are those of each place."""
    records: Whole = np.bincount(numbers, weights=n, minlength=int(numbers.max(initial=-1)) + 1).astype(np.int64)
    return records


@dataclass(frozen=True)
class _PairCodes:
    """The codes of one column, by pair of original and released row."""

    original: Whole
    value: Whole
    released: Whole
    codes: int
    numbers: Real | None

    def labelled(self, kept: Flags) -> Whole:
        """The values and labels that occur together, as value * codes + label."""
        return np.unique(self.value[kept] * self.codes + self.released[kept])


def _joint(linked: LinkedRecords, letters: str) -> str:
    by = listed([*(column for letter in f"{letters}r" for column in linked.columns(letter)), "kept"])
    return f"SELECT {by}, count(*) AS n, min(row) AS row FROM {linked.table} GROUP BY {by}"


def _counts(joint: Table) -> tuple[Whole, Whole, Flags]:
    counts = joint.engine.arrow(f"SELECT n, row, kept FROM {joint} ORDER BY row")
    n, row = (counts.column(c).to_numpy().astype(np.int64) for c in ("n", "row"))
    return n, row, np.asarray(counts.column("kept").to_pylist(), dtype=np.bool_)


def _coded(joint: Table, i: int, kind: Kind, value: str) -> _PairCodes:
    """The three sides of a column in the codes of one dictionary."""
    pairs = joint.engine.arrow(f"SELECT {value}{i} AS value, o{i}, r{i} FROM {joint} ORDER BY row")
    sides = [_plain(pairs.column(c), kind) for c in range(3)]
    encoded = pa.chunked_array([chunk for side in sides for chunk in side.chunks], sides[0].type).combine_chunks()
    encoded = encoded.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64) + 1
    values, originals, released = np.split(codes, 3)
    numbers = None
    if kind.numeric or kind in MOMENTS:
        numbers = np.concatenate([[np.nan], encoded.dictionary.to_numpy(zero_copy_only=False).astype(np.float64)])
        numbers[~np.isfinite(numbers)] = np.nan  # no distance can be told from an infinite number
    return _PairCodes(
        original=originals, value=values, released=released, codes=len(encoded.dictionary) + 1, numbers=numbers
    )


def _plain(column: pa.ChunkedArray, kind: Kind) -> pa.ChunkedArray:
    """Numbers as real ones, dates as days, moments as microseconds; all else as it is."""
    if kind.numeric:
        return column.cast(pa.float64(), safe=False)
    if kind is Kind.DATE:
        return column.cast(pa.date32()).cast(pa.int32())
    if kind is Kind.TIMESTAMP:
        return column.cast(pa.timestamp("us", getattr(column.type, "tz", None)), safe=False).cast(pa.int64())
    return column
