"""Temporary data is private, and gone after a run, after a signal, and after a kill with the next run."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Timer

import pytest
from tests.doors.conftest import Command

from sfumato import temporary
from sfumato.errors import OutputError, UnreadableFile
from sfumato.outputs import whole, whole_folder, write_text
from sfumato.proof.use_log.log import AuditLog
from sfumato.temporary import scratch, scratch_of, sweep

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes, locks and signals as POSIX has them")

SOURCE = Path(__file__).parents[2] / "src"
# Reads a table in another encoding, of which a copy is made, and runs a query that would take hours.
SLOW = """
import sys
from sfumato.cli import main
from sfumato.plans import assess_project
from sfumato.tables.engines.duckdb import DuckDB
from sfumato.temporary import scratch
def slow(*given, **more):
    with scratch() as folder:
        (folder / "rows.csv").write_text("a,b")
        engine = DuckDB()
        print("begun", flush=True)
        {query}
assess_project.assess_source = slow
sys.argv = ["sfumato", "assess", "patients.csv", "--quasi", "age"]
main()
"""
QUERY = "SELECT count(*) FROM range(10000000) AS a(i), range(10000000) AS b(j) WHERE hash(i + j) % 7 = 1"
WAYS = {
    "fetch": f"engine.fetch({QUERY!r})",
    "arrow": f"engine.arrow({QUERY!r})",
    "python": "__import__('time').sleep(60)",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary data; what this process made elsewhere is left as it is."""
    made = tmp_path / "temporary"
    made.mkdir(mode=0o700)
    monkeypatch.setenv(temporary.VARIABLE, str(made))
    monkeypatch.setattr(temporary, "_runs", [])
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def started(tmp_path: Path, way: str) -> subprocess.Popen[bytes]:
    script = SLOW.replace("{query}", WAYS[way])
    (tmp_path / "patients.csv").write_text("age\n1\n", encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"begun\n"
    return running


def test_what_a_run_lays_down_only_its_owner_can_read_whatever_the_umask(folder: Path) -> None:
    former = os.umask(0)
    try:
        with scratch() as own, open(own / "rows.csv", "w", opener=temporary.private_file) as file:
            file.write("a,b\n")
            assert [mode(own), mode(own.parent), mode(own / "rows.csv")] == [0o700, 0o700, 0o600]
            assert own.parent.parent == folder
        assert not own.exists()
    finally:
        os.umask(former)
    temporary.remove_run()
    assert list(folder.iterdir()) == []


def test_a_folder_of_an_owner_goes_with_it(folder: Path) -> None:
    class Owner:
        pass

    owner = Owner()
    own = scratch_of(owner)
    assert own.is_dir()
    del owner
    assert not own.exists()
    temporary.remove_run()


def test_only_dead_folders_of_ours_are_swept(folder: Path, tmp_path: Path) -> None:
    with scratch() as living:
        dead, other, elsewhere = folder / "sfumato-run-abcdefgh", folder / "sfumato-abcdefgh", tmp_path / "elsewhere"
        for made in (dead, other, elsewhere):
            made.mkdir()
            (made / "rows.csv").write_text("a,b\n", encoding="utf-8")
        (folder / "sfumato-run-aaaaaaaa").symlink_to(elsewhere)
        (folder / "sfumato-run-bbbbbbbb").write_text("no folder", encoding="utf-8")
        sweep()
        assert living.is_dir()
        assert not dead.exists()
        assert (other / "rows.csv").exists()
        assert (elsewhere / "rows.csv").exists()
        assert len(list(folder.iterdir())) == 4
    temporary.remove_run()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can make folders of others")
def test_a_folder_that_another_sweeps_before_it_is_locked_is_made_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []

    def swept_at_once(prefix: str, dir: Path) -> str:  # noqa: A002
        path = Path(mkdtemp(prefix=prefix, dir=dir))
        made.append(path)
        if len(made) == 1:
            held = temporary.hold(path)
            assert held is not None
            Timer(0.2, lambda: (temporary.remove(path), os.close(held))).start()
        return str(path)

    mkdtemp = tempfile.mkdtemp
    monkeypatch.setattr(temporary.tempfile, "mkdtemp", swept_at_once)
    path, held = temporary.held_folder(folder, "sfumato-run-")
    assert path == made[1]
    assert path.is_dir()
    assert held is not None
    os.close(held)


def test_nobody_waits_for_ever_for_one_who_sweeps_and_was_stopped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    sweepers: list[int | None] = []

    def held_at_once(prefix: str, dir: Path) -> str:  # noqa: A002
        made.append(Path(mkdtemp(prefix=prefix, dir=dir)))
        if len(sweepers) < sweeping:
            sweepers.append(temporary.hold(made[-1]))
        return str(made[-1])

    mkdtemp, sweeping = tempfile.mkdtemp, 1
    monkeypatch.setattr(temporary.tempfile, "mkdtemp", held_at_once)
    monkeypatch.setattr(temporary, "SWEPT", 0.1)
    path, held = temporary.held_folder(folder, "sfumato-run-")
    assert path == made[1]
    os.close(held or 0)
    sweeping = 100
    with pytest.raises(OSError, match="taken away at once"):
        temporary.held_folder(folder, "sfumato-run-")
    for sweeper in sweepers:
        os.close(sweeper or 0)


def test_a_folder_that_another_process_keeps_locked_is_a_sentence_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "PATIENCE", 0.1)
    held = temporary.hold(tmp_path)
    try:
        with pytest.raises(OutputError, match=r"not written .another process has kept it locked for 0 seconds"):
            write_text(tmp_path / "answers.yaml", "a: 1\n")
        with (
            pytest.raises(OutputError, match="another process has kept it locked"),
            whole_folder(tmp_path / "package") as draft,
        ):
            (draft / "released.csv").write_text("a\n", encoding="utf-8")
        assert not list(tmp_path.iterdir())
    finally:
        os.close(held or 0)
    write_text(tmp_path / "answers.yaml", "a: 1\n")


