"""Queries of project files: what a hospital writes gives the rows that it gave, and nothing else is run."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import UnreadableFile
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.checked_query import CheckedQuery
from sfumato.tables.read.formats.database import Database
from sfumato.tables.read.query_words import FUNCTIONS
from sfumato.tables.read.store import Relation
from sfumato.tables.source import ReadOptions

DIALECTS = ("duckdb", "sqlite", "postgres")
TABLES = (
    "CREATE TABLE patients (id INTEGER, name VARCHAR(40), sex VARCHAR(1), born DATE, postcode VARCHAR(10))",
    "CREATE TABLE visits (id INTEGER, day DATE, ward VARCHAR(20), cost DOUBLE PRECISION, code VARCHAR(8))",
    "INSERT INTO patients VALUES (1, 'Ada', 'F', '1950-02-28', '0151'), (2, 'bo', 'M', '1999-12-31', 'L69 3BX'), "
    "(3, NULL, 'F', '2010-06-01', NULL)",
    "INSERT INTO visits VALUES (1, '2024-01-02', 'north', 10.5, 'E11.9'), (1, '2024-03-05', 'south', NULL, 'I10'), "
    "(2, '2024-02-29', 'north', 3, 'E10.1'), (4, '2023-12-31', 'east', 7, NULL)",
)
KNOWN = {
    dialect: [Relation(schema, name) for name in ("patients", "visits")]
    for dialect, schema in zip(DIALECTS, ("main", "main", "public"), strict=True)
}

EVERYWHERE = [
    "SELECT * FROM visits",
    "SELECT p.sex, v.ward, v.cost FROM patients p JOIN visits v ON v.id = p.id",
    "SELECT p.id, v.code FROM patients AS p LEFT JOIN visits AS v USING (id)",
    "WITH first AS (SELECT id, min(day) AS day FROM visits GROUP BY id), n AS (SELECT count(*) AS n FROM first) "
    "SELECT v.*, n.n FROM visits v JOIN first f ON f.id = v.id AND f.day = v.day CROSS JOIN n",
    "SELECT CASE WHEN cost IS NULL THEN 'none' WHEN cost < 5 THEN 'low' ELSE 'high' END AS price FROM visits",
    "SELECT CASE sex WHEN 'F' THEN 1 ELSE 2 END AS s, upper(trim(name)) AS name FROM patients",
    "SELECT ward, count(*) AS n, avg(cost) AS mean, sum(cost) AS total FROM visits GROUP BY ward HAVING count(*) > 1",
    "SELECT id, row_number() OVER (PARTITION BY id ORDER BY day DESC) AS nth FROM visits",
    "SELECT id, lag(day) OVER (PARTITION BY id ORDER BY day) AS before, sum(cost) OVER (ORDER BY day ROWS BETWEEN "
    "UNBOUNDED PRECEDING AND CURRENT ROW) AS so_far FROM visits",
    "SELECT id FROM patients UNION SELECT id FROM visits ORDER BY 1",
    "SELECT id FROM patients INTERSECT SELECT id FROM visits EXCEPT SELECT 2",
    "SELECT id FROM patients WHERE id IN (SELECT id FROM visits WHERE ward LIKE 'n%') AND NOT id = 9",
    "SELECT id FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id) ORDER BY id LIMIT 1 OFFSET 1",
    "SELECT coalesce(postcode, '?') AS postcode, substr(postcode, 1, 2) AS area, length(name) AS n FROM patients",
    "SELECT CAST(id AS VARCHAR(10)) || '-' || sex AS label, "
    "replace(postcode, ' ', '') AS p FROM patients WHERE nullif(sex, 'F') IS NULL",
    "SELECT DISTINCT ward FROM visits WHERE day BETWEEN '2024-01-01' AND '2024-12-31' AND cost IS NOT NULL",
    "SELECT count(DISTINCT ward) AS wards, max(abs(round(cost))) AS most FROM visits WHERE code IN ('I10', 'E11.9')",
    "SELECT a.n FROM (SELECT count(*) AS n FROM patients) AS a -- how many?",
    "SELECT rank() OVER w AS r, ntile(2) OVER w AS half FROM visits WINDOW w AS (ORDER BY day)",
    'SELECT "id" AS "the ""id""", id * 2 + 1 AS n, id % 2 AS odd FROM "patients"',
]
OWN = {
    "duckdb": [
        "SELECT date_diff('year', born, DATE '2024-01-01') AS age, year(born) AS y FROM patients",
        "SELECT * EXCLUDE (name) FROM patients ORDER BY id",
        "FROM visits WHERE cost > 4",
        "SELECT name COLLATE NOCASE AS name FROM patients ORDER BY name COLLATE NOCASE",
        "SELECT strftime(day, '%Y-%m') AS month, median(cost) AS m FROM visits GROUP BY ALL ORDER BY ALL",
        "SELECT * FROM visits QUALIFY row_number() OVER (PARTITION BY id ORDER BY day) = 1",
        "SELECT day + INTERVAL 30 DAY AS later, TRY_CAST(code AS INTEGER) AS n, cost::INTEGER AS c FROM visits",
        "SELECT regexp_extract(code, '[A-Z]') AS l, split_part(code, '.', 1) AS c FROM visits WHERE code ILIKE 'e%'",
        "SELECT string_agg(code, ';' ORDER BY code) AS codes, count(*) FILTER (WHERE cost > 5) AS n FROM visits",
        "SELECT date_trunc('month', day) AS m, extract(dow FROM day) AS d, id // 2 AS half FROM visits",
    ],
    "sqlite": [
        "SELECT CAST((julianday('2024-01-01') - julianday(born)) / 365.25 AS INTEGER) AS age FROM patients",
        "SELECT strftime('%Y', day) AS y, date(day, '+30 days') AS later FROM visits",
        "SELECT name COLLATE NOCASE AS name, ifnull(postcode, 'x') AS p FROM patients ORDER BY name COLLATE NOCASE",
        "SELECT group_concat(code, ';') AS codes, total(cost) AS t FROM visits GROUP BY id ORDER BY id",
        "SELECT iif(cost > 5, 'high', 'low') AS price, instr(code, '.') AS dot, id / 2 AS half FROM visits",
        "SELECT code GLOB 'E*' AS e, code LIKE 'e#%' ESCAPE '#' AS l FROM visits",
    ],
    "postgres": [
        "SELECT extract(year FROM age(DATE '2024-01-01', born))::int AS age, to_char(born, 'YYYY') AS y FROM patients",
        "SELECT DISTINCT ON (id) id, ward FROM visits ORDER BY id, day DESC NULLS LAST",
        "SELECT date_trunc('month', day)::date AS m, day + interval '30 days' AS later FROM visits",
        'SELECT name COLLATE "C" AS name FROM patients ORDER BY name COLLATE "C"',
        "SELECT string_agg(code, ';' ORDER BY code) AS codes, count(*) FILTER (WHERE cost > 5) AS n FROM visits",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS median FROM visits",
        "SELECT code ~ '^E1' AS e, code ILIKE 'e%' AS i, split_part(code, '.', 1) AS c, 'a\\' AS slash FROM visits",
        "SELECT (day - DATE '2024-01-01') AS days, cost::numeric(8,2) AS cost, greatest(id, 2) AS g FROM visits",
    ],
}
ORDINARY = [(dialect, query) for dialect in DIALECTS for query in (*EVERYWHERE, *OWN[dialect])]

