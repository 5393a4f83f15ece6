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
    >>> numbers_from_arrow(pa.array([5, None, 255], pa.uint8()).slice(1), missing=0).tolist()
    [0, 255]
    >>> numbers_from_arrow(pa.array([True, False, True]).slice(1)).tolist()
    [0, 1]
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    numbers: Whole = np.concatenate([np.zeros(0, dtype=np.int64), *map(_numbers, chunks)])
    if missing is not None and column.null_count:
        numbers[~np.concatenate([_present(chunk) for chunk in chunks])] = missing
    return numbers


def listed_values(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """A column as places in a list of its different values, in the order in which they first occur.

    As Arrow's own method does it, which first loads `pyarrow.compute`. That takes 60 ms, for three hundred functions
    with their descriptions; the one that is called here lies below.

    >>> listed_values(pa.array([70, 20, 70])).indices.to_pylist()
    [0, 1, 0]
    """
    from pyarrow._compute import call_function

    return call_function("dictionary_encode", [column])


def _numbers(chunk: pa.Array) -> Whole:
    """The numbers of a chunk, and 1 for what is true; where one is missing, any."""
    if pa.types.is_boolean(chunk.type):
        return _bits(chunk, chunk.buffers()[1]).astype(np.int64)
    plain = chunk if pa.types.is_integer(chunk.type) else chunk.cast(pa.int64())
    signed = pa.types.is_signed_integer(plain.type)
    sort = np.dtype(f"{'i' if signed else 'u'}{plain.type.bit_width // 8}")
    held = plain.buffers()[1]
    if held is None or not len(plain):
        return np.zeros(len(plain), dtype=np.int64)
    return np.frombuffer(held, dtype=sort, count=len(plain), offset=sort.itemsize * plain.offset).astype(np.int64)


def _present(chunk: pa.Array) -> Flags:
    """Which values are there."""
    marks = chunk.buffers()[0]
    return np.ones(len(chunk), dtype=np.bool_) if marks is None else _bits(chunk, marks)


def _bits(chunk: pa.Array, marks: pa.Buffer) -> Flags:
    """One bit for each value of a chunk, the first of a byte the lowest."""
    bits = np.unpackbits(np.frombuffer(marks, dtype=np.uint8), bitorder="little")
    return bits[chunk.offset : chunk.offset + len(chunk)].astype(np.bool_)


def _marks(values: Sequence[object]) -> pa.Buffer | None:
    """The bits that say which values are there; None where all are."""
    present = [value is not None for value in values]
    return None if all(present) else pa.py_buffer(np.packbits(np.array(present), bitorder="little"))
