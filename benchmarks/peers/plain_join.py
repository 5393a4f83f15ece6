"""Yardsticks of linkage: original and release joined on the columns by DuckDB, record by record or group by group."""

import duckdb
from timed import Task, timed


def joined(task: Task) -> dict[str, float]:
    """How many originals have a match, as a share of all."""
    same = " AND ".join(f'a."{name}" IS NOT DISTINCT FROM b."{name}"' for name in task["quasi"])
    keys = ", ".join(f'"{name}"' for name in task["quasi"])
    original, released = "read_parquet($1)", "read_parquet($2)"
    if task["how"] == "groups":
        sql = f"""
            SELECT sum(a.n) FROM (SELECT {keys}, count(*) AS n FROM {original} GROUP BY {keys}) AS a
            JOIN (SELECT {keys} FROM {released} GROUP BY {keys}) AS b ON {same}"""
    else:
        sql = f"SELECT count(*) FROM {original} AS a SEMI JOIN {released} AS b ON {same}"
    with duckdb.connect() as connection:
        matched = connection.execute(sql, [task["path"], task["released"]]).fetchall()[0][0]
        records = connection.execute("SELECT count(*) FROM read_parquet($1)", [task["path"]]).fetchall()[0][0]
    return {"match_rate": float(matched or 0) / records}


if __name__ == "__main__":
    timed(joined)
