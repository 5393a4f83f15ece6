"""NumPy alone: one grouping of a coded table by all its columns, in one of three ways."""

import json
import sys

import numpy as np
from sfumato_search import coded
from timed import Task, timed


def grouped(table: np.ndarray, how: str) -> int:
    """How many different rows a table of codes has: one row per record or combination, one column per attribute."""
    if how == "unique rows":
        return len(np.unique(table, axis=0))
    if how == "lexsort":
        ordered = table[np.lexsort(table.T[::-1])]
        return 1 + int((np.diff(ordered, axis=0) != 0).any(axis=1).sum())
    key = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        key = key * (int(column.max()) + 1) + column
    return len(np.unique(key))


if __name__ == "__main__":
    TASK: Task = json.loads(sys.argv[1])
    CONDENSED = coded(TASK)
    ROWS = np.repeat(CONDENSED.codes, CONDENSED.records if TASK["records"] else 1, axis=1)
    TABLE = np.ascontiguousarray(ROWS.T)
    timed(lambda task: {"classes": grouped(TABLE, task["how"]), "rows": len(TABLE)})
