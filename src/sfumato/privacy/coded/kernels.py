"""The loops in which a search spends its time, in NumPy and, where numba is at hand, compiled.

All they add up are whole numbers, and classes are numbered in the order of their keys either way: so both give the same
answers to the last bit, and one may take over from the other. numba (`sfumato[fast]`) is imported when large groupings
have taken as long as that takes, and never needed; the environment variable SFUMATO_FAST=0 leaves it out, and
SFUMATO_FAST=1 takes it at once, for small tables as well. Nothing is compiled on the way to an answer unless
SFUMATO_FAST=1 asks for it: a loop is used that was compiled before and kept on disk, and NumPy else (decision 0073).
`python -m sfumato.search.levels.compiled_proof` compiles all of them.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.privacy.coded.distinct_rows import value_numbers

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Real, Whole


# Rows from which on numba is used. Importing it takes 0.35 s of CPU, and a whole search on the 19,502 different records
# of the census 0.2 to 1.3 s, compiled or not: there is nothing to win there. The value itself is chosen, not measured.
WORTH_COMPILING = 50_000
# Rows that NumPy goes through before numba is loaded. A row takes 4.5 ns, so that these are 1.3 s, which is what numba
# takes to be imported, to read its loops from disk and to be torn down. A search of 200,000 different records with its
# explanation goes through 130 million and ends before; one that goes on for minutes loses a second.
WORTH_LOADING = 300_000_000
# Numbers per row above which classes are renumbered by sorting, and not by ticking off the numbers that are used. Of
# 500 and of 20,000 rows both take the same time at about 64 to 128 numbers per row, of 200,000 at 16; at 1,024 ticking
# takes 6 to 30 times as long. A search hardly gets there, so that 4, 16, 64 and 256 make no difference to it.
SPARSE = 64
SMALL_SPACE = 4096  # numbers, so few that ticking is always quicker: a fraction of what one call of a sort costs
# Rows up to which their leaves are weighed at once. In microseconds, nearly all rows being one record: 2 and not 5 for
# 100 rows of nine columns, 6 and not 9 for 500, 22 and 21 for 2,000, 105 and not 88 for 10,000; of 22,000 leaves 3 and
# not 19, 7 and not 23, 21 and not 35, 102 and not 100.
WEIGHED = 2_000


class NumpyKernels:
    """The loops as operations on whole arrays."""

    keeps_steps = True  # whether it pays to keep the places of all rows; a compiled loop looks them up on the way

    def refined(self, ids: Whole, count: int, places: Whole, codes: Whole | None, rows: Whole | None) -> Whole:
        """The numbers of classes that are split by the places of the codes that some rows have, or all.

        Without codes, places are those of the rows already.
        """
        parts: Whole = ids * count
        if codes is None:
            parts += places if rows is None else places.take(rows)
        else:
            parts += places.take(codes if rows is None else codes.take(rows))
        return parts

    def counted(
        self,
        ids: Whole,
        count: int,
        places: Whole,
        codes: Whole | None,
        rows: Whole | None,
        *,
        weights: Real,
        space: int,
    ) -> tuple[Whole, Real]:
        """The same, and the weights of the rows that are here, added up by class."""
        parts = self.refined(ids, count, places, codes, rows)
        return parts, cast("Real", np.bincount(parts, weights=weights, minlength=space))

    def renumbered(self, ids: Whole, records: Real) -> tuple[Whole, Real]:
        """The classes that have records, numbered without gaps in the same order, and their records."""
        used = records > 0
        numbers: Whole = used.cumsum(dtype=np.int64)
        numbers -= 1
        return numbers.take(ids), records[used]

    def leaves_of(
        self, classes: Flags, ids: Whole, rows: Whole | None, *, slots: Whole, weights: Real, width: int
    ) -> Real:
        """The weights of the rows in some classes, added up in each of the slots that a row has."""
        places = classes.take(ids).nonzero()[0]
        return self.histogram(slots, weights, places if rows is None else rows.take(places), width)

    def packed(self, ids: Whole, space: int) -> tuple[Whole, int]:
        """The same classes, numbered without gaps in the same order, and how many there are."""
        if space > SPARSE * len(ids) + SMALL_SPACE:
            different, ids = np.unique(ids, return_inverse=True)
            return ids.reshape(-1), len(different)
        used = np.zeros(space, dtype=np.bool_)
        used[ids] = True
        different = np.flatnonzero(used)
        if len(different) == space:
            return ids, space
        numbers = np.empty(space, dtype=np.int64)
        numbers[different] = np.arange(len(different))
        return numbers.take(ids), len(different)

    def numbered(self, keys: Whole) -> Whole:
        """The place of each key among the different ones, in the order in which they first occur."""
        return value_numbers(keys)

    def added_up(self, owner: Whole, weights: Whole | Real, count: int) -> Real:
        """Weights, added up by owner: numbers from 0 on."""
        return cast("Real", np.bincount(owner, weights=weights, minlength=count))

    def histogram(self, slots: Whole, weights: Real, rows: Whole | None, width: int) -> Real:
        """The weights of some rows, or of all, added up in each of the slots that a row has."""
        if rows is not None:
            slots, weights = slots.take(rows, axis=0), weights.take(rows)
        if len(weights) <= WEIGHED:
            each = np.repeat(weights, slots.shape[1])
            return np.bincount(slots.ravel(), weights=each, minlength=width).astype(float)  # of no rows they are whole
        # Most rows are one record: counting without weights, and adding what is above 1, is quicker than weighing all.
        sums = np.bincount(slots.ravel(), minlength=width).astype(float)
        heavy = np.flatnonzero(weights != 1)
        above_one = np.repeat(weights.take(heavy) - 1, slots.shape[1])
        sums += np.bincount(slots.take(heavy, axis=0).ravel(), weights=above_one, minlength=width)
        return sums


class NumbaKernels(NumpyKernels):
    """The same loops, compiled by numba: one pass over the rows where NumPy takes several."""

    keeps_steps = False

    def __init__(self, numba: Any) -> None:
        self._split, self._split_rows, self._tick, self._renumber, self._add, self._count = (
            compiled(numba, loop) for loop in (split, split_rows, tick, renumber, add, count_slots)
        )
        self._split_counting, self._close_gaps, self._count_classes, self._hash = (
            compiled(numba, loop) for loop in (split_counting, close_gaps, count_classes, hash_keys)
        )
        self.one_of_them = self._split_counting  # which every search needs

    def refined(self, ids: Whole, count: int, places: Whole, codes: Whole | None, rows: Whole | None) -> Whole:
        assert codes is not None  # no steps of rows are kept for it
        parts = np.empty(len(ids), dtype=np.int64)
        if rows is None:
            self._split(ids, count, places, codes, parts)
        else:
            self._split_rows(ids, count, places, (codes, rows), parts)
        return parts

    def counted(
        self,
        ids: Whole,
        count: int,
        places: Whole,
        codes: Whole | None,
        rows: Whole | None,
        *,
        weights: Real,
        space: int,
    ) -> tuple[Whole, Real]:
        assert codes is not None
        parts, records = np.empty(len(ids), dtype=np.int64), np.zeros(space)
        whose = codes, codes if rows is None else rows, rows is None
        self._split_counting(ids, count, places, whose, (weights, parts, records))
        return parts, records

    def renumbered(self, ids: Whole, records: Real) -> tuple[Whole, Real]:
        parts, numbers, own = np.empty(len(ids), dtype=np.int64), np.empty(len(records), dtype=np.int64), records.copy()
        return parts, own[: self._close_gaps(ids, records, numbers, parts, own)]

    def leaves_of(
        self, classes: Flags, ids: Whole, rows: Whole | None, *, slots: Whole, weights: Real, width: int
    ) -> Real:
        sums = np.zeros(width)
        self._count_classes(classes, ids, (ids if rows is None else rows, rows is None), (slots, weights), sums)
        return sums

    def packed(self, ids: Whole, space: int) -> tuple[Whole, int]:
        if space > SPARSE * len(ids) + SMALL_SPACE:
            return super().packed(ids, space)
        numbers = np.empty(space, dtype=np.int32 if space < 2**31 else np.int64)
        different = int(self._tick(ids, np.zeros(space, dtype=np.bool_), numbers))
        if different == space:
            return ids, space
        renumbered = np.empty(len(ids), dtype=np.int64)
        self._renumber(ids, numbers, renumbered)
        return renumbered, different

    def numbered(self, keys: Whole) -> Whole:
        # Twice as many places as keys, and a power of two of them: then few keys meet another one in their place.
        bits = max(int(2 * len(keys)).bit_length(), 1)
        numbers = np.empty(len(keys), dtype=np.int64)
        self._hash(keys, bits, np.empty(1 << bits, dtype=np.int64), np.full(1 << bits, -1, dtype=np.int64), numbers)
        return numbers

    def added_up(self, owner: Whole, weights: Whole | Real, count: int) -> Real:
        sums = np.zeros(count)
        if not self._add(owner, weights, sums):
            return super().added_up(owner, weights, count)
        return sums

    def histogram(self, slots: Whole, weights: Real, rows: Whole | None, width: int) -> Real:
        sums = np.zeros(width)
        self._count(slots, weights, slots[0, :0] if rows is None else rows, sums, rows is None)
        return sums


class RowsSoFar:
    """How many rows of large groupings this process has gone through."""

    def __init__(self) -> None:
        self.count = 0

    def worth_loading(self, rows: int) -> bool:
        """Whether numba is worth its import now that so many rows more are gone through."""
        self.count += rows
        return self.count > WORTH_LOADING


def kernels(rows: int) -> NumpyKernels:
    """The kernels for going through so many rows."""
    if os.environ.get("SFUMATO_FAST", "") != "1" and not (rows >= WORTH_COMPILING and _so_far().worth_loading(rows)):
        return _plain()
    return fastest_kernels(rows)


def fastest_kernels(rows: int) -> NumpyKernels:
    """The kernels for going through so many rows again and again."""
    setting = os.environ.get("SFUMATO_FAST", "")
    if setting == "0" or (rows < WORTH_COMPILING and setting != "1"):
        return _plain()
    return _fastest() if setting == "1" else _ready()


@cache
def _so_far() -> RowsSoFar:
    return RowsSoFar()


@cache
def _ready() -> NumpyKernels:
    """The fastest that need not be compiled first."""
    fastest = _fastest()
    return fastest if isinstance(fastest, NumbaKernels) and kept_on_disk(fastest.one_of_them) else _plain()


def kept_on_disk(loop: Any) -> bool:
    """Whether a loop was compiled before, with this Python, and nothing that it may be made of was changed since."""
    return any(path.stat().st_mtime >= _changed(loop) for path in _kept(loop))


def _kept(loop: Any) -> list[Path]:
    """What numba lists of what it has kept of a loop: by module, name, line and version of Python."""
    folder, code = getattr(getattr(loop, "_cache", None), "cache_path", None), loop.py_func.__code__
    version = f"py{sys.version_info.major}{sys.version_info.minor}"
    return [*Path(folder).glob(f"*.{code.co_name}-{code.co_firstlineno}.{version}*.nbi")] if folder else []


def _changed(loop: Any) -> float:
    """When a module beside a loop, or beside this one, was changed last: a loop is made of others and of constants."""
    return max(map(_last_change, {Path(loop.py_func.__code__.co_filename).parent, Path(__file__).parent}))


@cache
def _last_change(folder: Path) -> float:
    return max(path.stat().st_mtime for path in folder.glob("*.py"))


@cache
def _plain() -> NumpyKernels:
    return NumpyKernels()


@cache
def _fastest() -> NumpyKernels:
    try:
        import numba
    except ImportError:
        return _plain()
    return NumbaKernels(numba)


def compiled(numba: Any, loop: Any) -> Any:
    """A loop, compiled when it is called first and then kept on disk, where there is a place for it.

    What was kept before a module beside it was changed goes: numba looks at the loop's own module only, and would run
    what others were before.
    """
    try:
        made = numba.njit(loop, cache=True, nogil=True)
        for path in _kept(made):
            if path.stat().st_mtime < _changed(made):
                path.unlink(missing_ok=True)
    except (RuntimeError, OSError):
        return numba.njit(loop, nogil=True)
    return made


def split(ids: Any, count: int, places: Any, codes: Any, parts: Any) -> None:
    """Number the parts of classes by the places of codes."""
    for i in range(len(ids)):
        parts[i] = ids[i] * count + places[codes[i]]


def split_rows(ids: Any, count: int, places: Any, codes: Any, parts: Any) -> None:
    """The same for some rows, by the codes of all rows and the numbers of those."""
    of_all, rows = codes
    for i in range(len(ids)):
        parts[i] = ids[i] * count + places[of_all[rows[i]]]


def tick(ids: Any, used: Any, numbers: Any) -> int:
    """Number those of the numbers that are used, in their order, and say how many there are."""
    for i in range(len(ids)):
        used[ids[i]] = True
    different = 0
    for number in range(len(used)):
        numbers[number] = different
        different += used[number]
    return different


def renumber(ids: Any, numbers: Any, renumbered: Any) -> None:
    """Look up the new numbers."""
    for i in range(len(ids)):
        renumbered[i] = numbers[ids[i]]


def add(owner: Any, weights: Any, sums: Any) -> bool:
    """Add weights up by owner; false where there are more owners than places."""
    for i in range(len(owner)):
        if owner[i] >= len(sums):
            return False
        sums[owner[i]] += weights[i]
    return True


def count_slots(slots: Any, weights: Any, rows: Any, sums: Any, every: bool) -> None:  # noqa: FBT001
    """Add the weight of each row up in each of its slots."""
    for i in range(len(weights) if every else len(rows)):
        row = i if every else rows[i]
        for j in range(slots.shape[1]):
            sums[slots[row, j]] += weights[row]


def split_counting(ids: Any, count: int, places: Any, codes: Any, sums: Any) -> None:
    """Number the parts of classes by the places of the codes of all rows, or of some, and add up their weights."""
    of_all, rows, every = codes
    weights, parts, records = sums
    for i in range(len(ids)):
        part = ids[i] * count + places[of_all[i if every else rows[i]]]
        parts[i] = part
        records[part] += weights[i]


def close_gaps(ids: Any, records: Any, numbers: Any, parts: Any, own: Any) -> int:
    """Number the classes that have records, in their order; say how many there are."""
    used = 0
    for number in range(len(records)):
        numbers[number] = used
        if records[number] > 0:
            own[used] = records[number]
            used += 1
    for i in range(len(ids)):
        parts[i] = numbers[ids[i]]
    return used


def count_classes(classes: Any, ids: Any, rows: Any, leaves: Any, sums: Any) -> None:
    """Add the weight of each row that is in one of some classes up in each of its slots."""
    numbers, every = rows
    slots, weights = leaves
    for i in range(len(ids)):
        if classes[ids[i]]:
            row = i if every else numbers[i]
            for j in range(slots.shape[1]):
                sums[slots[row, j]] += weights[row]


def hash_keys(keys: Any, bits: int, known: Any, place_of: Any, numbers: Any) -> None:
    """Number the different keys, none of which is below 0, in the order in which they first occur.

    Open addressing with multiplicative hashing (Knuth 1998. The art of computer programming, volume 3, section 6.4):
    the highest bits of the product of a key and a number without pattern, here 2**64 over the golden ratio.
    """
    mask, shift, different = (1 << bits) - 1, 64 - bits, 0
    for i in range(len(keys)):
        slot = ((keys[i] * -7046029254386353131) >> shift) & mask
        while place_of[slot] >= 0 and known[slot] != keys[i]:
            slot = (slot + 1) & mask
        if place_of[slot] < 0:
            known[slot], place_of[slot] = keys[i], different
            different += 1
        numbers[i] = place_of[slot]
