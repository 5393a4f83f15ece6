"""The census table of the anonymisation literature as counted tuples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.search.conftest import census_table

from sfumato.privacy.classes import Value
from sfumato.privacy.coded.group_records import condense
from sfumato.search.local.counted_tuples import CountedTuples


def census(shared: Path, *, ordered: Sequence[str] = (), sensitive: str | None = None) -> CountedTuples:
    dataset = census_table(shared / "data" / "adult", {sensitive: "sensitive"} if sensitive else {})
    table = condense(dataset, [Value(sensitive)] if sensitive else [])
    return CountedTuples.of_condensed(table, dataset.hierarchies, ordered)
