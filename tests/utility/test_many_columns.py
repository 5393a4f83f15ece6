"""Comparisons of very many columns are refused with what would make them possible: pairs of columns are too many."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sfumato.errors import BeyondLimit
from sfumato.tables.read.limits import Limits
from sfumato.tables.source import ReadOptions
from sfumato.utility.compare import compare

TABLE = pa.table({f"c{place}": [1, 2, 2] for place in range(3)})


def test_more_columns_than_the_limit_are_named_or_the_limit_is_raised() -> None:
    two = ReadOptions(limits=Limits(compared_columns=2))
    with pytest.raises(BeyondLimit, match="3 columns are to be compared, of which --quasi may name some") as caught:
        compare(TABLE, TABLE, by_position=True, options=two)
    assert "--limit compared_columns=4" in str(caught.value)
    assert compare(TABLE, TABLE, by_position=True, quasi=["c0", "c2"], options=two)["loss"].total.value == 0
    raised = ReadOptions(limits=Limits(compared_columns=4))
    assert compare(TABLE, TABLE, by_position=True, options=raised)["loss"].total.value == 0
