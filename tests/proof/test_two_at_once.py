"""Of two writers at once one wins and the other refuses; what is there is never a mix of both."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.proof.conftest import PATIENTS, PROJECT_KEY

import sfumato as sf
from sfumato.errors import OutputError
from sfumato.outputs import whole, whole_folders, write_text
from sfumato.proof.package.hand_over import hand_over
from sfumato.proof.verify import verify

ROUNDS = 40
WRITER = """
import sys, time
from pathlib import Path
from sfumato.errors import OutputError
from sfumato.outputs import whole, whole_folders

me, folder, how, rounds = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
for n in range(rounds):
    here = folder / f"ready-{me}-{n}"
    here.touch()
    while not all((folder / f"ready-{other}-{n}").exists() for other in "ab"):  # both begin at once
        time.sleep(0.0005)
    try:
        if how == "files":
            with whole(folder / f"out-{n}", overwrite=False) as draft:
                for name in ("1", "2", "3"):
                    (draft / name).write_text(me)
        else:
            targets = (folder / f"evidence-{n}", folder / f"package-{n}")
            with whole_folders(*targets, overwrite=how == "force") as drafts:
                for draft in drafts:
                    (draft / "whose").write_text(me)
        print(n, "won", flush=True)
    except OutputError:
        print(n, "refused", flush=True)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders are locked as POSIX has it")


@pytest.mark.parametrize("how", ["files", "folders", "force"])
def test_two_processes_that_write_the_same_at_once_leave_what_one_of_them_wrote(tmp_path: Path, how: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, me, str(tmp_path), how, str(ROUNDS)],
            env=environment, stdout=subprocess.PIPE, text=True,
        )
        for me in "ab"
    ]  # fmt: skip
    said = [writer.communicate(timeout=120)[0].split("\n")[:-1] for writer in writers]
    assert [len(lines) for lines in said] == [ROUNDS, ROUNDS]
    for n, (a, b) in enumerate(zip(*said, strict=True)):
        won = [me for me, line in (("a", a), ("b", b)) if line == f"{n} won"]
        files = sorted((tmp_path / f"out-{n}").iterdir()) if how == "files" else [
            tmp_path / f"{name}-{n}" / "whose" for name in ("evidence", "package")
        ]  # fmt: skip
        assert len({path.read_text() for path in files}) == 1
        assert len(won) == (2 if how == "force" else 1)
        assert files[0].read_text() in won
    assert not list(tmp_path.rglob(".sfumato-*"))


def test_two_releases_at_once_into_the_same_folders_are_one(tmp_path: Path) -> None:
    data = tmp_path / "patients.csv"
    data.write_text(PATIENTS, encoding="utf-8")
    found = [
        sf.anonymise(data, quasi=quasi, k=3, suppress=0.2, method="optimal")
        for quasi in (["age", "sex"], ["age", "postcode"])
    ]
    barrier = threading.Barrier(2)

    def write(one: sf.Anonymised) -> bool:
        barrier.wait()
        try:
            hand_over(one, tmp_path / "out", tmp_path / "out-evidence", key=PROJECT_KEY, overwrite=False)
        except OutputError as error:
            return "exists already" not in str(error)
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(write, found)) == [False, True]
    assert verify(tmp_path / "out", data, evidence=tmp_path / "out-evidence").agrees
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out-evidence", "patients.csv"]


def test_where_one_of_two_folders_is_taken_neither_is_written(tmp_path: Path) -> None:
    for taken in ("package", "evidence"):
        folder = tmp_path / taken
        with (  # noqa: PT012
            pytest.raises(OutputError, match=f"{taken} exists already"),
            whole_folders(folder / "evidence", folder / "package", overwrite=False) as drafts,
        ):
            for draft in drafts:
                (draft / "new").touch()
            (folder / taken).mkdir()  # by another run, empty as it is
        assert [str(path.relative_to(folder)) for path in folder.rglob("*")] == [taken]


def test_a_file_that_came_meanwhile_is_left_and_nothing_is_written(tmp_path: Path) -> None:
    write_text(tmp_path / "b.txt", "before")
    with pytest.raises(OutputError, match="written it meanwhile"), whole(tmp_path) as draft:  # noqa: PT012
        for name in ("a.txt", "b.txt"):
            (draft / name).write_text("ours", encoding="utf-8")
        time.sleep(0.02)  # the clock of a disk may have ticks of 10 milliseconds
        write_text(tmp_path / "b.txt", "theirs")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"b.txt": "theirs"}
    write_text(tmp_path / "b.txt", "later")
    assert (tmp_path / "b.txt").read_text() == "later"


def test_a_file_that_is_there_is_kept_where_nothing_may_be_written_over(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "theirs")
    with pytest.raises(OutputError, match="exists already"):
        write_text(tmp_path / "a.txt", "ours", overwrite=False)
    assert (tmp_path / "a.txt").read_text() == "theirs"


def test_what_is_done_before_it_appears_and_fails_leaves_nothing(tmp_path: Path) -> None:
    def full() -> None:
        raise OutputError("no vault")

    with pytest.raises(OutputError, match="no vault"), whole(tmp_path / "one", before=full) as draft:
        (draft / "a.txt").touch()
    with pytest.raises(OutputError, match="no vault"), whole_folders(tmp_path / "two", before=full):
        pass
    assert list(tmp_path.iterdir()) == []
