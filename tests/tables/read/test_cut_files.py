"""Files that were cut where their format has a seam: noticed wherever the format can tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from sfumato.errors import TruncatedFile, UnreadableFile
from sfumato.tables.load import load


@pytest.mark.parametrize("version", [5, 8])
def test_a_transport_file_cut_at_the_end_of_a_record_is_noticed(tmp_path: Path, version: int) -> None:
    frame = pd.DataFrame({"ID": [f"S-{i:03}" for i in range(100)], "AGE": np.arange(100.0)})
    pyreadstat.write_xport(frame, tmp_path / "a.xpt", file_format_version=version)
    whole = (tmp_path / "a.xpt").read_bytes()
    assert load(tmp_path / "a.xpt").table.count() == 100
    # Rows of 13 bytes end together with a record once in 13 records: without the last four, version 5 cannot tell.
    for records in (1, 2, 3, 5) if version == 5 else range(1, 6):
        (tmp_path / "cut.xpt").write_bytes(whole[: -80 * records])
        with pytest.raises(UnreadableFile, match="truncated"):
            load(tmp_path / "cut.xpt")


def test_an_arrow_stream_cut_between_two_batches_is_noticed(tmp_path: Path) -> None:
    batch = pa.record_batch({"a": list(range(10)), "b": ["x"] * 10})
    with pa.OSFile(str(tmp_path / "a.arrows"), "wb") as file, pa.ipc.new_stream(file, batch.schema) as out:
        out.write_batch(batch)
        one = file.tell()
        out.write_batch(batch)
    whole = (tmp_path / "a.arrows").read_bytes()
    assert load(tmp_path / "a.arrows").table.count() == 20
    for cut in (one, len(whole) - 8):
        (tmp_path / "cut.arrows").write_bytes(whole[:cut])
        with pytest.raises(TruncatedFile):
            load(tmp_path / "cut.arrows")


def folder(path: Path, *names: str, success: bool = True) -> Path:
    path.mkdir()
    for name in names:
        pq.write_table(pa.table({"a": [1, 2], "b": ["x", "y"]}), path / name)
    if success:
        (path / "_SUCCESS").touch()
    return path


def test_a_folder_with_a_gap_in_its_parts_says_so(tmp_path: Path) -> None:
    whole = folder(tmp_path / "whole", "part-00000.parquet", "part-00001.parquet")
    assert load(whole).notes == ()
    gap = folder(tmp_path / "gap", "part-00000-x.snappy.parquet", "part-00002-x.snappy.parquet")
    assert any("no part 1 among the 2 files" in note for note in load(gap).notes)
    first = folder(tmp_path / "first", "part-00001.parquet", "part-00002.parquet")
    assert any("no part 0 among" in note for note in load(first).notes)
    far = folder(tmp_path / "far", "part-00000.parquet", "part-99999999999.parquet")  # as many numbers fill no memory
    assert any("no part 1, 2, 3" in note for note in load(far).notes)
    unfinished = folder(tmp_path / "unfinished", "part-00000.parquet", success=False)
    assert any("_SUCCESS" in note for note in load(unfinished).notes)
    assert load(folder(tmp_path / "other", "a.parquet", "b.parquet", success=False)).notes == ()


def test_a_folder_whose_names_say_how_many_parts_there_are_must_have_them(tmp_path: Path) -> None:
    names = [f"part-0000{i}-of-00003.parquet" for i in range(3)]
    assert load(folder(tmp_path / "whole", *names)).table.count() == 6
    with pytest.raises(UnreadableFile, match="there are 3, and there are 2"):
        load(folder(tmp_path / "cut", *names[:2]))


@pytest.mark.parametrize("ending", ["\nx,", '\nx,"y', "\nx"])
def test_a_text_file_cut_in_its_last_record_is_noticed(tmp_path: Path, ending: str) -> None:
    (tmp_path / "a.csv").write_text("a,b,c\n" + "p,q,r\n" * 5 + ending.lstrip("\n"), "utf-8")
    with pytest.raises(UnreadableFile, match="line 7"):
        load(tmp_path / "a.csv")


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_a_statistics_file_that_says_how_many_rows_it_has_must_have_them(tmp_path: Path, ending: str) -> None:
    frame = pd.DataFrame({"a": np.arange(2000.0), "b": ["x" * 8] * 2000})
    write = pyreadstat.write_sav if ending == "sav" else pyreadstat.write_dta
    write(frame, str(tmp_path / f"a.{ending}"))
    whole = (tmp_path / f"a.{ending}").read_bytes()
    (tmp_path / f"cut.{ending}").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UnreadableFile):
        load(tmp_path / f"cut.{ending}")
