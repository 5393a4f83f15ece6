"""Readers in a process of their own: what becomes of a file on which a library crashes, hangs or takes all memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pytest

from sfumato.errors import BeyondLimit, MissingExtra, UnreadableFile
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.isolation import IsolatedFormat, StagedRows
from sfumato.tables.read.limits import Limits
from sfumato.tables.read.staged_table import Variable
from sfumato.tables.source import ReadOptions

SCHEMA = pa.schema([("a", pa.int64())])


class Sick(IsolatedFormat):
    """A format that does what its file says."""

    suffixes: ClassVar[tuple[str, ...]] = (".sick",)
    library: ClassVar[str] = "pyarrow"
    needs: ClassVar[tuple[str, str]] = ("Reading the sick", "sick")

    def held(self, source: str) -> tuple[str, ...]:
        return (Path(source).read_text(),)

    def staged(self, source: str, options: ReadOptions) -> StagedRows:
        what = Path(source).read_text()
        if what == "abort at once":
            os.abort()
        return StagedRows("sick", SCHEMA, self.batches(source, what), (Variable("a", "so", value_labels={1.0: "one"}),))

    def batches(self, source: str, what: str) -> Iterator[pa.RecordBatch]:
        os.write(1, b"among the frames")
        yield pa.record_batch([pa.array([1, 2])], schema=SCHEMA)
        if what == "abort":
            os.abort()
        if what == "refuse":
            raise UnreadableFile(source, "it ends after 2 of its 3 rows.")
        if what == "raise":
            raise ValueError("Ermintrude")
        if what == "memory":
            bytearray(2**40)
        if what == "hang":
            Path(source).with_suffix(".pid").write_text(str(os.getpid()))
            time.sleep(600)


@pytest.fixture(autouse=True)
def _found_by_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that reads has our path, and has to find this file by it."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3]))


def read(folder: Path, what: str, limits: Limits | None = None) -> list[tuple[object, ...]]:
    (folder / "a.sick").write_text(what)
    extract = Sick().read(str(folder / "a.sick"), ReadOptions(limits=limits), DuckDB())
    assert extract.columns[0].value_labels == {"1": "one"}
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


def test_rows_labels_and_names_of_tables_come_back_as_they_are(tmp_path: Path) -> None:
    assert read(tmp_path, "well") == [(1,), (2,)]
    assert Sick().tables(str(tmp_path / "a.sick")) == ("well",)


@pytest.mark.parametrize("what", ["abort at once", "abort"])
def test_a_library_that_crashes_is_an_error_of_the_file(tmp_path: Path, what: str) -> None:
    with pytest.raises(UnreadableFile, match="stopped dead on it"):
        read(tmp_path, what)


def test_what_the_reader_refuses_after_the_last_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"a\.sick: it ends after 2 of its 3 rows"):
        read(tmp_path, "refuse")


def test_what_a_library_raises_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="not a whole file of its kind") as caught:
        read(tmp_path, "raise")
    assert "Ermintrude" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound the memory of a process")
def test_a_library_that_takes_all_memory_is_stopped_at_the_limit(tmp_path: Path) -> None:
    with pytest.raises(BeyondLimit, match="reader_bytes"):
        read(tmp_path, "memory", Limits(reader_bytes=4 * 1024**3))


def test_a_library_that_is_not_there_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sick, "library", "no_such_library")
    with pytest.raises(MissingExtra, match=r"sfumato\[sick\]"):
        read(tmp_path, "well")


def test_a_program_frozen_into_one_file_reads_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(subprocess, "Popen", None)
    assert read(tmp_path, "well") == [(1,), (2,)]


def test_a_module_in_the_folder_where_somebody_stands_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json.py", "pyarrow.py", "sfumato.py"):
        (tmp_path / name).write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    assert read(tmp_path, "well") == [(1,), (2,)]
    assert not (tmp_path / "ran").exists()


CALLER = """
import sys
sys.path[:] = {path!r}
from pathlib import Path
from tests.tables.read.test_isolation import read
read(Path({folder!r}), "hang")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_the_reader_ends_with_whoever_started_it(tmp_path: Path, sent: signal.Signals) -> None:
    program = CALLER.format(path=[*sys.path, str(Path(__file__).parents[3])], folder=str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL) as caller:
        try:
            reader = _appears(tmp_path / "a.pid")
            caller.send_signal(sent)
            caller.wait(30)
        finally:
            caller.kill()
    for _ in range(300):
        if not _runs(reader):
            break
        time.sleep(0.1)
    assert not _runs(reader)


def _appears(path: Path) -> int:
    for _ in range(600):
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.1)
    raise AssertionError(f"{path} did not appear")


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().split()[2] == "Z")
