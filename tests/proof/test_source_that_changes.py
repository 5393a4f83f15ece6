"""The file that was read is the file that is hashed: one that changes meanwhile is refused, and nothing is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import UnreadableFile
from sfumato.tables.source_state import SourceState

ROWS = "patient,age,sex,diagnosis\n" + "".join(
    f"P{i},{30 + i * 7 % 40},{'MF'[i % 2]},{['flu', 'cold', 'asthma'][i % 3]}\n" for i in range(60)
)
PROJECT = """\
data: {source: patients.csv}
columns:
  patient: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
measures: [{measure: k_anonymity, at_least: 4}]
anonymise: {suppress: 0.1}
"""
STEPS = (
    "Preparing the hierarchies", "Reading the release anew", "Writing the package", "Writing the release",
    "Reading the release as its recipient does",
)  # fmt: skip


def rewrite(path: Path) -> None:
    """Another value, in the same number of bytes, and at the same time as before."""
    before = path.stat()
    path.write_text(path.read_text(encoding="utf-8").replace("flu", "flo", 1), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_text(path.read_text(encoding="utf-8").replace("flu", "flo", 1), encoding="utf-8")
    os.replace(other, path)


def append(path: Path) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write("P99,77,M,flu\n")


CHANGES = [rewrite, replace, append, Path.unlink]


def at(step: str, change: Callable[[Path], object], path: Path) -> Callable[..., None]:
    """Somebody who changes a file at a step of the work, once."""
    done = []

    def tell(words: str, *more: object, **others: object) -> None:
        if words == step and not done:
            done.append(step)
            change(path)

    return tell


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("step", STEPS[:4])
def test_a_source_that_changes_at_any_step_is_refused_and_nothing_is_written(
    folder: Path, step: str, change: Callable[[Path], object]
) -> None:
    tell = at(step, change, folder / "patients.csv")
    with pytest.raises(UnreadableFile, match="changed while it was read"):
        sf.release(folder / "sfumato.yaml", folder / "package", report=False, tell=tell)
    assert not (folder / "package").exists()
    assert not (folder / "package-evidence").exists()


@pytest.mark.parametrize("change", CHANGES)
def test_a_plan_on_a_source_that_changes_writes_nothing(folder: Path, change: Callable[[Path], object]) -> None:
    (folder / "plan.yaml").write_text("steps: [{mask: {columns: [patient]}}]\n", encoding="utf-8")
    tell = at("Writing the release", change, folder / "patients.csv")
    with pytest.raises(UnreadableFile, match="changed while it was read"):
        sf.apply_plan(folder / "plan.yaml", folder / "patients.csv", folder / "out.csv", release_rest=True, tell=tell)
    assert not (folder / "out.csv").exists()
    assert not (folder / "out.csv.provenance.json").exists()


def test_an_untouched_source_is_hashed_as_it_was_read(folder: Path) -> None:
    extract = sf.load(folder / "patients.csv", watch=True)
    assert extract.state is not None
    assert extract.state.sha256 == sha256(ROWS.encode()).hexdigest()
    extract.state.require_same()
    (folder / "patients.csv").touch()  # nobody changed a byte, but nobody can tell what was there meanwhile
    with pytest.raises(UnreadableFile):
        extract.state.require_same()


def test_the_parts_of_a_folder_are_watched_and_new_ones_are_seen(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    for i in range(3):
        pq.write_table(pa.table({"age": [i, i + 1]}), parts / f"part-{i}.parquet")
    state = SourceState.of(parts)
    assert state is not None
    assert len(state.files) == 3
    assert state.sha256 is None
    state.require_same()
    pq.write_table(pa.table({"age": [9, 9]}), parts / "part-9.parquet")
    with pytest.raises(UnreadableFile, match="changed while it was read"):
        state.require_same()


def test_what_a_database_has_in_its_journal_is_watched_and_a_server_cannot_be(tmp_path: Path) -> None:
    data = tmp_path / "clinic.sqlite"
    data.write_bytes(b"pages")
    state = SourceState.of(data)
    assert state is not None
    (tmp_path / "clinic.sqlite-wal").write_bytes(b"more")
    with pytest.raises(UnreadableFile):
        state.require_same(hashed=False)
    assert SourceState.of("postgresql://server/clinic") is None
    assert SourceState.of(pa.table({"age": [1]})) is None
