"""Tables and queries in DuckDB files, SQLite files and a PostgreSQL server."""

from __future__ import annotations

import datetime as dt
import sqlite3
import traceback
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sfumato.errors import UnknownColumn, UnreadableFile, WrongScale
from sfumato.tables.engine import Engine, Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.database import Database
from sfumato.tables.read.store import masked
from sfumato.tables.source import Extract, ReadOptions

ODD = 'my "table" é'
QUOTED = ODD.replace('"', '""')


def read(source: str, engine: Engine | None = None, **options: Any) -> tuple[Extract, list[tuple[Any, ...]]]:
    extract = Database().read(source, ReadOptions(**options), engine or DuckDB())
    return extract, extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def duckdb_file(path: Path, *statements: str) -> str:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return str(path)


def sqlite_file(path: Path, *statements: str) -> str:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return str(path)


MAKERS = pytest.mark.parametrize("make", [duckdb_file, sqlite_file])
PEOPLE = (
    f'CREATE TABLE "{QUOTED}" ("a ge" INTEGER, "x""y" DOUBLE, "naïf" TEXT)',
    f"""INSERT INTO "{QUOTED}" VALUES (1, 1.5, 'Zoë'), (NULL, 2.0, NULL), (3, NULL, '')""",
)
ROWS = [(1, 1.5, "Zoë"), (None, 2.0, None), (3, None, "")]


@MAKERS
def test_the_only_table_needs_no_name_and_keeps_odd_names(make: Any, tmp_path: Path) -> None:
    extract, rows = read(make(tmp_path / "it's é.db", *PEOPLE))
    assert rows == ROWS
    assert [column.name for column in extract.columns] == ["a ge", 'x"y', "naïf"]
    assert [column.kind for column in extract.columns] == [Kind.INTEGER, Kind.REAL, Kind.TEXT]
    assert [column.missing for column in extract.columns] == [1, 1, 1]
    assert extract.name == f"it's é.db (table {ODD!r})"


@MAKERS
def test_one_of_several_tables_has_to_be_named(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path / "a.db", *PEOPLE, "CREATE TABLE other (n INTEGER)", "INSERT INTO other VALUES (7)")
    for name in (ODD, f'"{QUOTED}"', f'main."{QUOTED}"', f"main.{ODD}"):
        assert read(source, table=name)[1] == ROWS
    assert read(source, table="other")[1] == [(7,)]
    with pytest.raises(UnreadableFile, match=r"several tables: 'my \"table\" é', 'other'.*--table"):
        read(source)
    with pytest.raises(UnreadableFile, match=r"no table 'othr'. Did you mean 'other'"):
        read(source, table="othr")


@MAKERS
def test_a_query_is_read_instead_of_a_table(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path / "a.db", *PEOPLE, "CREATE TABLE other (n INTEGER)")
    two = f'WITH two AS (SELECT "a ge" AS n FROM "{QUOTED}")'
    query = f"{two} SELECT n, n * 2 AS twice FROM two ORDER BY n DESC; "
    extract, rows = read(source, query=query)
    assert sorted(rows, key=str) == [(1, 2), (3, 6), (None, None)]
    assert extract.name == "a.db (query)"
    assert read(source, query="SELECT 1 AS one -- the end")[1] == [(1,)]


@MAKERS
def test_a_query_that_fails_quotes_neither_cells_nor_the_driver(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path / "a.db", *PEOPLE)
    for query, problem in (
        ("SELECT nope FROM nowhere", "no such table"),
        (f'SELECT nope.nope FROM "{QUOTED}"', "the query failed"),
        ("DROP TABLE x", "no SELECT"),
        (f'DELETE FROM "{QUOTED}"', "no SELECT"),
        ("SELECT 1; SELECT 2", "2 statements"),
    ):
        with pytest.raises(UnreadableFile, match=problem) as caught:
            read(source, query=query)
        assert "Zoë" not in "".join(traceback.format_exception(caught.value))
    assert read(source)[1] == ROWS


def test_a_cell_that_breaks_a_query_half_way_is_not_shown(tmp_path: Path) -> None:
    source = duckdb_file(tmp_path / "a.duckdb", *PEOPLE)
    with pytest.raises(UnreadableFile, match="the query failed") as caught:
        read(source, query=f'SELECT CAST("naïf" AS INTEGER) AS n FROM "{QUOTED}"')
    assert "Zoë" not in "".join(traceback.format_exception(caught.value))


@MAKERS
def test_a_database_without_tables_is_unreadable(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path / "a.db", "CREATE TABLE t (n INTEGER)", "DROP TABLE t")
    with pytest.raises(UnreadableFile, match="has no tables"):
        read(source)


