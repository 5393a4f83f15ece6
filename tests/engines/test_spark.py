"""What only Spark has to do: partitions, a session of its own, Java, another dialect."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from sfumato.errors import EngineError, UnusableInput
from sfumato.tables.engines.spark.dialect import spark_sql
from sfumato.tables.engines.spark.session import _java, java_version, require_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sfumato.tables.engines.spark import Spark

in_spark = pytest.mark.spark


@pytest.fixture
def here(spark: SparkSession) -> Spark:
    from sfumato.tables.engines.spark import Spark

    return Spark(spark)


def in_parts(engine: Spark, parts: int) -> str:
    """A view of the numbers 0 to 99 that lies in several partitions, in order."""
    engine._session.range(0, 100, 1, parts).createOrReplaceTempView("parts")
    return "parts"


def fail_over(engine: Spark, cell: str) -> None:
    """Let the engine stumble over a cell."""
    held = engine.load(pa.table({"t": ["1", cell]}))
    with pytest.raises(EngineError):
        engine.query(f"SELECT CAST(t AS INTEGER) AS n FROM {held}")


@in_spark
def test_numbers_run_on_from_one_partition_to_the_next(here: Spark) -> None:
    source = in_parts(here, 7)
    for select in (f"SELECT id FROM {source}", f"SELECT id FROM {source} WHERE id < 20 OR id > 70"):
        table = here.numbered(select, "n")
        rows = here.fetch(f"SELECT n, id FROM {table} ORDER BY id")
        assert here._session.table(table.name).rdd.getNumPartitions() == 7
        assert [n for n, _ in rows] == list(range(1, len(rows) + 1))


@in_spark
def test_one_file_holds_all_partitions_in_order(here: Spark, tmp_path: Path) -> None:
    assert here.write(f"SELECT id FROM {in_parts(here, 7)}", tmp_path / "out.csv") == 100
    assert (tmp_path / "out.csv").read_text().split() == ["id", *map(str, range(100))]


@in_spark
def test_a_held_result_is_not_drawn_again(here: Spark) -> None:
    held = here.query(f"SELECT id, random() AS x FROM {in_parts(here, 3)}")
    assert here.fetch(f"SELECT x FROM {held} ORDER BY id") == here.fetch(f"SELECT x FROM {held} ORDER BY id")


@in_spark
def test_what_was_counted_is_not_counted_again(here: Spark, spark: SparkSession) -> None:
    table, jobs = here.load(pa.table({"a": list(range(50))})), spark.sparkContext.statusTracker()
    first = here.numbered(f"SELECT * FROM {table}", "n", held=False)
    assert table.count() == 50
    before = len(jobs.getJobIdsForGroup())
    again = here.numbered(f"SELECT * FROM {table}", "other", held=False)
    assert table.count() == 50
    assert len(jobs.getJobIdsForGroup()) == before
    assert here.fetch(f"SELECT n FROM {first} ORDER BY 1") == here.fetch(f"SELECT other FROM {again} ORDER BY 1")


@in_spark
def test_dropped_tables_hold_no_rows_and_no_files(here: Spark, spark: SparkSession) -> None:
    kept = set(spark.sparkContext._jsc.getPersistentRDDs().keys())
    loaded = here.load(pa.table({"a": [1, 2]}))
    tables = [loaded, here.query(f"SELECT a FROM {loaded}"), here.numbered(f"SELECT a FROM {loaded}", "n")]
    assert len(set(spark.sparkContext._jsc.getPersistentRDDs().keys()) - kept) == 2
    here.drop(*tables)
    assert set(spark.sparkContext._jsc.getPersistentRDDs().keys()) <= kept
    assert list(Path(here._folder).glob("*.parquet")) == []


@in_spark
def test_the_session_of_the_caller_keeps_its_settings_and_its_views(here: Spark, spark: SparkSession) -> None:
    spark.conf.set("spark.sql.caseSensitive", "false")
    table = here.load(pa.table({"age": [1], "Age": [2]}))
    assert here.fetch(f'SELECT "Age", "age" FROM {table}') == [(2, 1)]
    assert spark.conf.get("spark.sql.caseSensitive") == "false"
    assert not spark.catalog.tableExists(table.name)


@in_spark
def test_a_cluster_is_given_rows_instead_of_a_file_of_this_machine(here: Spark) -> None:
    here._local = False
    table = here.load(pa.table({"a b": ["x", None], "n": pa.array([1, 2**63], pa.uint64())}))
    assert here.fetch(f"SELECT * FROM {table} ORDER BY n") == [("x", 1), (None, 2**63)]
    assert list(Path(here._folder).glob("*.parquet")) == []


@in_spark
def test_names_of_folders_are_a_column_when_they_say_so(here: Spark, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    for site, value in (("A", 1), ("B", 2)):
        (tmp_path / f"site={site}").mkdir()
        pq.write_table(pa.table({"a": [value]}), tmp_path / f"site={site}" / "part.parquet")
    table = here.read_parquet(tmp_path)
    assert here.fetch(f"SELECT a, site FROM {table} ORDER BY a") == [(1, "A"), (2, "B")]


@in_spark
def test_the_log_of_java_would_quote_a_cell_and_is_silent(here: Spark, spark: SparkSession, spark_log: Path) -> None:
    spark.sparkContext.setLogLevel("ERROR")
    fail_over(here, "trillian")
    fail_over(type(here)(spark), "zaphod")  # an engine made anew switches the log off
    log = spark_log.read_text()
    assert "trillian" in log
    assert "zaphod" not in log


@in_spark
def test_sql_that_would_mean_something_else_is_refused(here: Spark) -> None:
    with pytest.raises(EngineError, match="UnsupportedError"):
        here.fetch("SELECT regexp_replace('a1b2', '[0-9]', '#')")
    with pytest.raises(EngineError, match="ParseError"):
        here.fetch("SELECT FROM WHERE")


@pytest.mark.parametrize(
    ("duckdb", "spark"),
    [
        ('SELECT "a`b", "a""b" FROM t', 'SELECT `a``b`, `a"b` FROM t'),
        (r"SELECT 'it''s', 'a\b'", r"SELECT 'it\'s', 'a\\b'"),
        ("SELECT a / b FROM t", "SELECT (CAST(a AS DOUBLE) / CAST(b AS DOUBLE)) FROM t"),
        ("SELECT sum(a) OVER (ORDER BY b) FROM t", "SELECT SUM(a) OVER (ORDER BY b NULLS LAST) FROM t"),
        ("SELECT any_value(a) FILTER (WHERE b) FROM t", "SELECT ANY_VALUE(a, TRUE) FILTER(WHERE b) FROM t"),
        ("SELECT quantile_cont(a, 0.5) FROM t", "SELECT PERCENTILE(a, 0.5) FROM t"),
    ],
)
def test_sql_is_said_in_the_words_of_spark(duckdb: str, spark: str) -> None:
    assert spark_sql(duckdb) == spark


def test_casts_within_casts_do_not_grow() -> None:
    lengths, nested = [], "x"
    for _ in range(6):
        nested = f"CAST(CAST({nested} AS VARCHAR) AS INTEGER)"
        lengths.append(len(spark_sql(f"SELECT {nested} AS n FROM t")))
    assert len({after - before for before, after in pairwise(lengths)}) == 1


@pytest.mark.parametrize("said", ["CAST(a AS DATE)", "substr(a, 1, 2)", "(a || 'b')", "CAST(a AS VARCHAR)", "upper(a)"])
def test_what_the_sql_says_to_be_no_number_is_cast_as_it_is(said: str) -> None:
    assert not re.search(r"\bRINT\(", spark_sql(f"SELECT CAST({said} AS INTEGER) AS n FROM t").upper())


def test_what_may_be_a_real_number_is_rounded() -> None:
    for said in ("a", "a + b", "CAST(a AS DOUBLE)", "coalesce(a, b)"):
        assert re.search(r"\bRINT\(", spark_sql(f"SELECT CAST({said} AS INTEGER) AS n FROM t").upper())


def test_without_java_the_error_says_which_and_where_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnusableInput, match="needs Java 17 or newer, and there is none on this machine"):
        require_java()


@pytest.mark.parametrize(("answer", "version"), [("1.8.0_392", 8), ("11.0.2", 11), ("17.0.15", 17), ("21", 21)])
def test_the_version_of_java_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, version: int
) -> None:
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{answer}\" 2020-01-01' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_version() == version
    if version < 17:
        with pytest.raises(UnusableInput, match=f"the one on this machine is {version}"):
            require_java()


def test_java_is_left_alone_where_its_variables_or_a_cluster_say_how_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for name in ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    assert _java("local[*]") == ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    assert _java("spark://node1:7077") == []
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:+UseG1GC")  # Java refuses to start with two collectors
    assert _java("local[2]") == ["-XX:TieredStopAtLevel=1"]
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:+TieredCompilation")
    assert _java("local[2]") == []
    monkeypatch.setattr("os.cpu_count", lambda: 16)
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")
    monkeypatch.delenv("JDK_JAVA_OPTIONS")
    assert _java("local[2]") == ["-XX:TieredStopAtLevel=1"]
