"""Tables larger than what DuckDB may use of the memory: they spill to disk, and the numbers are the same."""

import duckdb
import pytest

from sfumato.errors import OutOfMemory
from sfumato.privacy.assess import assess
from sfumato.privacy.flagged_files import write_flagged
from sfumato.tables.engines.duckdb import DuckDB

ROWS = 600_000
LATER = int(duckdb.__version__.split(".")[0]) >= 2  # earlier versions cannot spill as much


def test_an_assessment_in_little_memory_finds_the_same(tmp_path):
    path = tmp_path / "claims.parquet"
    DuckDB().write(
        f"SELECT i % 997 AS age, concat('region ', i % 13) AS region, "
        f"((i * 7919) % {ROWS} + 500 * (i % 997)) / 4 AS cost FROM range({ROWS}) AS t(i)",
        path,
    )
    question = {"quasi": ["age", "region"], "sensitive": ["cost"], "k": 47, "t": 0.02}
    little = DuckDB(memory="50MB" if LATER else "80MB", threads=2)
    small, large = (assess(str(path), engine=engine, **question) for engine in (little, DuckDB()))
    assert small.to_json() == large.to_json()
    assert small.records == ROWS
    here, there = (write_flagged(found, tmp_path / name) for found, name in ((small, "small"), (large, "large")))
    assert [file.read_bytes() for file in here] == [file.read_bytes() for file in there]
    assert len(here) == 2


def test_who_gave_too_little_memory_is_told_to_give_more():
    engine = DuckDB(memory="10MB")
    with pytest.raises(OutOfMemory, match=r"that it was given: allow more \(--memory\), or use --engine spark"):
        engine.fetch("SELECT list(i) FROM range(20_000_000) AS t(i)")
