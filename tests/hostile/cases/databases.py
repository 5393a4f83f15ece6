"""DuckDB and SQLite files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from tests.hostile.case import HEADER, MARK, Case, Place, file_case, rows

COLUMNS = ", ".join(f"{name} VARCHAR" for name in HEADER)
FILLED = f"CREATE TABLE d ({COLUMNS}); " + "; ".join(f"INSERT INTO d VALUES {row!r}" for row in rows())


def _duckdb(name: str, what: str, sql: str, **known: object) -> Case:
    """A DuckDB file made by these statements; {folder} is that of the case, {neighbour} that of somebody else."""

    def make(place: Place) -> Path:
        import duckdb

        path = place.folder / "d.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql.format(folder=place.folder, neighbour=place.neighbour))
        return path

    return Case(f"duckdb-{name}", what, "table", make, **known)  # type: ignore[arg-type]


def _sqlite(name: str, what: str, sql: str, then: Callable[[Path], None] | None = None, **known: object) -> Case:
    def make(place: Place) -> Path:
        path = place.folder / "d.sqlite"
        with sqlite3.connect(path) as connection:
            connection.executescript(sql)
        connection.close()
        if then:
            then(path)
        return path

    return Case(f"sqlite-{name}", what, "table", make, **known)  # type: ignore[arg-type]


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1500])


def _bent(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100:120] = b"\xff" * 20
    path.write_bytes(content)


def _page_size(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[16:18] = b"\x00\x03"
    path.write_bytes(content)


def _journal(path: Path) -> None:
    """A journal that says it is to be played back."""
    path.with_name(path.name + "-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + b"\xff" * 600)


def _log_beside(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"\x37\x7f\x06\x82" + b"\xff" * 100)


def _bent_duckdb(begin: int) -> Callable[[Place], Path]:
    def make(place: Place) -> Path:
        import duckdb

        path = place.folder / "d.duckdb"
        with duckdb.connect(str(path)) as connection:
            connection.execute(FILLED)
        content = bytearray(path.read_bytes())
        content[begin : begin + 200] = b"\xff" * 200
        path.write_bytes(content)
        return path

    return make


def _wal(place: Place) -> Path:
    path = _bent_duckdb(10**9)(place)
    path.with_name("d.duckdb.wal").write_bytes(b"\xff" * 500)
    return path


def _cut_duckdb(place: Place) -> Path:
    path = _bent_duckdb(10**9)(place)
    path.write_bytes(path.read_bytes()[:9000])
    return path


CASES = [
    _duckdb("good", "A table as it should be.", FILLED, records=12),
    file_case("duckdb-empty", "An empty file.", "d.duckdb", b""),
    file_case("duckdb-rubbish", "Rubbish.", "d.duckdb", bytes(range(256)) * 50, refused="d.duckdb"),
    file_case("duckdb-magic", "The head of a database and nothing else.", "d.duckdb", bytes(8) + b"DUCK" + bytes(4000)),
    Case("duckdb-cut", "A database that is cut.", "table", _cut_duckdb, refused="d.duckdb"),
    *(Case(f"duckdb-bent-{begin}", f"A database with wrong bytes from {begin} on.", "table", _bent_duckdb(begin), refused="d.duckdb") for begin in (0, 12, 4100, 12300)),
    Case("duckdb-wal", "A database with a journal of rubbish beside it.", "table", _wal),
    _duckdb("no-tables", "A database without tables.", "CREATE SCHEMA s", refused="d.duckdb"),
    _duckdb("view-of-a-file", "A view that reads a file of whoever opens it.", "CREATE VIEW d AS SELECT * FROM read_csv('{neighbour}/victim.csv')", refused="d.duckdb"),
    _duckdb("view-of-a-name", "A view that reads a file by its name.", "CREATE VIEW d AS SELECT * FROM '{neighbour}/victim.csv'", refused="d.duckdb"),
    _duckdb("view-of-a-text", "A view that reads the text of a file.", "CREATE VIEW d AS SELECT content AS age, filename AS dx FROM read_text('{neighbour}/*.csv')", refused="d.duckdb"),
    _duckdb("view-of-a-folder", "A view that lists files.", "CREATE VIEW d AS SELECT file AS age FROM glob('{neighbour}/*')", refused="d.duckdb"),
    _duckdb("view-of-settings", "A view of the settings of whoever opens it.", "CREATE VIEW d AS SELECT name AS age, value AS dx FROM duckdb_settings()"),
    _duckdb("view-of-the-environment", "A macro and a view that ask for variables.", "CREATE MACRO m() AS (SELECT current_setting('home_directory')); CREATE VIEW d AS SELECT m() AS age"),
    _duckdb("macro-of-a-name", "A view, and a function of the file under the name of one of DuckDB's.", f"{FILLED}; CREATE MACRO lower(x) AS (SELECT string_agg(value, ' ') FROM duckdb_settings()); CREATE VIEW e AS SELECT age, lower(dx) AS dx FROM d; ALTER TABLE d RENAME TO f", refused="d.duckdb"),
    _duckdb("computed-settings", "A column that is computed of the settings of whoever opens it.", "CREATE TABLE d (age INT, dx VARCHAR AS (current_setting('temp_directory'))); INSERT INTO d SELECT 1 FROM range(12)", refused="current_setting"),
    _duckdb("view-without-end", "A view of a thousand million rows.", "CREATE VIEW d AS SELECT i AS age, i AS dx FROM range(1000000000) r(i)", refused="d.duckdb"),
    _duckdb("view-recursion", "A view that never ends.", "CREATE VIEW d AS WITH RECURSIVE r(age) AS (SELECT 1 UNION ALL SELECT age + 1 FROM r) SELECT * FROM r", refused="d.duckdb"),
    _duckdb("view-broken", "A view of a table that was dropped.", f"{FILLED}; CREATE VIEW v AS SELECT * FROM d; DROP TABLE d"),
    _duckdb("nested", "Lists, structures, maps and unions.", f"CREATE TABLE d AS SELECT i AS age, [i, NULL] AS a, {{{{'x': '{MARK}'}}}} AS b, MAP {{{{'{MARK}': 1}}}} AS c, union_value(n := i) AS e FROM range(12) r(i)"),
    _duckdb("types", "Hugeints, bits, blobs, times, enums and intervals.", "CREATE TYPE mood AS ENUM ('a', 'b'); CREATE TABLE d AS SELECT i::HUGEINT * 1000000000000000000000000000000 AS age, '0101'::BIT AS b, '\\xFF'::BLOB AS c, '24:00:00'::TIME AS t, 'a'::mood AS e, INTERVAL 1 MONTH AS f, uuid() AS g, 'infinity'::DATE AS h, 'nan'::DOUBLE AS k FROM range(12) r(i)"),
    _duckdb("names", "Names of tables and columns with quotes and SQL.", "CREATE TABLE \"x\"\"; DROP TABLE y; --\" AS SELECT 1 AS age, 2 AS \"a\"\"b'); --\""),
    _duckdb("two-tables", "Two tables, and nobody said which.", f"{FILLED}; CREATE TABLE e AS FROM d"),
    _duckdb("generated", "Columns that are computed, defaults and checks.", "CREATE SEQUENCE s; CREATE TABLE d (age INT DEFAULT nextval('s') CHECK (age > 0), dx INT AS (age * 2)); INSERT INTO d SELECT 1 FROM range(12)"),
    _sqlite("good", "A table as it should be.", FILLED, records=12),
    file_case("sqlite-empty", "An empty file.", "d.sqlite", b""),
    file_case("sqlite-magic", "The head of a database and nothing else.", "d.sqlite", b"SQLite format 3\0", refused="d.sqlite"),
    file_case("sqlite-rubbish", "The head of a database and rubbish.", "d.sqlite", b"SQLite format 3\0" + b"\xff" * 5000, refused="d.sqlite"),
    file_case("sqlite-is-csv", "A CSV file called database.", "d.db", f"age,dx\n1,{MARK}\n", refused="d.db"),
    _sqlite("cut", "A database that is cut.", FILLED, _cut, refused="d.sqlite"),
    _sqlite("bent", "A database whose schema is rubbish.", FILLED, _bent, refused="d.sqlite"),
    _sqlite("page-size", "A database whose pages have three bytes.", FILLED, _page_size, refused="d.sqlite"),
    _sqlite("journal", "A database with a journal of rubbish beside it.", FILLED, _journal),
    _sqlite("wal", "A database with a log of rubbish beside it.", FILLED, _log_beside),
    _sqlite("no-tables", "A database without tables.", "PRAGMA user_version = 1; CREATE TABLE x (a); DROP TABLE x", refused="d.sqlite"),
    _sqlite("view-broken", "A view of a table that is not there.", "CREATE TABLE x (age); CREATE VIEW d AS SELECT * FROM x; DROP TABLE x"),
    _sqlite("view-without-end", "A view that never ends.", "CREATE VIEW d AS WITH RECURSIVE r(age) AS (SELECT 1 UNION ALL SELECT age + 1 FROM r) SELECT * FROM r", refused="d.sqlite"),
    _sqlite("view-of-a-blob", "A view that makes a gigabyte.", "CREATE VIEW d AS SELECT 1 AS age, randomblob(1000000000) AS dx", refused="d.sqlite"),
    _sqlite("view-loads", "A view that loads a library.", "CREATE VIEW d AS SELECT load_extension('/tmp/evil') AS age", refused="d.sqlite"),
    _sqlite("trigger", "A table with triggers.", f"{FILLED}; CREATE TRIGGER t AFTER INSERT ON d BEGIN DELETE FROM d; END", records=12),
    _sqlite("virtual", "A virtual table for searching.", f"CREATE VIRTUAL TABLE d USING fts5(age, dx); INSERT INTO d VALUES ('1', '{MARK}')"),
    _sqlite("virtual-unknown", "A virtual table of a module that nobody has.", "CREATE TABLE x (age); PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('table', 'd', 'd', 0, 'CREATE VIRTUAL TABLE d USING evil(x)')"),
    _sqlite("mixed", "Texts, blobs and numbers in a column of integers.", f"CREATE TABLE d (age INTEGER, dx INTEGER); INSERT INTO d VALUES (1, '{MARK}'), (x'ff00', 1e400), ('x', 9223372036854775807), (NULL, x'ff')"),
    _sqlite("encoding", "Texts that are no UTF-8.", "CREATE TABLE d (age TEXT, dx TEXT); INSERT INTO d VALUES (CAST(x'fffe41' AS TEXT), 'a'), ('b' || char(0) || 'c', 'd')"),
    _sqlite("names", "Names with quotes, SQL and what moves a cursor.", "CREATE TABLE \"x\"\"; DROP TABLE y; --\" (age, \"a\"\"b'); --\", \"\x1b[2J\"); INSERT INTO \"x\"\"; DROP TABLE y; --\" VALUES (1, 2, 3)"),
    _sqlite("wide", "Two thousand columns.", f"CREATE TABLE d (age, {', '.join(f'c{i}' for i in range(1990))}); INSERT INTO d (age) VALUES (1), (2)", heavy=True),
    _sqlite("generated", "Columns that are computed.", "CREATE TABLE d (age, dx AS (age * 2) STORED, e AS (age || char(0))); INSERT INTO d (age) VALUES (1)"),
    _sqlite("no-rows", "A table without records.", "CREATE TABLE d (age, dx)", refused="no records"),
]  # fmt: skip
