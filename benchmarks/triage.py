"""Triage of 6,761 made-up tables in a DuckDB file: how long it takes, what each stage decides, and in how much memory.

    .venv/bin/python benchmarks/triage.py [TABLES]

The tables have 300 records each: of ten, one is decided by the names of its columns, one has addresses in a column
whose name says nothing, and the others are lines of machines, or codes of which nothing is known.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import duckdb

import sfumato as sf

TABLES = 6_761  # as many as the electronic record of Jung et al. (S4) has
RECORDS = 300
MADE = (
    "SELECT range AS patient_id, 20 + range % 60 AS age, range % 2 AS sex",
    "SELECT 'a' || range || '@example.org' AS c1, range AS c2",
    "SELECT 'zz' || (range % 3) AS zqv, range % 4 AS qqx",
    *["SELECT range + 1 AS line_number, 'mg' AS unit, range % 2 = 0 AS processed"] * 7,
)


def made(path: Path, tables: int) -> None:
    """Write the tables, in turn."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("BEGIN")
        for number in range(tables):
            select = MADE[number % len(MADE)]
            connection.execute(f"CREATE TABLE t_{number} AS {select} FROM range({RECORDS})")
        connection.execute("COMMIT")


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.duckdb"
        made(path, tables)
        start, used = perf_counter(), process_time()
        document = sf.triage(path).document()
        seconds, used = perf_counter() - start, process_time() - used
    print(document["counts"])
    for stage in document["stages"]:
        print(stage)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{seconds:.0f} s, {used:.0f} s of one core, {memory:.0f} MB at the most")


if __name__ == "__main__":
    main()
