"""Killed at any moment, `sfumato release` leaves no package or a whole one: the one before or the new one.

What is on the disk before a step is what a kill at that moment leaves, so one run is photographed before each of its
steps. Two kills in earnest show that photographs do not lie.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.doors.conftest import Command
from tests.proof.test_release_command import PATIENTS, PROJECT

from sfumato.errors import OutputError
from sfumato.outputs import whole_folder

KILLED = Path(__file__).with_name("killed.py")
SOURCE = Path(__file__).parents[2] / "src"
Files = dict[str, bytes]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed and folders locked as POSIX has it")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    (made / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (made / "sfumato.yaml").write_text(PROJECT + "anonymise: {method: optimal, suppress: 0.1}\n", encoding="utf-8")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def sfumato(sfumato: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(folder)
    return sfumato


@pytest.fixture
def before(sfumato: Command, folder: Path) -> Files:
    """A package that is there already, of a policy that asked for more."""
    text = (folder / "sfumato.yaml").read_text(encoding="utf-8")
    (folder / "sfumato.yaml").write_text(text.replace("at_least: 4", "at_least: 6"), encoding="utf-8")
    assert sfumato("release", "--out", "package", "--no-report").code == 0
    (folder / "sfumato.yaml").write_text(text, encoding="utf-8")
    found = contents(folder / "package")
    assert found is not None
    return found


def contents(folder: Path) -> Files | None:
    """Every file of a folder, those in its folders too; None where there is no such folder."""
    if not folder.exists():
        return None
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def watched(folder: Path, step: object, *arguments: str) -> int:
    """Run `sfumato release` beside this process; photographed before every step, or killed at one."""
    command = [
        sys.executable,
        KILLED,
        folder,
        str(step),
        "--",
        "release",
        "--out",
        "package",
        "--no-report",
        *arguments,
    ]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False).returncode


def photographs(folder: Path) -> list[Path]:
    return sorted(Path(f"{folder}-photographs").iterdir())


def left_behind(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".sfumato-")]


def test_where_there_was_nothing_there_is_nothing_or_the_whole_package(sfumato: Command, folder: Path) -> None:
    assert watched(folder, "photograph") == 0
    new = contents(folder / "package")
    states = [contents(photograph / "package") for photograph in photographs(folder)]
    changes = states.index(new)
    assert states == [None] * changes + [new] * (len(states) - changes)
    assert changes > 30
    assert sfumato("verify", "package", "--evidence", "package-evidence", "--original", "patients.csv").code == 0
    assert left_behind(folder) == []


def test_where_there_was_a_package_there_is_that_one_or_the_new_one(
    sfumato: Command, folder: Path, before: Files
) -> None:
    assert sfumato("verify", "package").code == 0
    assert watched(folder, "photograph", "--force") == 0
    new = contents(folder / "package")
    assert new != before
    states = [contents(photograph / "package") for photograph in photographs(folder)]
    changes = states.index(new)
    assert states == [before] * changes + [new] * (len(states) - changes)
    assert changes > 30
    assert left_behind(folder) == []
    assert watched(folder, changes + 1, "--force") == -signal.SIGKILL  # right after the two changed places
    assert contents(folder / "package") == new
    assert len(left_behind(folder)) == 2  # what stood in both places before
    assert sfumato("verify", "package", "--evidence", "package-evidence", "--original", "patients.csv").code == 0


def test_where_folders_cannot_change_places_the_next_writer_puts_back_what_was_there(
    folder: Path, before: Files
) -> None:
    assert watched(folder, "photograph", "--without-exchange", "--force") == 0
    new = contents(folder / "package")
    states = {photograph: contents(photograph / "package") for photograph in photographs(folder)}
    assert all(state in (None, before, new) for state in states.values())
    (between,) = [photograph for photograph, state in states.items() if state is None]
    with pytest.raises(OutputError), whole_folder(between / "package"):
        raise OSError
    assert contents(between / "package") == before
    assert {name.rpartition("-")[0] for name in left_behind(between)} == {".sfumato-package-evidence"}  # not its own


def test_a_run_after_a_kill_takes_away_what_it_left_and_writes_its_package(sfumato: Command, folder: Path) -> None:
    assert watched(folder, 30) == -signal.SIGKILL
    assert not (folder / "package").exists()
    left = left_behind(folder)
    assert {name.rpartition("-")[0] for name in left} == {".sfumato-package", ".sfumato-package-evidence"}
    assert [sfumato("verify", name).code for name in left] == [2, 2]
    assert sfumato("release", "--out", "package", "--no-report").code == 0
    assert sfumato("verify", "package").code == 0
    assert left_behind(folder) == []


def test_a_folder_that_somebody_is_still_writing_is_left_alone(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "package") as slow:
        (slow / "one.txt").write_text("one", encoding="utf-8")
        with whole_folder(tmp_path / "package") as quick:
            (quick / "two.txt").write_text("two", encoding="utf-8")
        assert contents(tmp_path / "package") == {"two.txt": b"two"}
        assert contents(slow) == {"one.txt": b"one"}
    assert contents(tmp_path / "package") == {"one.txt": b"one"}
    assert left_behind(tmp_path) == []


def test_what_another_folder_left_behind_is_not_taken_for_ones_own(tmp_path: Path) -> None:
    for name in ("draft", "former"):
        (tmp_path / ".sfumato-package-two-abcdefgh" / name).mkdir(parents=True)
    with whole_folder(tmp_path / "package"):
        assert not (tmp_path / "package").exists()
    assert left_behind(tmp_path) == [".sfumato-package-two-abcdefgh"]
    with whole_folder(tmp_path / "package-two"):
        assert (tmp_path / "package-two").exists()
    assert left_behind(tmp_path) == []


def test_where_writing_fails_no_folder_is_left_that_was_not_there(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="were not written"), whole_folder(tmp_path / "a" / "b" / "package"):
        raise OSError
    assert list(tmp_path.iterdir()) == []
