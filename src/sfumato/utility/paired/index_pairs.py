"""Pairs by the index of pandas: a label is a record, wherever its row stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import SchemaError
from sfumato.tables.engine import Table, listed, quoted, same, unused
from sfumato.tables.pandas_frame import KEPT, MARK
from sfumato.tables.read.column_parts import DISTINCT, parts
from sfumato.tables.source import Extract
from sfumato.utility.paired.record_join import require_pairing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


UNKNOWN = (
    "It is not known which record of the release was which of the original: {}, and a release is written in an order "
    "of its own. Name a column that both have (key=...), compare what `to_frame()` gives, which keeps the index of the "
    "original, or say that both tables have their records in the same order (by_position=True)."
)


def pair_by_index(original: Extract, released: Extract) -> tuple[Extract, Extract, str] | None:
    """Both tables with the number of the record in the original, and the column that has it; None where one of them
    is no pandas frame.

    Labels must be unique in both, and those of the release among those of the original: `SchemaError` where they are
    not. An index that only counts rows (0, 1, 2, ...) says where a row stands and not which it is, and any file that is
    read has one. So numbers count as labels where `to_frame()` gave them, or where some column agrees in every pair.
    """
    frames = [each.frame.frame for each in (original, released) if each.frame and each.frame.kind == "pandas"]
    if len(frames) < 2:
        return None
    before, after = frames
    places = _places(before.index, after.index)
    taken = {name.casefold() for name in (*original.table.columns, *released.table.columns)}
    key = unused("row", lambda name: name.casefold() in taken)
    numbered = original.table.engine.numbered(f"SELECT * FROM {original.table}", key, held=False)
    paired = replace(original, table=numbered), _with_places(released, places, key), key
    known = after.index.is_(before.index) or after.attrs.get(MARK) == KEPT or not _are_numbers(before.index)
    if not known and not _agrees(paired[0].table, paired[1].table, key):
        raise SchemaError(UNKNOWN.format("the labels of its index are numbers, and no column agrees by them"))
    return paired


def paired_extracts(
    original: Extract, released: Extract, key: str | None, *, by_position: bool
) -> tuple[Extract, Extract, str | None]:
    """Both tables and the column that pairs them: the one named, or the number that the index of pandas says.

    None is their position, where somebody said so; `SchemaError` where nobody knows what pairs them.
    """
    indexed = None if key or by_position else pair_by_index(original, released)
    if indexed is not None:
        return indexed
    require_pairing(key, by_position=by_position)
    return original, released, key


def _are_numbers(index: Any) -> bool:
    """Whether labels are whole numbers without a name, as where rows stand is."""
    return index.nlevels == 1 and index.dtype.kind in "iu" and index.name is None


def _agrees(original: Table, released: Table, key: str) -> bool:
    """Whether a column that tells records apart has the same value in both records of every pair."""
    names = [name for name in released.columns if name != key and name in original.columns]
    if not names:
        return False
    pairs = f"{original} AS a JOIN {released} AS b ON {same('a', 'b', [key])}"
    for part in parts(names, DISTINCT):
        one, other = ([f"CAST({side}.{quoted(name)} AS VARCHAR)" for name in part] for side in "ab")
        unlike = [f"count(*) FILTER (WHERE {x} IS DISTINCT FROM {y})" for x, y in zip(one, other, strict=True)]
        counted = listed([*unlike, *(f"count(DISTINCT {x})" for x in one)])
        (counts,) = original.engine.fetch(f"SELECT {counted} FROM {pairs}")
        different, values = counts[: len(part)], counts[len(part) :]
        if any(not unlike and number > 1 for unlike, number in zip(different, values, strict=True)):
            return True
    return False


def _with_places(released: Extract, places: NDArray[np.int64], key: str) -> Extract:
    """The release with the number that each of its records has in the original."""
    import numpy as np
    import pyarrow as pa

    table = released.table
    engine, taken = table.engine, {name.casefold() for name in table.columns}
    place = unused("place", lambda name: name.casefold() in taken or name == key)
    numbers = engine.load(pa.table({"place": np.arange(1, len(places) + 1), "original": places + 1}))
    rows = engine.numbered(f"SELECT * FROM {table}", place, held=False)
    return replace(
        released,
        table=engine.view(f"""
            SELECT numbers.original AS {quoted(key)}, {quoted(*table.columns)}
            FROM {rows} AS listed JOIN {numbers} AS numbers ON numbers.place = listed.{quoted(place)}"""),
    )


def _places(original: Any, released: Any) -> NDArray[np.int64]:
    """Where in the index of the original each label of the release stands, from 0 on."""
    if _only_counts(released) and not released.is_(original):
        raise SchemaError(UNKNOWN.format("its index only counts its rows, as that of any file does"))
    for index, which in ((original, "original"), (released, "release")):
        if not index.is_unique:
            twice = int(index.duplicated().sum())
            raise SchemaError(
                f"The index of the {which} does not say which record is which: {twice} of its labels occurred before. "
                f"Give every record a label of its own, or name a column that both tables have (key=...)."
            )
    places: NDArray[np.int64] = original.get_indexer(released).astype("int64")
    strange = int((places < 0).sum())
    if strange:
        raise SchemaError(
            f"Of the labels of the index of the release {strange} {'is' if strange == 1 else 'are'} not in "
            f"that of the original. Compare the release with the table that it was made from, or name a column that "
            f"both have (key=...)."
        )
    return places


def _only_counts(index: Any) -> bool:
    """Whether an index is the one that pandas gives where nobody gave one."""
    import pandas as pd

    return isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1 and index.name is None
