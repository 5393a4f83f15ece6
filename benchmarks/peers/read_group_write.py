"""The yardstick of anonymisation: read the table, group it by its quasi-identifiers, write it, with DuckDB alone."""

import tempfile
from pathlib import Path

import duckdb
from timed import Task, timed


def through(task: Task) -> dict[str, float]:
    keys = ", ".join(f'"{name}"' for name in task["quasi"])
    with duckdb.connect() as connection, tempfile.TemporaryDirectory() as folder:
        connection.execute("CREATE TEMP TABLE read AS SELECT * FROM read_parquet($1)", [task["path"]])
        connection.execute(f"CREATE TEMP TABLE condensed AS SELECT {keys}, count(*) AS n FROM read GROUP BY {keys}")
        connection.execute(f"COPY read TO '{Path(folder) / 'written.parquet'}' (FORMAT parquet)")
        return {"condensed": float(connection.execute("SELECT count(*) FROM condensed").fetchall()[0][0])}


if __name__ == "__main__":
    timed(through)
