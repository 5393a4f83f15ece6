"""The yardstick of scenarios: group by the union of their columns once, then the grouped table for each of them."""

import duckdb
from timed import Task, timed


def grouped(task: Task) -> dict[str, float]:
    columns = sorted({name for names in task["scenarios"].values() for name in names})
    union = ", ".join(f'"{name}"' for name in columns)
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TEMP TABLE condensed AS SELECT {union}, count(*) AS n FROM read_parquet($1) GROUP BY {union}",
            [task["path"]],
        )
        alone: dict[str, float] = {}
        for name, names in task["scenarios"].items():
            keys = ", ".join(f'"{name}"' for name in names)
            counted = connection.execute(
                f"SELECT count(CASE WHEN n = 1 THEN 1 END) FROM (SELECT sum(n) AS n FROM condensed GROUP BY {keys})"
            )
            alone[name] = counted.fetchall()[0][0]
    return alone


if __name__ == "__main__":
    timed(grouped)
