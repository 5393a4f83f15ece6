"""What is written about a column names no value that no written row has: it would say what was taken out."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pyreadstat
import pytest

from sfumato.plans.apply import apply_plan
from sfumato.search.anonymise import anonymise
from sfumato.tables.engine import Table
from sfumato.tables.write.release import ReleasedColumn
from sfumato.tables.write.table import writers

ENDINGS = [ending for writer in writers() for ending in writer.suffixes]
RARE, RARE_CODE = "Kuru", 7391
ILLNESSES = {1: "Asthma", 2: "Gout", RARE_CODE: RARE}
PLANS = {
    "values": "steps:\n  - suppress_values: {columns: [illness, text], rarer_than: 3}\n",
    "records": "steps:\n  - suppress_records: {columns: [illness], class_size: 3}\n",
}


def packed(content: bytes) -> Iterator[bytes]:
    """Streams of zlib within the bytes, as compressed SPSS files have them."""
    for head in (b"\x78\x01", b"\x78\x9c", b"\x78\xda"):
        place = content.find(head)
        while place >= 0:
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(content[place:])
            place = content.find(head, place + 1)


def everything_in(path: Path) -> bytes:
    """All bytes of a file, also those that are compressed, and all that a reader of its kind gives."""
    content = path.read_bytes()
    parts = [content, *packed(content)]
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as book:
            parts += [book.read(name) for name in book.namelist()]
    if path.suffix in (".parquet", ".pq"):
        file = pq.ParquetFile(path)
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        statistics = [group.column(i).statistics for group in groups for i in range(group.num_columns)]
        parts += [repr([(s.min, s.max) for s in statistics if s and s.has_min_max]).encode()]
        parts += [repr([column.to_pylist() for column in dictionaries(pq.read_table(path))]).encode()]
        parts += [repr(field.metadata).encode() for field in file.schema_arrow]
    if path.suffix == ".feather":
        parts += [repr([column.to_pylist() for column in dictionaries(feather.read_table(path))]).encode()]
    return b"".join(parts)


def dictionaries(table: pa.Table) -> list[pa.Array]:
    """The categories of columns that have them."""
    columns = [column.combine_chunks() for column in table.columns if pa.types.is_dictionary(column.type)]
    return [column.dictionary for column in columns]


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SPSS file in which one person has an illness that nobody else has."""
    path = tmp_path_factory.mktemp("labelled") / "patients.sav"
    codes = [1] * 5 + [2] * 5 + [RARE_CODE]
    frame = pd.DataFrame({"illness": codes, "text": [f"t{code}" for code in codes]})
    labels: Any = {"illness": ILLNESSES, "text": {f"t{code}": name for code, name in ILLNESSES.items()}}
    pyreadstat.write_sav(frame, str(path), column_labels={"illness": "Illness"}, variable_value_labels=labels)
    return path


@pytest.mark.parametrize("suppressed", PLANS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_suppressed_value_stands_nowhere_in_a_written_file(
    labelled: Path, tmp_path: Path, ending: str, suppressed: str
) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(PLANS[suppressed], encoding="utf-8")
    path = tmp_path / f"released{ending}"
    apply_plan(plan, labelled, path, release_rest=True)
    content = everything_in(path)
    assert b"t1" in content
    assert RARE.encode() not in content
    assert RARE.encode("utf-16-le") not in content
    assert str(RARE_CODE).encode() not in content


@pytest.mark.parametrize("ending", [".sav", ".zsav", ".dta"])
def test_the_value_labels_are_those_of_released_values(labelled: Path, tmp_path: Path, ending: str) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("steps:\n  - suppress_records: {where: {column: illness, above: 2}}\n", encoding="utf-8")
    path = tmp_path / f"released{ending}"
    apply_plan(plan, labelled, path, release_rest=True)
    read = pyreadstat.read_dta if ending == ".dta" else pyreadstat.read_sav
    _, metadata = read(path)
    assert metadata.variable_value_labels["illness"] == {1: "Asthma", 2: "Gout"}
    assert RARE.encode() not in everything_in(path)


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".feather", ".arrows"])
def test_categories_are_those_of_written_rows_in_their_order(
    released: Callable[..., Any], patients: Table, ending: str
) -> None:
    columns = [ReleasedColumn("grade", None, {"mild": "m", "fatal": "f"}, ("fatal", "mild", "moderate", "grave"))]
    content = everything_in(released(patients, f"r{ending}", columns=columns).path)
    assert b"mild" in content
    assert b"fatal" not in content
    assert b"moderate" not in content


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT", "BIGINT", "DECIMAL(9, 2)"])
def test_codes_of_numbers_are_compared_as_numbers(released: Callable[..., Any], kind: str) -> None:
    number = "0.7" if kind in ("DOUBLE", "FLOAT") else "2"
    labels = {number: "there", "2.50": "no row has it", "x": "no number", "inf": "none"}
    columns = [ReleasedColumn("n", None, labels)]
    written = released(f"SELECT CAST({number} AS {kind}) AS n", "r.parquet", columns=columns)
    field = pq.ParquetFile(written.path).schema_arrow.field("n")
    assert field.metadata[b"value_labels"].decode() == f'{{"{number}": "there"}}'


def test_categories_of_a_frame_leave_with_nobody_who_has_them() -> None:
    """A categorical column of pandas lists its categories: the release in Python does not give them on."""
    frame = pd.DataFrame({"age": [30, 30, 30, 30, 90], "illness": pd.Categorical([*["gout"] * 4, "kuru"])})
    result = anonymise(frame, quasi="age", sensitive="illness", k=4, suppress=0.5)
    assert result.release.num_rows == 4
    assert "kuru" not in repr(result.release.to_pandas().illness.dtype)
    assert all("kuru" not in column.to_pylist() for column in dictionaries(result.release))
