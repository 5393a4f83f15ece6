"""Limits of reading: each is refused with its name and what raises it, and read once it is raised."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from sfumato.cli.app import app
from sfumato.errors import BeyondLimit, PolicyError, TruncatedFile
from sfumato.tables.load import load
from sfumato.tables.read import limits as limits_module
from sfumato.tables.read.limits import Limits
from sfumato.tables.source import ReadOptions


def text(content: str, name: str = "a.csv") -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_text(content, "utf-8")
        return folder / name

    return write


def packed(folder: Path) -> Path:
    (folder / "a.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"x,y\n" * 500))
    return folder / "a.csv.gz"


def sheet(folder: Path) -> Path:
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append([1, "x"])
    book.active.cell(60, 2, "y")
    book.save(folder / "a.xlsx")
    return folder / "a.xlsx"


def parts(folder: Path) -> Path:
    (folder / "table").mkdir()
    for number in range(3):
        pq.write_table(pa.table({"a": [number]}), folder / "table" / f"{number}.parquet")
    return folder / "table"


def dataset(folder: Path, name: str = "a.json", **more: object) -> Path:
    columns = [{"name": "a", "dataType": "string", "label": "A"}]
    (folder / name).write_text(json.dumps({"columns": columns, "rows": [["x"], ["y"]], **more}), "utf-8")
    return folder / name


def nested(folder: Path) -> Path:
    deep: list[object] = []
    for _ in range(20):
        deep = [deep]
    return dataset(folder, sourceSystem=deep)


def lines(folder: Path) -> Path:
    columns = [{"name": "a", "dataType": "string", "label": "A"}]
    rows = "\n".join([json.dumps({"columns": columns}), json.dumps(["x" * 200])])
    (folder / "a.ndjson").write_text(rows, "utf-8")
    return folder / "a.ndjson"


def long_cell(folder: Path) -> Path:
    table = pa.table({"a": ["x" * 200]})
    with pa.OSFile(str(folder / "a.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    return folder / "a.arrow"


def equal_records(folder: Path) -> Path:
    pq.write_table(pa.table({"a": ["x"] * 100_000}), folder / "a.parquet")
    return folder / "a.parquet"


def nothing_at_all(folder: Path) -> Path:
    table = pa.table({"a": pa.nulls(100_000), "b": pa.nulls(100_000)})
    with pa.OSFile(str(folder / "a.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    return folder / "a.arrow"


CASES = {
    "columns": (text("a,b,c\n1,2,3\n"), 2),
    "name_length": (text("a,a_long_name\nx,y\n"), 5),
    "cell_length": (text("a,b\nx," + "y" * 50 + "\n"), 20),
    "cell_length of an open quotation mark": (text('a,b\nx,"' + "y\n" * 50), 20),
    "cell_length of an Arrow file": (long_cell, 100),
    "cell_length of JSON": (lines, 100),
    "line_bytes": (text("a,b\nx," + "y" * 50 + "\n"), 30),
    "line_bytes of JSON": (lines, 100),
    "unpacked_bytes": (packed, 1000),
    "unpacked_ratio": (packed, 10),
    "unpacked_bytes of a workbook": (sheet, 1000),
    "unpacked_ratio of a workbook": (sheet, 1),
    "cells_per_byte": (equal_records, 20),
    "cells_per_byte of an Arrow file": (nothing_at_all, 20),
    "parts": (parts, 2),
    "parts of a workbook": (sheet, 3),
    "sheet_cells": (sheet, 100),
    "json_depth": (nested, 10),
    "json_bytes": (dataset, 50),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_beyond_a_limit_is_refused_with_what_raises_it_and_read_when_it_is_raised(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_module, "SMALL", 0)
    monkeypatch.setattr(limits_module, "MANY", 0)
    write, limit = CASES[case]
    name, source = case.split()[0], write(tmp_path)
    with pytest.raises(BeyondLimit) as caught:
        load(source, ReadOptions(limits=Limits(**{name: limit})))
    assert caught.value.limit == name
    assert f"the limit `{name}` is {limit:,}" in str(caught.value)
    assert f"--limit {name}=" in str(caught.value)
    assert f"SFUMATO_LIMITS={name}=" in str(caught.value)
    if "open" not in case:
        assert load(source, ReadOptions(limits=Limits(**{name: 10**9}))).table.count()


def test_every_limit_is_shown_by_a_case_or_by_a_reader_of_its_own() -> None:
    # in test_isolation.py, test_hostile_databases.py and tests/utility/test_many_columns.py
    elsewhere = {"reader_bytes", "query_seconds", "compared_columns"}
    shown = {case.split()[0] for case in CASES} | elsewhere
    assert shown == {limit.name for limit in fields(Limits)}


def test_no_error_of_a_limit_shows_a_name_or_a_cell(tmp_path: Path) -> None:
    long = "Ermintrude" * 200_000
    for content in (f"{long},b\n1,2\n", f"a,b\n1,{long}{long}{long}\n", f"a,b\n1,{long * 9}\n"):
        with pytest.raises(BeyondLimit) as caught:
            load(text(content)(tmp_path))
        assert "Ermintrude" not in str(caught.value)
        assert len(str(caught.value)) < 600


def test_the_environment_raises_limits_and_an_option_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_LIMITS", "columns=30, line_bytes=99")
    assert (Limits.usual().columns, Limits.usual().line_bytes) == (30, 99)
    source = str(text(",".join(f"c{i}" for i in range(40)) + "\n" + ",".join("x" * 40) + "\n")(tmp_path))
    refused = CliRunner().invoke(app, ["columns", source])
    assert "the limit `line_bytes` is 99" in str(refused.exception)
    raised = ["--limit", "columns=40", "--limit", "line_bytes=1000"]
    assert CliRunner().invoke(app, ["columns", source, *raised]).exit_code == 0


@pytest.mark.parametrize("typed", ["colums=3", "columns=many", "columns=0", "columns=-1", "columns"])
def test_a_limit_that_is_none_is_refused_with_a_hint(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_LIMITS", typed)
    with pytest.raises(PolicyError, match=r"columns"):
        Limits.usual()


def test_a_project_file_cannot_raise_a_limit(tmp_path: Path) -> None:
    from sfumato.errors import ProjectError
    from sfumato.project.file import Project

    source = text("a,b\nx,y\n")(tmp_path)
    (tmp_path / "p.yaml").write_text(f"data: {{source: {source.name}, limits: {{columns: 99}}}}\n", "utf-8")
    with pytest.raises(ProjectError):
        Project.read(tmp_path / "p.yaml")
    (tmp_path / "p.yaml").write_text(f"data: {{source: {source.name}}}\n", "utf-8")
    assert Project.read(tmp_path / "p.yaml").read_options().limits is None


def test_a_parquet_footer_that_lies_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": list(range(1000)), "b": ["x"] * 1000}), tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    thousand = b"\xd0\x0f"  # 1000 as the footer writes it: a zigzag varint
    places = [at for at in range(footer, len(whole)) if whole.startswith(thousand, at)]
    assert places
    for at in places:
        lie = whole[:at] + b"\xfe\x7f" + whole[at + 2 :]
        (tmp_path / "lie.parquet").write_bytes(lie)
        with suppress(TruncatedFile):
            assert load(tmp_path / "lie.parquet").table.count() == 1000  # of a number that nothing reads
