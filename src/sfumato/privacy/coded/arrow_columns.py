"""Columns of Arrow made of numbers and texts, and numbers of such columns, by the memory that they lie in.

Arrow asks pandas before it makes a column of Python's values, or an array of a column: to load that takes a third of a
second, longer than most searches, and nothing here needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Flags, Whole


def numbers_to_arrow(values: Sequence[int | None] | Whole) -> pa.Array:
    """A column of whole numbers.

    >>> numbers_to_arrow([5, None, 7]).to_pylist(), numbers_to_arrow(np.array([5, 7])).to_pylist()
    ([5, None, 7], [5, 7])
    """
    if isinstance(values, np.ndarray):
        plain = np.ascontiguousarray(values, dtype=np.int64)
        return pa.Array.from_buffers(pa.int64(), len(plain), [None, pa.py_buffer(plain)])
    numbers = np.array([0 if value is None else value for value in values], dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(numbers), [_marks(values), pa.py_buffer(numbers)])


def texts_to_arrow(values: Sequence[str | None]) -> pa.Array:
    """A column of texts.

    >>> texts_to_arrow(["é", None, ""]).to_pylist()
    ['é', None, '']
    """
    parts = [b"" if value is None else value.encode() for value in values]
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int32)  # hierarchies are far from two gigabytes
    held = [_marks(values), pa.py_buffer(ends), pa.py_buffer(b"".join(parts))]
    return pa.Array.from_buffers(pa.string(), len(parts), held)


def numbers_from_arrow(column: pa.Array | pa.ChunkedArray, *, missing: int | None = None) -> Whole:
    """A column of whole numbers, with a number of its own for a missing value where there may be some.

    >>> numbers_from_arrow(pa.chunked_array([[5, 7], [None, 9]]), missing=-1).tolist()
    [5, 7, -1, 9]
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    numbers: Whole = np.concatenate([np.zeros(0, dtype=np.int64), *map(_numbers, chunks)])
    if missing is not None and column.null_count:
        numbers[~np.concatenate([_present(chunk) for chunk in chunks])] = missing
    return numbers


def _numbers(chunk: pa.Array) -> Whole:
    """The numbers of a chunk; where one is missing, any."""
    whole = pa.types.is_int64(chunk.type) or pa.types.is_int32(chunk.type)
    plain = chunk if whole else chunk.cast(pa.int64())
    sort = np.dtype(np.int32 if pa.types.is_int32(plain.type) else np.int64)
    held = plain.buffers()[1]
    if held is None or not len(plain):
        return np.zeros(len(plain), dtype=np.int64)
    return np.frombuffer(held, dtype=sort, count=len(plain), offset=sort.itemsize * plain.offset).astype(np.int64)


def _present(chunk: pa.Array) -> Flags:
    """Which values are there: one bit each, the first of a byte the lowest."""
    marks = chunk.buffers()[0]
    if marks is None:
        return np.ones(len(chunk), dtype=np.bool_)
    bits = np.unpackbits(np.frombuffer(marks, dtype=np.uint8), bitorder="little")
    return bits[chunk.offset : chunk.offset + len(chunk)].astype(np.bool_)


def _marks(values: Sequence[object]) -> pa.Buffer | None:
    """The bits that say which values are there; None where all are."""
    present = [value is not None for value in values]
    return None if all(present) else pa.py_buffer(np.packbits(np.array(present), bitorder="little"))
