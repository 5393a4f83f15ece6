"""Whole or not at all, never over the source, and the same bytes for the same table."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sfumato.canonical import sha256_of
from sfumato.errors import OutputError, UnknownColumn
from sfumato.tables.engine import Engine, Table
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.source import ReadOptions
from sfumato.tables.write.release import ReleasedColumn, WriteOptions
from sfumato.tables.write.table import write_table, writers

ENDINGS = [ending for writer in writers() for ending in writer.suffixes]
Columns = Sequence[ReleasedColumn]

FILL_THE_DISK = """
import contextlib, resource, signal, sys
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.errors import EngineError, OutputError
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import write_table

# Small while it waits in a file of the engine and large as it is released, so that the last step fails. Rows that
# differ do it the other way round.
alike, path = sys.argv[1] == "alike", sys.argv[2]
text = "repeat('x', 150)" if alike else "md5(CAST(i AS VARCHAR)) || md5(CAST(i + 1 AS VARCHAR))"
engine = DuckDB()
with contextlib.suppress(EngineError):
    engine.run("SET GLOBAL async_threads = 0")  # DuckDB 2.0 now and then waits for ever (duckdb/duckdb#23885)
table = engine.query(f"SELECT i % 3 AS n, {text} AS note FROM range(20000) AS t (i)")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    write_table(table, path, [ReleasedColumn("n"), ReleasedColumn("note", "A label")])
except OutputError as error:
    print(error)
"""


def test_the_same_table_gives_the_same_bytes_whenever_it_is_written(
    patients: Table, columns: Columns, tmp_path: Path
) -> None:
    digests = []
    for folder in ("first", "second"):
        for ending in ENDINGS:
            write_table(patients, tmp_path / folder / f"r{ending}", columns)
        digests.append({ending: sha256_of(tmp_path / folder / f"r{ending}") for ending in ENDINGS})
        time.sleep(2.1)
    assert digests[0] == digests[1]


@pytest.mark.parametrize("ending", [".arrow", ".sav", ".dta", ".xpt", ".parquet"])
def test_what_was_in_memory_before_does_not_show_in_a_file(tmp_path: Path, ending: str) -> None:
    """Both libraries and the allocator are told to fill memory with another byte each time."""
    program = """
import sys
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import write_table

gaps = "CASE WHEN i % {} = 0 THEN {} END"
items = [gaps.format(2, "i") + " AS n", gaps.format(3, "'text ' || i") + " AS s", gaps.format(5, "i / 4") + " AS x"]
table = DuckDB().query(f"SELECT {', '.join(items)} FROM range(20) AS t (i)")
write_table(table, sys.argv[1], [ReleasedColumn("n", "N"), ReleasedColumn("s"), ReleasedColumn("x")])
"""
    found = set()
    for byte in ("1", "170"):
        path = tmp_path / byte / f"r{ending}"
        environment = {**os.environ, "MALLOC_PERTURB_": byte, "ARROW_DEFAULT_MEMORY_POOL": "system"}
        subprocess.run([sys.executable, "-c", program, path], env=environment, check=True, timeout=60)
        found.add(sha256_of(path))
    assert len(found) == 1


@pytest.mark.parametrize("rows", ["alike", "different"])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".arrow", ".xlsx", ".sav", ".dta", ".xpt", ".json"])
def test_a_disk_that_fills_leaves_nothing_behind(tmp_path: Path, ending: str, rows: str) -> None:
    if (ending, rows) == (".parquet", "alike"):
        pytest.skip("rows that are alike take next to no place in Parquet")
    folder = tmp_path / "new"
    arguments = [sys.executable, "-c", FILL_THE_DISK, rows, str(folder / f"r{ending}")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)
    assert "disk is full" in done.stdout
    assert not folder.exists()


def test_a_failure_leaves_the_file_that_was_there_and_says_nothing_of_its_values(
    patients: Table, columns: Columns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("Ermintrude")

    path = tmp_path / "r.xlsx"
    path.write_text("before")
    monkeypatch.setattr("sfumato.tables.write.formats.excel._write_row", broken)
    with pytest.raises(OutputError, match="could not be written") as caught:
        write_table(patients, path, columns)
    assert "Ermintrude" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["r.xlsx"]
    assert path.read_text() == "before"


@pytest.mark.parametrize("link", ["itself", "symlink", "hard link", "another way there", "not there yet"])
def test_the_source_is_never_written_over(patients: Table, columns: Columns, tmp_path: Path, link: str) -> None:
    source, path = tmp_path / "source.csv", tmp_path / "out.csv"
    source.write_text("a\n1\n")
    if link == "symlink":
        path.symlink_to(source)
    elif link == "hard link":
        path.hardlink_to(source)
    elif link == "not there yet":
        source.unlink()
    if link in ("itself", "not there yet"):
        path = source
    elif link == "another way there":
        (tmp_path / "there").symlink_to(tmp_path)
        path = tmp_path / "there" / "source.csv"
    with pytest.raises(OutputError, match="the source itself"):
        write_table(patients, path, columns, protect=[tmp_path / "other.csv", source])
    assert link == "not there yet" or source.read_text() == "a\n1\n"


def test_nothing_is_written_into_a_source_that_is_a_folder(patients: Table, columns: Columns, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="within the source"):
        write_table(patients, tmp_path / "deep" / "r.parquet", columns, protect=[tmp_path])
    (tmp_path / "r.csv").mkdir()
    with pytest.raises(OutputError, match="this is a folder"):
        write_table(patients, tmp_path / "r.csv", columns)


def test_an_ending_that_nobody_knows_is_answered_with_those_that_are_known(
    patients: Table, columns: Columns, tmp_path: Path
) -> None:
    with pytest.raises(OutputError, match=r"Known endings: \.arrow, .*\.csv, .*\.xpt"):
        write_table(patients, tmp_path / "r.docx", columns)


def test_endings_are_known_in_capitals_too(patients: Table, columns: Columns, tmp_path: Path) -> None:
    for ending in ENDINGS:
        assert write_table(patients, tmp_path / f"R{ending.upper()}", columns) == 4
    assert (tmp_path / "R.PARQUET").read_bytes()[:4] == b"PAR1"


def test_columns_that_are_not_there_or_twice_or_none_are_errors(patients: Table, tmp_path: Path) -> None:
    with pytest.raises(UnknownColumn, match="Did you mean 'dose'"):
        write_table(patients, tmp_path / "r.csv", [ReleasedColumn("doze")])
    with pytest.raises(OutputError, match="'dose' is asked for more than once"):
        write_table(patients, tmp_path / "r.csv", [ReleasedColumn("dose")] * 2)
    with pytest.raises(OutputError, match="no column to write"):
        write_table(patients, tmp_path / "r.csv", [])
    assert list(tmp_path.iterdir()) == []


def test_delimited_text_is_quoted_where_it_must_be_and_nowhere_else(patients: Table, tmp_path: Path) -> None:
    sql = (
        "SELECT * FROM (VALUES ('a,b', 'c;d', NULL, '', '01'), ('\"', chr(10), chr(13), ' ', 'é')) AS v (a, b, c, d, e)"
    )
    table = patients.engine.query(sql)
    columns = [ReleasedColumn(name) for name in "abcde"]
    write_table(table, tmp_path / "r.csv", columns)
    assert (tmp_path / "r.csv").read_bytes().decode() == 'a,b,c,d,e\n"a,b",c;d,,"",01\n"""","\n","\r", ,é\n'
    write_table(table, tmp_path / "s.csv", columns, options=WriteOptions(delimiter=";", byte_order_mark=True))
    expected = '\ufeffa;b;c;d;e\na,b;"c;d";;"";01\n"""";"\n";"\r"; ;é\n'
    assert (tmp_path / "s.csv").read_bytes().decode() == expected
    write_table(table, tmp_path / "m.csv", columns, options=WriteOptions(byte_order_mark=True))
    assert (tmp_path / "m.csv").read_bytes() == b"\xef\xbb\xbf" + (tmp_path / "r.csv").read_bytes()


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow", ".xlsx", ".sav", ".tsv"])
def test_every_engine_writes_the_same_table(
    engine: Engine, columns: Columns, released: Callable[..., Any], patients: Table, ending: str
) -> None:
    rows = patients.engine.arrow(f"SELECT * FROM {patients}")
    options = {"columns": columns, "read": ReadOptions()}
    found = released(engine.load(rows), f"r{ending}", **options)
    expected = released(patients, f"duckdb{ending}", **options)
    assert found.rows == 4
    assert (found.kinds, found.found) == (expected.kinds, expected.found)
    if ending in (".csv", ".tsv"):
        assert found.path.read_bytes() == expected.path.read_bytes()