def test_a_log_that_another_process_keeps_locked_is_neither_read_nor_written_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporary, "PATIENCE", 0.1)
    log = AuditLog(tmp_path / "sfumato.log.jsonl")
    log.append({"command": "assess"})
    with log.path.open("rb") as other:
        assert temporary.lock(other.fileno())
        with pytest.raises(OutputError, match=r"could not be written to the log .another process has kept it locked"):
            log.append({"command": "assess"})
        with pytest.raises(UnreadableFile, match="another process has kept it locked"):
            log.read()
    assert len(log.lines()) == 1


def test_a_folder_of_somebody_else_is_left_alone(folder: Path) -> None:
    theirs = folder / "sfumato-run-abcdefgh"
    theirs.mkdir()
    os.chown(theirs, 12345, -1)
    sweep()
    assert theirs.is_dir()


def test_a_folder_that_cannot_hold_temporary_data_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(temporary.VARIABLE, str(folder / "nowhere"))
    with pytest.raises(OutputError, match="SFUMATO_TMP names, is no folder"), scratch():
        pass
    folder.chmod(0o777)
    monkeypatch.setenv(temporary.VARIABLE, str(folder))
    with pytest.raises(OutputError, match="can be written by everybody"), scratch():
        pass
    folder.chmod(0o1777)
    with scratch() as own:
        assert own.is_dir()
    temporary.remove_run()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_a_run_soon_with_a_sentence_and_nothing_left(
    tmp_path: Path, folder: Path, number: signal.Signals, way: str
) -> None:
    if number == signal.SIGHUP and way != "python":
        pytest.skip("as SIGTERM")
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("the tests were started so that this signal is ignored (nohup), and what is ignored stays so")
    running = started(tmp_path, way)
    assert len(list(folder.iterdir())) == 1
    time.sleep(0.2)
    running.send_signal(number)
    begun = time.monotonic()
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (128 + number, b"sfumato: stopped.\n")
    assert time.monotonic() - begun < 9
    assert list(folder.iterdir()) == []


def test_after_a_kill_the_next_run_takes_away_what_was_left(tmp_path: Path, folder: Path, sfumato: Command) -> None:
    running = started(tmp_path, "python")
    running.kill()
    running.communicate(timeout=60)
    (left,) = folder.iterdir()
    assert (left / next(iter(os.listdir(left)))).exists()
    assert sfumato("--version").code == 0
    assert list(folder.iterdir()) == []


def test_a_draft_of_a_killed_writer_is_swept_and_one_of_a_living_writer_is_not(tmp_path: Path) -> None:
    (tmp_path / ".sfumato-abcdefgh").mkdir()
    (tmp_path / ".sfumato-package-abcdefgh").mkdir()  # of a folder that is written whole, which its next writer sweeps
    with whole(tmp_path) as living:
        write_text(tmp_path / "other.txt", "other")
        assert living.is_dir()
        (living / "one.txt").write_text("one", encoding="utf-8")
    assert sorted(os.listdir(tmp_path)) == [".sfumato-package-abcdefgh", "one.txt", "other.txt"]


