"""Tables with more combinations of levels than can be searched."""

from __future__ import annotations

import numpy as np

from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.privacy.coded.table import CodedColumn, CodedTable


def wide(columns: int = 30, height: int = 5, people: int = 1500) -> CodedTable:
    """Forty kinds of people, each with the values of its kind but for three in a hundred."""
    draw = np.random.default_rng(1)
    values = 2**height
    lines = [(f"v{i}", *(f"{level}:{i >> level}" for level in range(1, height)), "*") for i in range(values)]
    tree = Hierarchy(tuple(lines))
    codes = draw.integers(0, values, (columns, 40))[:, draw.integers(0, 40, people)]
    others = draw.integers(0, values, codes.shape)
    codes, records = np.unique(np.where(draw.random(codes.shape) < 0.03, others, codes), axis=1, return_counts=True)
    named = tuple(CodedColumn.of(f"c{j}", tree) for j in range(columns))
    return CodedTable(
        columns=named, codes=codes.astype(np.int64), records=records, members=records, values={}, one_record_each=True
    )
