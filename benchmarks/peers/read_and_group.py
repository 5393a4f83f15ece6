"""The yardstick of whole commands: DuckDB reads a file, CSV or Parquet, and groups it by some columns; nothing more."""

import duckdb
from timed import Task, timed


def read_and_grouped(task: Task) -> dict[str, float]:
    columns = ", ".join(f'"{name}"' for name in task["quasi"])
    source = "read_csv" if task["path"].endswith(".csv") else "read_parquet"
    held = task.get("held", False)  # all columns read into a table, as whoever goes on with them has to
    counted = f"SELECT {columns}, count(*) AS n FROM {'held' if held else f'{source}($1)'} GROUP BY {columns}"
    sql = f"SELECT count(*), sum(n) FILTER (WHERE n = 1) FROM ({counted})"
    with duckdb.connect() as connection:
        if held:
            connection.execute(f"CREATE TABLE held AS SELECT * FROM {source}($1)", [task["path"]])
        groups, alone = connection.execute(sql, [] if held else [task["path"]]).fetchall()[0]
    return {"groups": groups, "alone": int(alone or 0)}


if __name__ == "__main__":
    timed(read_and_grouped)
