"""The yardstick of linkage: one DuckDB join of original and release on the columns, matches counted and not kept."""

import duckdb
from timed import Task, timed


def joined(task: Task) -> dict[str, float]:
    same = " AND ".join(f'a."{name}" IS NOT DISTINCT FROM b."{name}"' for name in task["quasi"])
    sql = f"SELECT count(*) FROM read_parquet($1) AS a JOIN read_parquet($2) AS b ON {same}"
    with duckdb.connect() as connection:
        return {"matches": connection.execute(sql, [task["path"], task["released"]]).fetchall()[0][0]}


if __name__ == "__main__":
    timed(joined)