@MAKERS
def test_a_file_cut_short_or_of_another_kind_is_unreadable(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path / "a.db", *PEOPLE, f'INSERT INTO "{QUOTED}" SELECT * FROM "{QUOTED}"')
    whole = Path(source).read_bytes()
    for content in (b"", b"name\nErmintrude\n", whole[:600], whole[: len(whole) // 2]):
        Path(source).write_bytes(content)
        with pytest.raises(UnreadableFile) as caught:
            read(source)
        assert "Ermintrude" not in str(caught.value)
        assert "Zoë" not in "".join(traceback.format_exception(caught.value))


def test_a_file_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no such file"):
        read(str(tmp_path / "none.db"))


@MAKERS
def test_a_person_decides_kinds_and_missing_texts(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path / "a.db", *PEOPLE)
    extract, rows = read(source, kinds={"a ge": Kind.TEXT}, missing=("Zoë", ""))
    assert rows == [("1", 1.5, None), (None, 2.0, None), ("3", None, None)]
    with pytest.raises(WrongScale, match=r"'naïf'.*real.*2 values"):
        read(source, kinds={"naïf": Kind.REAL})
    with pytest.raises(UnknownColumn, match="Did you mean 'a ge'"):
        read(source, kinds={"age": Kind.TEXT})


def test_a_table_of_a_duckdb_file_is_read_in_place_and_the_file_is_left_alone(tmp_path: Path) -> None:
    source = duckdb_file(tmp_path / "a.duckdb", "CREATE TABLE t AS SELECT range AS n FROM range(1000)")
    before = Path(source).read_bytes()
    engine = DuckDB()
    extract, _ = read(source, engine)
    assert engine.fetch(f"SELECT count(*) FROM duckdb_views() WHERE view_name = '{extract.table}'") == [(1,)]
    again, rows = read(source, engine)
    assert (len(rows), extract.table.count()) == (1000, 1000)
    assert Path(source).read_bytes() == before


def test_a_duckdb_file_that_is_open_for_writing_says_so(tmp_path: Path) -> None:
    source = duckdb_file(tmp_path / "a.duckdb", "CREATE TABLE t AS SELECT 1 AS n")
    with duckdb.connect(source), pytest.raises(UnreadableFile, match="open for writing elsewhere"):
        read(source)


def test_tables_of_other_schemas_are_named_with_the_schema(tmp_path: Path) -> None:
    source = duckdb_file(
        tmp_path / "a.duckdb",
        'CREATE SCHEMA "s p"',
        'CREATE TABLE "s p".t AS SELECT 1 AS n',
        "CREATE TABLE t AS SELECT 2 AS n",
        "CREATE VIEW v AS SELECT 3 AS n",
    )
    assert [read(source, table=name)[1] for name in ("t", "s p.t", '"s p"."t"', "v")] == [
        [(2,)],
        [(1,)],
        [(1,)],
        [(3,)],
    ]
    with pytest.raises(UnreadableFile, match=r"'s p\.t', 't', 'v'"):
        read(source)


def test_a_sqlite_column_takes_the_kind_of_all_its_cells_not_of_the_first(tmp_path: Path) -> None:
    source = sqlite_file(
        tmp_path / "a.sqlite",
        "CREATE TABLE t (late, mixed, whole, number, blob)",
        *["INSERT INTO t VALUES (NULL, 1, 1, 1, NULL)"] * 3000,
        "INSERT INTO t VALUES ('end', 'Zoë', 2, 2.5, x'0102')",
    )
    extract, rows = read(source)
    assert [column.kind for column in extract.columns] == ["text", "text", "integer", "real", "other"]
    assert (len(rows), rows[0], rows[-1]) == (
        3001,
        (None, "1", 1, 1.0, None),
        ("end", "Zoë", 2, 2.5, b"\x01\x02"),
    )


def test_a_password_is_never_shown() -> None:
    assert masked("postgresql://alice:secret@host/db") == "postgresql://alice:***@host/db"
    assert masked("postgres://host/db?user=a&password=secret") == "postgres://host/db?user=a&password=***"
    assert masked("postgresql://alice@host/db") == "postgresql://alice@host/db"
    assert masked("postgresql://host/db") == "postgresql://host/db"


def test_a_server_that_does_not_answer_fails_at_the_connection() -> None:
    with pytest.raises(UnreadableFile, match=r"alice:\*\*\*@127.0.0.1:1/x: the connection failed") as caught:
        read("postgresql://alice:secret@127.0.0.1:1/x")
    assert "secret" not in "".join(traceback.format_exception(caught.value)).replace('alice:secret@127.0.0.1:1/x")', "")


@pytest.mark.postgresql
def test_postgresql_types_arrive_as_kinds(server: Any, database: str) -> None:
    server.run(
        database,
        f"""
        CREATE TYPE mood AS ENUM ('sad', 'ok');
        CREATE TABLE "{QUOTED}" (
            i int, b bigint, n numeric(10, 2), f real, d date, t timestamp, z timestamptz, l boolean,
            "Näme" varchar, u uuid, j jsonb, m mood, a int[], p inet, c time
        );
        INSERT INTO "{QUOTED}" VALUES (
            1, 9007199254740993, 2.50, 1.5, '1890-01-02', '2020-01-01 10:11:12', '2020-01-01 10:00+02', true,
            'Zoë', '00000000-0000-0000-0000-000000000001', '{{"a": 1}}', 'ok',
            '{{1,2}}', '10.0.0.1', '10:11:12'
        ), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """,
    )
    extract, rows = read(server.url(database))
    assert rows == [
        (
            1, 9007199254740993, 2.5, 1.5, dt.date(1890, 1, 2), dt.datetime(2020, 1, 1, 10, 11, 12),
            dt.datetime(2020, 1, 1, 8), True, "Zoë", "00000000-0000-0000-0000-000000000001", '{"a": 1}', "ok",
            "{1,2}", "10.0.0.1/32", "10:11:12",
        ),
        (None,) * 15,
    ]  # fmt: skip
    kinds = ["integer", "integer", "real", "real", "date", "timestamp", "timestamp", "boolean", *["text"] * 7]
    assert [column.kind for column in extract.columns] == kinds
    assert [column.missing for column in extract.columns] == [1] * 15
    assert "p%40ss" not in extract.name


@pytest.mark.postgresql
def test_postgresql_tables_views_and_queries_are_chosen_by_name(server: Any, database: str) -> None:
    server.run(
        database,
        'CREATE SCHEMA "s p"; CREATE TABLE "s p"."t 1" AS SELECT 1 AS n; CREATE TABLE "T" AS SELECT 2 AS n; '
        'CREATE VIEW v AS SELECT 3 AS "n", 4 AS "N"',
    )
    url = server.url(database)
    assert [read(url, table=name)[1] for name in ("t 1", "s p.t 1", "T", '"public"."T"')] == [
        [(1,)],
        [(1,)],
        [(2,)],
        [(2,)],
    ]
    assert [column.name for column in read(url, table="v")[0].columns] == ["n (1)", "N (2)"]
    assert read(url, query='SELECT sum(n) AS total FROM (SELECT n FROM "T" UNION SELECT n FROM v) AS u;')[1] == [(5.0,)]
    with pytest.raises(UnreadableFile, match=r"several tables: 'T', 's p\.t 1', 'v'"):
        read(url)
    with pytest.raises(UnreadableFile, match=r"Did you mean 's p\.t 1'"):
        read(url, table="s p.t1")


@pytest.mark.postgresql
def test_every_table_of_postgresql_is_identified_and_no_password_is_shown(server: Any, database: str) -> None:
    import sfumato as sf

    server.run(database, "CREATE TABLE people (email text, sex text); CREATE TABLE visits (visit_no int, age int)")
    server.run(database, "INSERT INTO people VALUES ('a@example.org', 'F'), ('b@example.org', 'M')")
    server.run(database, "INSERT INTO visits VALUES (1, 40), (2, 41)")
    found = sf.identify(server.url(database))
    assert isinstance(found, sf.Identifications)
    assert [table.source for table in found.tables] == ["people", "visits"]
    assert found.totals()["direct"] == 1
    assert "***" in found.source
    assert "w%C3%B6rd" not in found.to_json()


@pytest.mark.postgresql
def test_postgresql_says_which_part_failed_without_password_or_cell(server: Any, database: str) -> None:
    server.run(database, "CREATE TABLE t AS SELECT 'Ermintrude' AS name, generate_series(1, 5000) AS n")
    half_way = "SELECT CASE WHEN n > 4500 THEN CAST(name AS int) ELSE n END AS n FROM t"
    attempts = [
        (server.url(database, password="wr0ng"), {}, "the authentication failed"),
        (server.url("nowhere"), {}, "no such database"),
        (server.url(database), {"query": "SELECT nope FROM t"}, "the query failed"),
        (server.url(database), {"query": "DELETE FROM t"}, "no SELECT"),
        (
            server.url(database),
            {"query": "WITH d AS (DELETE FROM t RETURNING n) SELECT * FROM d"},
            "WITH may name a SELECT only",
        ),
        (server.url(database), {"query": half_way}, "the query failed"),
    ]
    for url, options, problem in attempts:
        with pytest.raises(UnreadableFile, match=problem) as caught:
            read(url, **options)
        shown = "".join(traceback.format_exception(caught.value))
        assert not any(secret in shown for secret in ("Ermintrude", "wr0ng", "p%40ss", "p@ss"))
    assert read(server.url(database), query="SELECT count(*) AS n FROM t")[1] == [(5000,)]


@pytest.mark.postgresql
def test_postgresql_streams_every_row(server: Any, database: str) -> None:
    server.run(database, "CREATE TABLE t AS SELECT n, n / 2.0 AS half FROM generate_series(1, 100000) AS n")
    extract = Database().read(server.url(database), ReadOptions(), DuckDB())
    summed = extract.table.engine.fetch(f"SELECT count(*), sum(n), sum(half) FROM {extract.table}")
    assert summed == [(100000, 5000050000, 2500025000.0)]


def test_sources_are_claimed_by_suffix_or_scheme() -> None:
    claimed = ("a.duckdb", "A.DB", "b.sqlite3", "postgres://h/d", "POSTGRESQL://h/d")
    assert [source for source in (*claimed, "a.csv", "http://x/y", 3) if Database().claims(source)] == list(claimed)
