"""The least that a look at a node takes: DuckDB groups a number for each record, of as many as there are classes.

The records are the different ones of a table, each as one hash, held in a table; the classes are those of some columns.
"""

import duckdb
from timed import Task, timed


def grouped(task: Task) -> dict[str, float]:
    columns = ", ".join(f'"{name}"' for name in task["by"])
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE held AS SELECT hash({columns}) AS p, 1 AS n FROM read_parquet($1)", [task["path"]]
        )
        for _ in range(task["looks"]):
            size = "SELECT sum(n) AS size FROM held GROUP BY p"
            groups = connection.execute(f"SELECT count(*), sum(size) FILTER (WHERE size < 5) FROM ({size})").fetchall()
    return {"groups": groups[0][0]}


if __name__ == "__main__":
    timed(grouped)
