"""The yardstick: one bare DuckDB GROUP BY over all columns. Its groups are counted and not kept."""

import duckdb
from timed import Task, timed


def grouped(task: Task) -> dict[str, float]:
    columns = ", ".join(f'"{name}"' for name in task["columns"])
    sql = f"SELECT count(*), max(n) FROM (SELECT {columns}, count(*) AS n FROM read_parquet($1) GROUP BY {columns})"
    with duckdb.connect() as connection:
        connection.execute(sql, [task["path"]]).fetchall()
    return {}


if __name__ == "__main__":
    timed(grouped)
