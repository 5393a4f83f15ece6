"""How many combinations of original values a row stands for at a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.privacy.coded.lattice import Node
from sfumato.privacy.coded.table import CodedTable

if TYPE_CHECKING:
    from sfumato.privacy.coded.arrays import Real, Whole


def volumes(table: CodedTable, levels: Node, rows: Whole) -> Real:
    """The product over all columns of how many values the label of each row stands for."""
    product = np.ones(len(rows))
    for j, level in enumerate(levels):
        if level:
            product *= table.columns[j].leaves[level].take(table.labels(j, level).take(rows))
    return product
