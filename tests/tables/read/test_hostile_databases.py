"""Databases from people we do not trust: what stands in them reads nothing but themselves."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sfumato.errors import BeyondLimit, EngineError, UnreadableFile
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.database import Database
from sfumato.tables.read.limits import Limits
from sfumato.tables.source import ReadOptions

SECRET = "what only the reader of this machine may see"


def rows_of(source: Path, **options: Any) -> list[tuple[Any, ...]]:
    extract = Database().read(str(source), ReadOptions(**options), DuckDB())
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "elsewhere" / "secret.txt"
    path.parent.mkdir()
    path.write_text(SECRET)
    return path


VIEWS = [
    "SELECT content FROM read_text('{secret}')",
    "SELECT * FROM read_csv('{secret}', header = false)",
    "SELECT * FROM read_blob('{secret}')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM sniff_csv('{secret}')",
    "SELECT (SELECT max(content) FROM read_text('{secret}')) AS content FROM t",
    "SELECT peek(s) AS content FROM t",
    "SELECT upper(s) AS content FROM t",
]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_of_a_duckdb_file_reads_no_file(view: str, secret: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 'x' AS s")
        for name in ("peek", "upper"):  # also in the place of a function that a query may call
            connection.execute(f"CREATE MACRO {name}(x) AS (SELECT max(content) FROM read_text('{secret}'))")
        made_up = (
            "SELECT 'source' AS database_name, 'main' AS schema_name, 'v' AS table_name, 'x' AS sql, false AS internal"
        )
        connection.execute(f"CREATE MACRO duckdb_tables() AS TABLE {made_up}")  # that the view were a table
        connection.execute(f"CREATE MACRO duckdb_views() AS TABLE {made_up.replace('table_', 'view_')} LIMIT 0")
        connection.execute(f"CREATE VIEW v AS {view.format(secret=secret, folder=secret.parent)}")
    for options in ({"table": "v"}, {"query": "SELECT * FROM v"}, {"query": "SELECT count(*) AS n FROM v"}):
        with pytest.raises(UnreadableFile, match=r"failed|is not read|is not run") as caught:
            rows_of(path, **options)
        assert SECRET not in str(caught.value)
    with pytest.raises(UnreadableFile, match="is not run"):
        rows_of(path, query="SELECT upper(s) AS s FROM t")
    assert rows_of(path, table="t") == [("x",)]


def test_views_and_generated_columns_that_read_no_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t (n INTEGER, twice INTEGER GENERATED ALWAYS AS (2 * n))")
        connection.execute("INSERT INTO t VALUES (1), (2)")
        connection.execute("CREATE VIEW v AS SELECT sum(twice) AS total FROM t")
    assert rows_of(path, table="t") == [(1, 2), (2, 4)]
    assert rows_of(path, table="v") == [(6,)]


WITHOUT_END = {
    "recursion": "WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r) SELECT * FROM r",
    "of_recursion": "SELECT count(*) AS n FROM recursion",
    "of_a_view_of_it": "SELECT * FROM of_recursion, t",
    "blob": "SELECT hex(zeroblob(500000000)) AS a",
}
EVER = "SELECT count(*) AS n FROM t, t AS b, t AS c, t AS d, t AS e WHERE (t.n * b.n + c.n * d.n + e.n) % 7 = 3"


def with_views(path: Path) -> Path:
    make = duckdb.connect if path.suffix == ".duckdb" else sqlite3.connect
    connection = make(str(path))
    connection.execute("CREATE TABLE t (n INTEGER, s TEXT)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(n, "ab"[n % 2]) for n in range(300)])
    for name, view in {**WITHOUT_END, "ever": EVER}.items():
        if name != "blob" or path.suffix == ".sqlite":
            connection.execute(f"CREATE VIEW {name} AS {view}")
    connection.execute("CREATE VIEW usual AS SELECT s, count(*) AS n FROM t GROUP BY s HAVING count(*) > 1")
    connection.execute("CREATE VIEW of_usual AS SELECT max(n) AS most FROM usual")
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize("name", ["a.duckdb", "a.sqlite"])
def test_a_view_that_may_never_end_is_refused_and_so_is_what_reads_it(name: str, tmp_path: Path) -> None:
    path = with_views(tmp_path / name)
    for view in WITHOUT_END:
        if view != "blob" or path.suffix == ".sqlite":
            for options in ({"table": view}, {"query": f"SELECT * FROM {view}"}):
                with pytest.raises(UnreadableFile, match=r"the view '\w+' is not read: (WITH RECURSIVE|it calls)"):
                    rows_of(path, **options)
    assert rows_of(path, table="of_usual") == [(150,)]
    assert rows_of(path, query="SELECT most FROM of_usual") == [(150,)]


@pytest.mark.parametrize("change", ["type = 'VIEW'", "name = 'ENDLESS'", "sql = sql || ' -- ' || char(10)"])
def test_a_view_of_sqlite_is_checked_however_its_catalogue_writes_it(change: str, tmp_path: Path) -> None:
    """SQLite takes `VIEW` for a view and `ENDLESS` for endless: a look for the same letters found no statement."""
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (n)")
        recursive = "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT i FROM c) SELECT i FROM c"
        connection.execute(f"CREATE VIEW endless AS {recursive}")
        connection.execute("CREATE VIEW usual AS SELECT count(*) AS n FROM t")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(f"UPDATE sqlite_master SET {change} WHERE name = 'endless'")
    for options in ({"table": "endless"}, {"query": "SELECT i FROM endless"}):
        with pytest.raises(UnreadableFile, match="the view 'endless' is not read: WITH RECURSIVE"):
            rows_of(path, **options)
    assert rows_of(path, table="usual") == [(0,)]


@pytest.mark.parametrize("name", ["a.duckdb", "a.sqlite"])
def test_what_a_database_computes_has_to_end_in_time(name: str, tmp_path: Path) -> None:
    path = with_views(tmp_path / name)
    for options in ({"table": "ever"}, {"query": EVER}):
        with pytest.raises(BeyondLimit, match="--limit query_seconds=2") as caught:
            rows_of(path, **options, limits=Limits(query_seconds=1))
        assert caught.value.__cause__ is None


def test_a_query_of_a_server_has_to_end_in_time(server: Any, database: str) -> None:
    server.run(database, "CREATE TABLE t AS SELECT n FROM generate_series(1, 300) AS n")
    with pytest.raises(BeyondLimit, match="--limit query_seconds=2"):
        Database().read(server.url(database), ReadOptions(query=EVER, limits=Limits(query_seconds=1)), DuckDB())


def test_a_cell_of_sqlite_that_is_too_long_is_refused_before_it_is_made(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.sqlite") as connection:
        connection.execute("CREATE TABLE t (n, long AS (hex(zeroblob(400000000))))")
        connection.execute("INSERT INTO t VALUES (1)")
    with pytest.raises(BeyondLimit, match="cell_length"):
        rows_of(tmp_path / "a.sqlite", table="t")


def test_a_name_in_a_view_is_never_a_variable_of_the_program(tmp_path: Path) -> None:
    import pyarrow as pa

    path, held = tmp_path / "a.duckdb", pa.table({"n": [1]})
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE held AS SELECT 7 AS n")
        connection.execute("CREATE VIEW v AS SELECT * FROM held")
        connection.execute("DROP TABLE held")
    assert held.num_rows == 1
    with pytest.raises(UnreadableFile, match="no such table"):
        rows_of(path, table="v")


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="DuckDB 1 cannot lock its settings but for threads")
def test_the_engine_cannot_be_opened_again_once_it_is_there() -> None:
    engine = DuckDB()
    for setting in ("enable_external_access = true", "autoinstall_known_extensions = true", "memory_limit = '1GB'"):
        with pytest.raises(EngineError):
            engine.run(f"SET {setting}")
    with pytest.raises(EngineError):
        engine.run("INSTALL httpfs")
    engine.expect(engine.query("SELECT 1 AS n"))  # changes the number of threads
    engine.expect(None)
    assert engine.fetch("SELECT 1") == [(1,)]


def test_virtual_tables_of_sqlite_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (n INTEGER)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.execute("CREATE VIRTUAL TABLE box USING rtree(id, least, most)")
    connection.execute("CREATE VIEW pages AS SELECT * FROM pragma_database_list")
    connection.commit()
    connection.close()
    assert Database().tables(str(path)) == ("pages", "t")
    for options in ({"table": "box"}, {"query": "SELECT * FROM box"}, {"query": "SELECT * FROM box_node"}):
        with pytest.raises(UnreadableFile, match=r"no table|no such table"):
            rows_of(path, **options)
    with pytest.raises(UnreadableFile, match="is not read"):  # a schema that is not trusted reaches no pragma
        rows_of(path, table="pages")
    assert rows_of(path, table="t") == [(1,)]


@pytest.mark.postgresql
def test_postgresql_is_read_in_a_transaction_that_cannot_write(server: Any, database: str) -> None:
    server.run(
        database,
        "CREATE TABLE t AS SELECT 1 AS n; CREATE TABLE log (n int); "
        "CREATE FUNCTION evil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (1); RETURN 1; END $$; "
        "CREATE FUNCTION worse() RETURNS int LANGUAGE plpgsql AS $$ BEGIN "
        "PERFORM set_config('transaction_read_only', 'off', true); INSERT INTO log VALUES (1); RETURN 1; END $$; "
        "CREATE VIEW v AS SELECT evil() AS n FROM t; CREATE VIEW w AS SELECT worse() AS n FROM t; "
        "CREATE MATERIALIZED VIEW m AS SELECT 5 AS n",
    )
    url = server.url(database)
    for name in ("v", "w"):
        with pytest.raises(UnreadableFile, match="failed"):
            rows_of(url, table=name)
    assert rows_of(url, query="SELECT count(*) AS n FROM log") == [(0,)]
    assert rows_of(url, query="SELECT n FROM M") == [(5,)]
    with pytest.raises(UnreadableFile, match="it calls evil"):
        rows_of(url, query="SELECT evil() AS n")
