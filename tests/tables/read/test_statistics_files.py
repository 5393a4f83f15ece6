"""What SAS, SPSS and Stata files have in common: batches, chosen kinds, damage."""

from __future__ import annotations

import traceback
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from sfumato.errors import UnknownColumn, UnreadableFile, WrongScale
from sfumato.tables.engine import Kind
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.tables.read.formats.sas import SAS
from sfumato.tables.read.formats.spss import SPSS
from sfumato.tables.read.formats.stata import Stata
from sfumato.tables.source import Format, ReadOptions

KINDS = [
    (".xpt", SAS(), pyreadstat.write_xport),
    (".sav", SPSS(), pyreadstat.write_sav),
    (".zsav", SPSS(), pyreadstat.write_sav),
    (".por", SPSS(), pyreadstat.write_por),
    (".dta", Stata(), pyreadstat.write_dta),
]


@pytest.fixture(params=KINDS, ids=[suffix for suffix, *_ in KINDS])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Format, str]:
    suffix, form, write = request.param
    frame = pd.DataFrame({"ID": range(250), "NAME": [f"Ermintrude {i}" if i % 5 else "" for i in range(250)]})
    frame["X"] = [i / 2 for i in range(250)]
    how = {"compress": True} if suffix == ".zsav" else {}
    write(frame, str(tmp_path / f"a{suffix}"), **how)
    return form, str(tmp_path / f"a{suffix}")


def test_every_row_is_read_once_in_order_whatever_the_batch(
    case: tuple[Format, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    form, source = case
    monkeypatch.setattr("sfumato.tables.read.statistics_file.LEAST_ROWS", 7)
    monkeypatch.setattr("sfumato.tables.read.statistics_file.CELLS_AT_ONCE", 1)
    extract = form.read(source, ReadOptions(), DuckDB())
    rows = extract.table.engine.fetch(f"SELECT * FROM {extract.table}")
    assert rows == [(i, f"Ermintrude {i}" if i % 5 else None, i / 2) for i in range(250)]
    assert [column.kind for column in extract.columns] == [Kind.INTEGER, Kind.TEXT, Kind.REAL]
    assert [column.missing for column in extract.columns] == [0, 50, 0]


def test_half_a_file_is_unreadable_and_says_nothing_of_its_content(case: tuple[Format, str]) -> None:
    form, source = case
    whole = Path(source).read_bytes()
    Path(source).write_bytes(whole[: len(whole) // 2 + 3])
    with pytest.raises(UnreadableFile) as caught:
        form.read(source, ReadOptions(), DuckDB())
    assert source in str(caught.value)
    assert "Ermintrude" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("content", [b"", b"ID,NAME\n1,Ermintrude\n" * 40])
def test_a_file_of_another_kind_is_unreadable(case: tuple[Format, str], content: bytes) -> None:
    form, source = case
    Path(source).write_bytes(content)
    with pytest.raises(UnreadableFile):
        form.read(source, ReadOptions(), DuckDB())


def test_a_file_that_is_not_there_is_unreadable(case: tuple[Format, str]) -> None:
    form, source = case
    with pytest.raises(UnreadableFile, match="there is no such file"):
        form.read(source.replace("a.", "b."), ReadOptions(), DuckDB())


def test_a_person_decides_a_kind(case: tuple[Format, str]) -> None:
    form, source = case
    options = ReadOptions(kinds={"ID": Kind.TEXT, "X": Kind.TEXT}, missing=("Ermintrude 1",))
    extract = form.read(source, options, DuckDB())
    rows = extract.table.engine.fetch(f"SELECT * FROM {extract.table} LIMIT 2")
    assert rows == [("0", None, "0.0"), ("1", None, "0.5")]
    assert [column.missing for column in extract.columns] == [0, 51, 0]
    with pytest.raises(WrongScale, match=r"'X'.*125 values") as caught:
        form.read(source, ReadOptions(kinds={"X": Kind.INTEGER}), DuckDB())
    assert "0.5" not in str(caught.value)
    with pytest.raises(UnknownColumn, match="Did you mean 'NAME'"):
        form.read(source, ReadOptions(kinds={"NAMES": Kind.TEXT}), DuckDB())