HOSTILE_EVERYWHERE = [
    "",
    ";",
    "SELECT 1; SELECT 2",
    "SELECT 1) AS source; DROP TABLE visits; --",
    "SELECT 1) AS x; COPY (SELECT 1) TO 'stolen.csv'; SELECT * FROM (SELECT 1",
    "DELETE FROM visits",
    "INSERT INTO visits SELECT * FROM visits",
    "UPDATE visits SET cost = 0",
    "DROP TABLE visits",
    "CREATE TABLE x AS SELECT 1",
    "SELECT * INTO x FROM visits",
    "WITH d AS (DELETE FROM visits RETURNING *) SELECT * FROM d",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r",
    "SELECT * FROM nowhere",
    "SELECT * FROM other.visits",
    "SELECT * FROM a.b.visits",
    "SELECT (WITH secret AS (SELECT 1 AS n) SELECT n FROM secret) FROM secret",
    "SELECT unheard_of(name) FROM patients",
    "SELECT random() FROM visits",
    "SELECT * FROM visits TABLESAMPLE SYSTEM (10)",
    "EXPLAIN SELECT 1",
    "SELECT * FROM unheard_of('x')",
    "SELECT * FROM visits, LATERAL unheard_of(visits.id)",
    "SELECT * FROM information_schema.tables",
    "SELECT ? AS x",
    "SELECT :name AS x",
    "BEGIN",
    "SELECT 1 AS x\0; DROP TABLE visits",
    "SELECT " + "(" * 200 + "1" + ")" * 200,
    "SELECT " + "1 + " * 9_000 + "1",
    "SELECT '" + "x" * 60_000 + "'",
]
HOSTILE_OWN = {
    "duckdb": [
        "COPY visits TO 'stolen.csv'",
        "COPY visits FROM '/etc/passwd'",
        "ATTACH 'other.duckdb'",
        "PRAGMA database_list",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "LOAD httpfs",
        "CALL pragma_version()",
        "EXPORT DATABASE 'stolen'",
        "SELECT * FROM '/etc/passwd'",
        'SELECT * FROM "/etc/passwd"',
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_csv_auto('/etc/passwd')",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM read_blob('/etc/hostname')",
        "SELECT * FROM read_parquet('x.parquet')",
        "SELECT * FROM parquet_scan('x.parquet')",
        "SELECT * FROM read_json('x.json')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM sqlite_scan('x.sqlite', 't')",
        "SELECT * FROM postgres_scan('host=evil', 'public', 't')",
        "SELECT * FROM query('SELECT 1')",
        "SELECT * FROM query_table('visits')",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM duckdb_secrets()",
        "SELECT * FROM range(1000000000)",
        "SELECT * FROM (SELECT * FROM visits WHERE id IN (SELECT length(content) FROM read_text('/etc/hostname')))",
        "WITH a AS (SELECT * FROM read_text('/etc/hostname')) SELECT * FROM a",
        "SELECT current_setting('home_directory')",
        "SELECT getenv('HOME')",
        "SELECT getvariable('x')",
        "SELECT nextval('s')",
        "SELECT write_log('x')",
        "SELECT list_transform([1], x -> x + 1)",
        "SELECT [x FOR x IN [1, 2]]",
        "SELECT main.upper(name) FROM patients",
        "SELECT name.upper() FROM patients",
        "SELECT COLUMNS('.*') FROM visits",
        "PIVOT visits ON ward USING sum(cost)",
        "SUMMARIZE visits",
        "DESCRIBE visits",
        "FROM visits SELECT * INTO x",
    ],
    "sqlite": [
        "ATTACH DATABASE 'stolen.db' AS s",
        "PRAGMA writable_schema = ON",
        "VACUUM INTO 'stolen.db'",
        "SELECT load_extension('evil.so')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('stolen.txt', name) FROM patients",
        "SELECT edit(name) FROM patients",
        "SELECT fts3_tokenizer('simple')",
        "SELECT zeroblob(1000000000)",
        "SELECT randomblob(10)",
        "SELECT printf('%1000000000d', 1)",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM pragma_table_info('visits')",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM sqlite_schema",
        "SELECT * FROM sqlite_dbpage",
        "SELECT * FROM json_each('[1]')",
        "SELECT * FROM fsdir('/etc')",
        "SELECT * FROM csv('/etc/passwd')",
        "SELECT * FROM visits INDEXED BY x",
    ],
    "postgres": [
        "COPY visits TO PROGRAM 'id'",
        "COPY visits TO '/tmp/stolen'",
        "DO $$ BEGIN PERFORM pg_sleep(9); END $$",
        "CALL evil()",
        "SET ROLE postgres",
        "LISTEN x",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_catalog.pg_read_file('/etc/passwd')",
        "SELECT \"pg_read_file\"('/etc/passwd')",
        "SELECT pg_read_binary_file('/etc/passwd')",
        "SELECT * FROM pg_ls_dir('/etc')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_export(1, '/tmp/x')",
        "SELECT * FROM dblink('host=evil', 'SELECT 1') AS t(x int)",
        "SELECT pg_sleep(1000)",
        "SELECT set_config('x.y', 'z', false)",
        "SELECT current_setting('data_directory')",
        "SELECT nextval('s')",
        "SELECT setval('s', 1)",
        "SELECT query_to_xml('DELETE FROM visits', true, true, '')",
        "SELECT table_to_xml('pg_shadow', true, true, '')",
        "SELECT database_to_xml(true, true, '')",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_notify('a', 'b')",
        "SELECT * FROM pg_shadow",
        "SELECT * FROM pg_catalog.pg_authid",
        "SELECT * FROM visits FOR UPDATE",
        "SELECT 'pg_shadow'::regclass",
        "SELECT 'x'::public.evil",
        "SELECT (visits).id FROM visits",
        "SELECT * FROM ROWS FROM (generate_series(1, 3))",
        "SELECT generate_series(1, 1000000000)",
        "SELECT repeat('x', 1000000000)",
        "SELECT id OPERATOR(public.+) 1 FROM visits",
        "SELECT E'\\'; DROP TABLE visits; --'",
        "SELECT U&'\\0041'",
        "SELECT $$x$$",
        "SELECT xmlparse(document '<a/>')",
        "SELECT xpath('/a', '<a/>')",
        "SELECT unnest(ARRAY[1, 2])",
        "SELECT name::json ->> 'x' FROM patients",
        "SELECT convert_from('x', 'utf8')",
        "TABLE pg_shadow",
        'SELECT * FROM "Visits"',
    ],
}
HOSTILE = [(dialect, query) for dialect in DIALECTS for query in (*HOSTILE_EVERYWHERE, *HOSTILE_OWN[dialect])]