def test_what_stays_with_the_steward_is_private_and_the_release_keeps_to_the_umask(
    tmp_path: Path, sfumato: Command
) -> None:
    rows = "".join(f"{20 + n % 3},{'FM'[n % 2]},a\n" for n in range(40)) + "99,F,b\n"
    (tmp_path / "patients.csv").write_text(f"age,sex,diagnosis\n{rows}", encoding="utf-8")
    former = os.umask(0o022)
    try:
        asked = ("patients.csv", "--quasi", "age,sex", "--k", "3")
        assert sfumato("assess", *asked, "--out", "flagged").code == 1
        assert (
            sfumato("anonymise", *asked, "--non-sensitive", "diagnosis", "--method", "local", "--out", "out").code == 0
        )
    finally:
        os.umask(former)
    assert mode(tmp_path / "flagged") == 0o700
    assert {mode(path) for path in (tmp_path / "flagged").iterdir()} == {0o600}
    modes = {path.name: mode(path) for path in (tmp_path / "out").iterdir()}
    assert modes.pop("released.csv") == 0o644
    assert set(modes.values()) == {0o600}
    assert "recoding.csv" in modes


def test_where_the_temporary_folder_is_full_one_sentence_says_so(
    tmp_path: Path, folder: Path, program: Command
) -> None:
    text = "name,age\n" + "".join(f"Zoë {n},{n}\n" for n in range(20_000))
    (tmp_path / "patients.csv").write_text(text, encoding="latin-1")
    done = program(
        "assess", "patients.csv", "--quasi", "age", "--k", "2", limit=100_000, env={"PYTHONPATH": str(SOURCE)}
    )
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("sfumato: The disk is full")
    assert len(done.err.splitlines()) == 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 2, "not enough memory"),
        (OSError(12, "Cannot allocate memory"), 2, "not enough memory"),
        (OSError(28, "No space left on device"), 2, "The disk is full"),
        (KeyboardInterrupt(), 130, "stopped."),
        (RuntimeError("a cell"), 2, "Something unforeseen went wrong (RuntimeError"),
    ],
)
def test_every_error_is_one_sentence_and_a_code(
    tmp_path: Path, sfumato: Command, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, words: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    (tmp_path / "patients.csv").write_text("age\n1\n", encoding="utf-8")
    monkeypatch.setattr("sfumato.plans.assess_project.assess_source", fail)
    outcome = sfumato("assess", "patients.csv", "--quasi", "age")
    assert (outcome.code, outcome.out, len(outcome.err.splitlines())) == (code, "", 1)
    assert words in outcome.err
    assert "a cell" not in outcome.err


def test_too_few_addresses_are_one_sentence_and_no_death_of_a_library(
    tmp_path: Path, sfumato: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    (tmp_path / "patients.csv").write_text("age\n1\n", encoding="utf-8")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (600_000_000, resource.RLIM_INFINITY))
    outcome = sfumato("assess", "patients.csv", "--quasi", "age")
    assert (outcome.code, outcome.out, len(outcome.err.splitlines())) == (2, "", 1)
    assert "0.6 GB of addresses (ulimit -v)" in outcome.err
    assert sfumato("--help").code == 0


def test_a_reader_who_goes_away_is_no_verdict(tmp_path: Path) -> None:
    command = f"{sys.executable} -m sfumato schema; echo $? >&2"
    done = subprocess.Popen(
        ["sh", "-c", command], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(SOURCE)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    said = done.stderr.read().decode().splitlines()
    done.wait(timeout=60)
    assert said[-1] == "141"
    assert not any("Traceback" in line or "Exception" in line for line in said)


def test_documents_of_a_run_that_failed_leave_no_chain_of_errors() -> None:
    from sfumato.errors import EngineError

    caught = []
    for how in ("from none", "from the driver", "while handling"):
        try:
            try:
                raise ValueError("a cell")
            except ValueError as driver:
                error = EngineError("duckdb", driver)
                if how == "while handling":
                    raise error  # noqa: B904
                raise error from (driver if how == "from the driver" else None)
        except EngineError as translated:
            caught.append((translated.__context__, translated.__cause__, translated.__suppress_context__))
    assert json.dumps(caught) == json.dumps([(None, None, True)] * 3)