def test_every_engine_refuses_what_a_format_cannot_hold(engine: Engine, tmp_path: Path) -> None:
    table = engine.query("SELECT repeat('é', 200) AS note, CAST(9007199254740993 AS BIGINT) AS big")
    old = WriteOptions(transport_version=5)
    with pytest.raises(OutputError, match=r"'note' has 1 value of more than 200 bytes"):
        write_table(table, tmp_path / "r.xpt", [ReleasedColumn("note")], options=old)
    with pytest.raises(OutputError, match=r"'big' has 1 value with more digits"):
        write_table(table, tmp_path / "r.xlsx", [ReleasedColumn("big")])


def test_every_engine_writes_the_same_bytes_twice(engine: Engine, tmp_path: Path) -> None:
    table = engine.query("SELECT 1 AS n, 'a' AS s UNION ALL SELECT 2, NULL")
    for ending in (".csv", ".parquet"):
        for name in ("a", "b"):
            write_table(table, tmp_path / f"{name}{ending}", [ReleasedColumn("n"), ReleasedColumn("s")])
        assert sha256_of(tmp_path / f"a{ending}") == sha256_of(tmp_path / f"b{ending}")


def test_progress_is_told_in_rows(patients: Table, columns: Columns, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    write_table(
        patients,
        tmp_path / "r.arrow",
        columns,
        tell=lambda words, /, done=0, total=0: told.append((words, done, total)),
    )
    assert told == [("Writing r.arrow", 4, 4)]


def test_a_fingerprint_is_that_of_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert sha256_of(tmp_path / "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_new_file_in_the_folder_is_a_new_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sfumato.tables.write.formats as family

    (tmp_path / "counted.py").write_text(
        "from sfumato.tables.write.writer import Writer\n\n\nclass Counted(Writer):\n    suffixes = ('.count',)\n\n"
        "    def write(self, release, path, scratch):\n        path.write_text(str(release.rows))\n"
        "        return release.rows\n"
    )
    monkeypatch.setattr(family, "__path__", [*family.__path__, str(tmp_path)])
    table = DuckDB().query("SELECT 1 AS n")
    write_table(table, tmp_path / "r.count", [ReleasedColumn("n")])
    sys.modules.pop("sfumato.tables.write.formats.counted", None)
    assert (tmp_path / "r.count").read_text() == "1"
