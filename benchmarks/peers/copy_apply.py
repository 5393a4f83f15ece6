"""The yardstick: DuckDB copies the Parquet file."""

import duckdb
from timed import Task, timed


def copied(task: Task) -> dict[str, float]:
    with duckdb.connect() as connection:
        records = connection.execute(
            f"COPY (SELECT * FROM read_parquet('{task['path']}')) TO '{task['out']}' (FORMAT parquet)"
        )
        return {"records": records.fetchall()[0][0]}


if __name__ == "__main__":
    timed(copied)