def checked(dialect: str, query: str) -> str:
    return CheckedQuery("study.db", dialect, KNOWN[dialect]).sql(query)


@pytest.mark.parametrize(("dialect", "query"), HOSTILE, ids=lambda text: text[:40])
def test_a_query_that_could_do_more_than_read_tables_is_refused(dialect: str, query: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        checked(dialect, query)
    assert str(caught.value).startswith("study.db: the query ")
    assert caught.value.__cause__ is None
    assert len(str(caught.value)) < 400


def test_a_function_that_is_refused_is_named_with_what_to_do() -> None:
    with pytest.raises(UnreadableFile, match=r"it calls pg_read_file, .*Export the table"):
        checked("postgres", "SELECT pg_read_file('/etc/passwd')")


def test_no_function_on_the_list_reaches_files_settings_or_other_servers() -> None:
    reaching = (
        "file",
        "read_",
        "scan",
        "query",
        "sleep",
        "setting",
        "config",
        "nextval",
        "lo_",
        "pg_",
        "dblink",
        "load",
    )
    assert not [name for name in FUNCTIONS for part in reaching if part in name]


def duckdb_file(folder: Path) -> str:
    with duckdb.connect(str(folder / "study.duckdb")) as connection:
        for statement in TABLES:
            connection.execute(statement)
    return str(folder / "study.duckdb")


def sqlite_file(folder: Path) -> str:
    with sqlite3.connect(folder / "study.sqlite") as connection:
        for statement in TABLES:
            connection.execute(statement)
    connection.close()
    return str(folder / "study.sqlite")


def rows_of(source: str, **options: Any) -> list[tuple[Any, ...]]:
    extract = Database().read(source, ReadOptions(**options), DuckDB())
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def same(rows: Any, others: Any) -> bool:
    """Whether rows are the same, in any order; SQLite has no dates and PostgreSQL has decimals."""

    def plain(value: Any) -> str:
        number = isinstance(value, int | float) or type(value).__name__ == "Decimal"
        return f"{float(value):.9g}" if number else str(value).removesuffix(" 00:00:00")

    return sorted([*map(plain, row)] for row in rows) == sorted([*map(plain, row)] for row in others)


def duckdb_made_by(folder: Path, *statements: str) -> str:
    with duckdb.connect(str(folder / "made.duckdb")) as connection:
        for statement in ("CREATE TABLE d AS SELECT 20 AS age, 'x' AS dx FROM range(3)", *statements):
            connection.execute(statement)
    return str(folder / "made.duckdb")


MACROS = [
    ("lower", "x", "SELECT lower(dx) AS dx FROM d"),
    ('"LOWER"', "x", "SELECT lower(dx) AS dx FROM d"),
    ('"+"', "a, b", "SELECT age + 1 AS age FROM d"),
    ("date_part", "a, b", "SELECT extract(year FROM DATE '2020-01-01') AS y FROM d"),
    ("total", "x", "SELECT total(age) AS t FROM d"),  # on the list for SQLite; DuckDB has none
    ("ts_or_ds_to_date", "x", "SELECT ts_or_ds_to_date(age) AS t FROM d"),  # a word of sqlglot's tree
]


@pytest.mark.parametrize(("name", "parameters", "select"), MACROS)
def test_a_function_of_the_file_is_never_called_in_place_of_the_one_that_was_meant(
    name: str, parameters: str, select: str, tmp_path: Path
) -> None:
    hidden = f"CREATE MACRO {name}({parameters}) AS current_setting('temp_directory')"
    source = duckdb_made_by(tmp_path, hidden, f"CREATE VIEW v AS {select}")
    for options in ({"query": select}, {"table": "v"}):
        with pytest.raises(UnreadableFile, match="of its own, which it could call"):
            rows_of(source, **options)
    assert len(rows_of(source, table="d")) == 3


def test_a_function_of_the_file_that_nothing_calls_does_no_harm(tmp_path: Path) -> None:
    source = duckdb_made_by(tmp_path, "CREATE MACRO age_band(x) AS x // 10", "CREATE VIEW v AS SELECT upper(dx) FROM d")
    assert rows_of(source, table="v") == [("X",)] * 3
    assert rows_of(source, query="SELECT age FROM d LIMIT 1") == [(20,)]


@pytest.mark.parametrize("computed", ["current_setting('temp_directory')", "getvariable('x')", "repeat('x', age)"])
def test_a_column_is_computed_by_what_a_query_may_have_only(computed: str, tmp_path: Path) -> None:
    source = duckdb_made_by(
        tmp_path, f"CREATE TABLE e (age INT, dx VARCHAR AS ({computed}))", "INSERT INTO e VALUES (1)"
    )
    for options in ({"table": "e"}, {"query": "SELECT dx FROM e"}):
        with pytest.raises(UnreadableFile, match="the table 'e' is not read: it calls"):
            rows_of(source, **options)


def test_an_ordinary_column_that_is_computed_is_read(tmp_path: Path) -> None:
    made = (
        "CREATE TABLE e (age INT, twice INT AS (age * 2), generated INT DEFAULT 5)",
        "INSERT INTO e (age) VALUES (1)",
    )
    assert rows_of(duckdb_made_by(tmp_path, *made), table="e") == [(1, 2, 5)]
    other = ("CREATE TABLE f (generated INT, s STRUCT(a INT))", "INSERT INTO f VALUES (1, {'a': 2})")
    with duckdb.connect(str(tmp_path / "made.duckdb")) as connection:
        for statement in other:
            connection.execute(statement)
    assert len(rows_of(str(tmp_path / "made.duckdb"), table="f")) == 1


@pytest.mark.parametrize("query", [query for dialect, query in ORDINARY if dialect == "duckdb"])
def test_an_ordinary_query_of_duckdb_gives_the_rows_that_its_own_text_gives(query: str, tmp_path: Path) -> None:
    source = duckdb_file(tmp_path)
    with duckdb.connect(source) as connection:
        before = connection.execute(query).fetchall()
        assert same(connection.execute(checked("duckdb", query)).fetchall(), before)
    assert before


@pytest.mark.parametrize("query", [query for dialect, query in ORDINARY if dialect == "sqlite"])
def test_an_ordinary_query_of_sqlite_gives_the_rows_that_its_own_text_gives(query: str, tmp_path: Path) -> None:
    source = sqlite_file(tmp_path)
    connection = sqlite3.connect(source)
    before = connection.execute(query).fetchall()
    assert same(connection.execute(checked("sqlite", query)).fetchall(), before)
    assert before
    connection.close()


@pytest.mark.parametrize("make", [duckdb_file, sqlite_file])
def test_ordinary_queries_arrive_in_the_engine(make: Any, tmp_path: Path) -> None:
    source = make(tmp_path)
    for query in EVERYWHERE[:6]:
        assert rows_of(source, query=query)


@pytest.mark.postgresql
def test_ordinary_queries_of_postgresql_give_the_rows_that_their_own_texts_give(server: Any, database: str) -> None:
    from adbc_driver_postgresql import dbapi

    server.run(database, "; ".join(TABLES))
    with dbapi.connect(server.url(database)) as connection, connection.cursor() as cursor:
        for query in (query for dialect, query in ORDINARY if dialect == "postgres"):
            cursor.execute(f"{query}\n")
            before = cursor.fetchall()
            cursor.execute(checked("postgres", query))
            assert same(cursor.fetchall(), before), query
            assert before, query


WORDS = st.sampled_from((
    "SELECT", "*", "FROM", "visits", "patients", "(", ")", ",", ";", "'", '"', "--", "/*", "*/", "COPY", "TO",
    "'x.csv'", "read_text", "'/etc/hostname'", "WITH", "AS", "a", "UNION", "JOIN", "ON", "1", "=", "WHERE", "upper",
    "ATTACH", "SET", "INTO", "VALUES", "$$", "E'", "\\", "\0", "{", "[", "]", "::", "regclass", "CASE",
    "WHEN", "END", "é", "\n",
))  # fmt: skip


@given(st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=60), st.sampled_from(DIALECTS))
def test_any_text_is_a_query_that_reads_known_tables_or_is_refused(text: str, dialect: str) -> None:
    try:
        sql = checked(dialect, text)
    except UnreadableFile:
        return
    assert not any(word in sql.lower() for word in ("copy ", "attach", "read_text(", "into "))
    assert checked(dialect, sql) == sql


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    duckdb_file(folder)
    sqlite_file(folder)
    return folder


@settings(max_examples=12)  # each opens four databases
@given(text=st.lists(WORDS, max_size=10).map(" ".join))
def test_any_text_gives_an_answer_or_an_error_and_no_file(study: Path, text: str) -> None:
    before = sorted(study.iterdir())
    for source in ("study.duckdb", "study.sqlite"):
        with suppress(UnreadableFile):
            rows_of(str(study / source), query=f"SELECT * FROM visits {text}")
    assert sorted(study.iterdir()) == before
