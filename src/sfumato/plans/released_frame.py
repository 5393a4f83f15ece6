"""What is released, as a frame of the kind that was read: for whoever has the data, and is never what is handed on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.plans.draft import Draft
from sfumato.plans.vault import keep_vaults
from sfumato.tables.engine import listed, quoted, same
from sfumato.tables.pandas_frame import KEPT, MARK
from sfumato.tables.read.column_parts import parts

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def released_rows(after: Draft) -> NDArray[np.int64]:
    """Where each released record stood among the records that were read, from 0 on; in that order."""
    numbers = after.engine.arrow(f"SELECT {after.number} AS number FROM {after.table} AS record ORDER BY 1")
    places: NDArray[np.int64] = numbers.column(0).to_numpy().astype("int64") - 1
    return places


def released_frame(before: Draft, after: Draft, *, every_row: bool = False) -> Any:
    """The released records in the order in which they were read, as pandas, polars or Arrow: as they came.

    With `every_row` a record that is left out keeps its row, and every cell of it is missing. What came from a file
    is a pandas frame, its index the place of each record; an Arrow table where pandas is not installed.
    """
    keep_vaults(after)  # what was tokenised leaves now
    unchanged = unchanged_columns(before, after)
    items = listed(f"{'a' if name in unchanged else 'b'}.{quoted(name)}" for name in after.names)
    released = after.engine.arrow(f"""
        SELECT {items} FROM {before.table} AS a JOIN {after.table} AS b ON {same("a", "b", [after.row])}
        ORDER BY b.{quoted(after.row)}""")
    rows = released_rows(after)
    if every_row:
        released, rows = _with_every_row(released, rows, before.count())
    if before.frame is not None:
        return before.frame.given_back(released, rows, unchanged)
    return _of_a_file(released, rows)


def unchanged_columns(before: Draft, after: Draft) -> frozenset[str]:
    """The columns of which every released value is, written as text, the one that was read."""
    names = [name for name in after.names if name in before.names]
    if not names:
        return frozenset()
    pairs = f"{before.table} AS a JOIN {after.table} AS b ON {same('a', 'b', [after.row])}"
    changed: list[int] = []
    for part in parts(names):
        texts = ((f"CAST(a.{quoted(name)} AS VARCHAR)", f"CAST(b.{quoted(name)} AS VARCHAR)") for name in part)
        counts = listed(f"count(*) FILTER (WHERE {one} IS DISTINCT FROM {other})" for one, other in texts)
        changed += after.engine.fetch(f"SELECT {counts} FROM {pairs}")[0]
    return frozenset(name for name, number in zip(names, changed, strict=True) if not number)


def _with_every_row(released: pa.Table, rows: NDArray[np.int64], count: int) -> tuple[pa.Table, NDArray[np.int64]]:
    """A row for each record that was read: nothing but missing values for one that is left out."""
    import numpy as np
    import pyarrow as pa

    places = np.full(count, -1, dtype="int64")
    places[rows] = np.arange(len(rows))
    return released.take(pa.array(places, mask=places < 0)), np.arange(count, dtype="int64")


def _of_a_file(released: pa.Table, rows: NDArray[np.int64]) -> Any:
    try:
        import pandas as pd
    except ImportError:
        return released
    frame = released.to_pandas()
    frame.index = pd.Index(rows)
    frame.attrs[MARK] = KEPT
    return frame
