"""R files, written with the library's own writer and read back."""

from __future__ import annotations

import datetime as dt
import warnings
from pathlib import Path

import numpy as np
import pytest

from sfumato.errors import UnreadableFile
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions

rdata = pytest.importorskip("rdata", reason="the extra r-files is not installed")
pd = pytest.importorskip("pandas")


def rows(extract: Extract) -> list[tuple[object, ...]]:
    return extract.table.engine.fetch(f"SELECT * FROM {extract.table}")


@pytest.fixture
def frame() -> object:
    return pd.DataFrame(
        {
            "n": pd.array([1, None, 3], dtype="Int32"),
            "x": [1.5, np.nan, 3.0],
            "whole": [1.0, 2.0, np.nan],
            "sex": pd.Categorical.from_codes([0, -1, 1], pd.Index(["f", "m"], dtype=object)),
            "stage": pd.Categorical.from_codes([0, 1, 0], pd.Index(["low", "high"], dtype=object), ordered=True),
            "alive": pd.array([True, None, False], dtype="boolean"),
            "name": pd.array(["Zoë", None, "Łukasz"], dtype=pd.StringDtype("python")),
        }
    )


def saved(path: Path, data: object) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (rdata.write_rda if path.suffix != ".rds" else rdata.write_rds)(path, data)
    return str(path)


def test_a_data_frame_keeps_its_kinds_values_and_what_is_missing(tmp_path: Path, frame: object) -> None:
    extract = load(saved(tmp_path / "a.rds", frame))
    kinds = ["integer", "real", "integer", "text", "text", "boolean", "text"]
    assert [column.kind.value for column in extract.columns] == kinds
    assert rows(extract) == [
        (1, 1.5, 1, "f", "low", True, "Zoë"),
        (None, None, 2, None, "high", None, None),
        (3, 3.0, None, "m", "low", False, "Łukasz"),
    ]


def test_of_several_data_frames_one_is_asked_for_by_name(tmp_path: Path, frame: object) -> None:
    source = saved(tmp_path / "a.RData", {"patients": frame, "visits": frame, "seed": np.array([1.0])})
    with pytest.raises(UnreadableFile, match=r"several data.frames: 'patients' .*'visits' .*--table"):
        load(source)
    assert load(source, ReadOptions(table="visits")).table.count() == 3
    with pytest.raises(UnreadableFile, match=r"no data.frame 'visit'.*Did you mean 'visits'"):
        load(source, ReadOptions(table="visit"))


def test_what_is_no_data_frame_is_refused_with_the_way_round(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"no data.frame in this R file.*saveRDS"):
        load(saved(tmp_path / "a.rds", np.array([1.0, 2.0])))


def test_a_file_that_is_cut_short_or_no_r_file_is_refused_without_a_cell(tmp_path: Path, frame: object) -> None:
    whole = Path(saved(tmp_path / "a.rds", frame)).read_bytes()
    for content in (whole[: len(whole) // 2], b"Ermintrude"):
        (tmp_path / "b.rds").write_bytes(content)
        with pytest.raises(UnreadableFile, match="not a whole R file") as caught:
            load(str(tmp_path / "b.rds"))
        assert "Ermintrude" not in str(caught.value)


def test_factors_dates_and_times_are_read_as_r_shows_them() -> None:
    from sfumato.tables.read.formats.r_data import CONSTRUCTORS

    stages = CONSTRUCTORS["ordered"](np.array([2, 1]), {"levels": ["low", "high"]})
    assert (stages.values, stages.why) == (["high", "low"], "an ordered factor of R")
    dates = CONSTRUCTORS["Date"](np.array([-7304.0, np.nan, 10956.0]), {})
    assert dates.values == [dt.date(1950, 1, 2), None, dt.date(1999, 12, 31)]
    summer = CONSTRUCTORS["POSIXct"](np.array([1590962400.0, np.nan]), {"tzone": ["Europe/Amsterdam"]})
    assert summer.values == [dt.datetime(2020, 6, 1), None]
