"""Tuples: original and released values as numbers, each different row of values once, with the records that have it.

Attacks compare values with values, not records with records: a census of a million people has some ten thousand
different rows. One pair of columns at a time comes from the engine, so that no more than that is held as texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.attackers.matching.linked_records import MOMENTS, LinkedRecords
from sfumato.attackers.matching.tuple_holders import TupleHolders
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

    Pairs come in the order of the first record that has them, whatever the engine. Where persons count, `held` says who
    has which pair.
    """

    linked: LinkedRecords
    columns: tuple[MatchedColumn, ...]
    originals: Whole  # records of each original tuple
    releases: Whole  # records of each released tuple
    original: Whole  # of each pair, the original tuple
    released: Whole  # of each pair, the released tuple; -1 where the record is not in the release
    n: Whole  # records of each pair
    row: Whole  # the first of them
    held: HeldPairs | None = None  # None where every record counts for itself

    @classmethod
    def of(cls, linked: LinkedRecords, *, raw: bool = False) -> Tuples:
        """Count the pairs in the engine, and code their values here; once for all attacks.

        Originals are told apart as the release would write them, or by their values as they are (`raw`).
        """
        if raw not in linked.held:
            linked.held[raw] = cls._read(linked, raw=raw)
        tuples: Tuples = linked.held[raw]
        return tuples

    @classmethod
    def _read(cls, linked: LinkedRecords, *, raw: bool) -> Tuples:
        joint = linked.engine.query(_joint(linked, "vo" if raw else "o"))
        n, row, kept, person = _counts(joint)
        coded = [_coded(joint, i, kind, "v" if raw else "o") for i, kind in enumerate(linked.kinds, 1)]
        original = row_numbers([column.value for column in coded])
        present = np.flatnonzero(kept)
        released = np.full(len(n), -1, dtype=np.int64)
        released[present] = row_numbers([column.released[present] for column in coded])
        linked.engine.drop(joint)
        held = None
        if person is not None:
            pair = row_numbers([original, released + 1])
            held = HeldPairs(pair, person, row, n)
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
            original=original if held is None else original[first_places(held.pair)],
            released=released if held is None else released[first_places(held.pair)],
            n=n if held is None else records_by_number(held.pair, n),
            row=row if held is None else row[first_places(held.pair)],
            held=held,
        )

    @cached_property
    def pair_holders(self) -> TupleHolders:
        """Who has which pair."""
        return self.holders_of_pairs(np.ones(len(self.n), dtype=np.bool_))

    def holders_of_pairs(self, chosen: Flags) -> TupleHolders:
        """Who has which of some pairs; nobody has any other."""
        if self.held is None:
            return TupleHolders(self.n * chosen)
        some = chosen[self.held.pair]
        return TupleHolders.of(self.held.pair[some], self.held.n[some], self.held.person[some])

    @cached_property
    def original_holders(self) -> TupleHolders:
        """Who has which original tuple."""
        if self.held is None:
            return TupleHolders(self.originals)
        return TupleHolders.of(self.original[self.held.pair], self.held.n, self.held.person)

    @cached_property
    def release_holders(self) -> TupleHolders:
        """Who has which released tuple."""
        if self.held is None:
            return TupleHolders(self.releases)
        released = self.released[self.held.pair]
        kept = released >= 0
        return TupleHolders.of(released[kept], self.held.n[kept], self.held.person[kept])


@dataclass(frozen=True)
class HeldPairs:
    """Which person has which pair of original and released tuple: each once, in the order of the first record."""

    pair: Whole
    person: Whole  # a number for each person
    row: Whole  # the first record of the person with the pair
    n: Whole  # how many of them


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
    by = listed(
        [
            *(column for letter in f"{letters}r" for column in linked.columns(letter)),
            *(["kept"] if linked.persons is None else ["kept", "person"]),
        ]
    )
    if "v" in letters and linked.told_apart:
        return f"SELECT {by}, n, row FROM {linked.pairs}"
    return f"SELECT {by}, CAST(sum(n) AS BIGINT) AS n, min(row) AS row FROM {linked.pairs} GROUP BY {by}"


def _counts(joint: Table) -> tuple[Whole, Whole, Flags, Whole | None]:
    names = ["n", "row", *(["person"] if "person" in joint.columns else [])]
    counts = joint.engine.arrow(f"SELECT {listed([*names, 'kept'])} FROM {joint} ORDER BY row")
    n, row, *person = (counts.column(c).to_numpy().astype(np.int64) for c in names)
    return n, row, np.asarray(counts.column("kept").to_pylist(), dtype=np.bool_), person[0] if person else None


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
