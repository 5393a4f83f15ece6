"""Runs commands on hostile cases, each in a child of its own that is watched: `python -m tests.hostile.run`.

The process imports the program once and forks for each command, since a start takes longer than most commands; a child
begins with what a fresh process has after its imports, and ends as a process does. Memory is watched, not limited:
DuckDB, Arrow and Numba reserve address space that they never touch, so RLIMIT_AS would refuse what takes 200 MB. The
resident memory of the child and of all its descendants is read a hundred times a second, and a child above 2 GB is
killed, as is one that takes more than 60 seconds. On a machine that does much else HOSTILE_SECONDS gives it longer by
the clock, and 60 seconds of a processor stay what it may take.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
import time
import traceback
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.hostile.case import KEY, MARK, NUMBER, Case, Place
from tests.hostile.commands import commands

WORK = 60.0  # seconds of a processor, for a command with its children
SECONDS = float(os.environ.get("HOSTILE_SECONDS", str(WORK)))
MEMORY = 2 * 1024**3
LONGEST = 100_000  # characters of an answer; the widest table of the corpus needs a tenth of it
END_WITH_PARENT = 1  # PR_SET_PDEATHSIG: a run that is stopped leaves no child
PAGE = os.sysconf("SC_PAGE_SIZE")
# What turns the direction of a text, so that what is read is not what is there.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass
class Outcome:
    """What one command did with one case, and what is wrong with that."""

    case: str
    command: str
    code: int = 0
    seconds: float = 0.0
    worked: float = 0.0  # seconds of a processor
    megabytes: int = 0
    said: str = ""
    faults: list[str] = field(default_factory=list)


def run(case: Case, base: Path, *, every: bool, only: str = "") -> Iterator[Outcome]:
    """Make a case, and run its commands one after the other."""
    folder = base / "case"
    folder.mkdir(parents=True)
    _neighbour(base / "neighbour")
    made = _forked(lambda: _make(case, folder), base / "made", seconds=60)
    given = base / "given"
    if made.code or not given.is_file():
        yield Outcome(
            case.name, "make", made.code, made.seconds, made.worked, said=_said(base / "made"), faults=["was not made"]
        )
        return
    target = Path(given.read_text(encoding="utf-8", errors="surrogateescape"))
    before = _contents(base, "case", "neighbour")
    for name, arguments in commands(case, every=every).items():
        if only and name != only:
            continue
        out = base / "out"
        for each in ("out", "home", "cwd", "tmp"):
            shutil.rmtree(base / each, ignore_errors=True)
            (base / each).mkdir()
        try:
            words = [str(word) for word in arguments(case, target, out)]
        except OSError:
            continue  # what stands in place of the file cannot be copied or linked
        outcome = _forked(lambda words=words: _command(words, base), base / name, meanwhile=_meanwhile(case, target))
        outcome.case, outcome.command = case.name, name
        outcome.said = _said(base / name)
        outcome.faults += list(_faults(case, outcome, base, before))
        if case.meanwhile:
            before = _contents(base, "case", "neighbour")
        yield outcome


def _make(case: Case, folder: Path) -> int:
    target = case.make(Place(folder))
    (folder.parent / "given").write_text(str(target), encoding="utf-8", errors="surrogateescape")
    return 0


def _neighbour(folder: Path) -> None:
    folder.mkdir()
    (folder / "victim.csv").write_text(f"age,dx,name\n1,{MARK} of the neighbour,{MARK}\n", encoding="utf-8")
    (folder / "levels.csv").write_text(f"20;{MARK};*\n", encoding="utf-8")


def _command(words: list[str], base: Path) -> int:
    """Run the program in this child, and say its exit code."""
    os.environ.update(
        HOME=str(base / "home"), TMPDIR=str(base / "tmp"), COLUMNS="200", SFUMATO_KEY=KEY, SFUMATO_USER="a tester",
        SFUMATO_SECRET_STUDY=KEY[::-1],
    )  # fmt: skip
    for name in ("SFUMATO_TMP", "SFUMATO_LOG", "BIOSTREAMS_PILOT"):
        os.environ.pop(name, None)
    tempfile.tempdir = None
    os.chdir(base / "cwd")
    sys.argv = ["sfumato", *words]
    from sfumato.cli import main

    try:
        main()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def _meanwhile(case: Case, target: Path) -> Callable[[], None] | None:
    change = case.meanwhile
    return None if change is None else lambda: change(target)


def _forked(
    work: Callable[[], int], said: Path, *, seconds: float = SECONDS, meanwhile: Callable[[], None] | None = None
) -> Outcome:
    """Do something in a child, and watch it."""
    sys.stdout.flush()
    sys.stderr.flush()
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
        for number, ending in ((1, ".out"), (2, ".err")):
            opened = os.open(f"{said}{ending}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, number)
            os.close(opened)
        _end(work)
    outcome = Outcome("", "")
    while not _ended(child, outcome):
        outcome.seconds = time.monotonic() - begun
        outcome.megabytes = max(outcome.megabytes, _resident(child) >> 20)
        if outcome.megabytes << 20 > MEMORY:
            outcome.faults.append("took more than 2 GB")
        elif outcome.seconds > seconds:
            outcome.faults.append(f"took more than {seconds:.0f} s")
        if outcome.faults:
            os.killpg(child, signal.SIGKILL)
            used = os.wait4(child, 0)[2]  # tells a command that waits from one that has no processor
            outcome.worked = used.ru_utime + used.ru_stime
            return outcome
        if meanwhile:
            meanwhile()
        time.sleep(0.01)
    outcome.seconds = time.monotonic() - begun
    return outcome


def _ended(child: int, outcome: Outcome) -> bool:
    """Whether a child has ended; if so, how, and whether it left another process behind."""
    done, status, used = os.wait4(child, os.WNOHANG)
    if not done:
        return False
    outcome.worked, outcome.code = used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status)
    if outcome.worked > WORK:
        outcome.faults.append(f"took more than {WORK:.0f} s of a processor")
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
        outcome.faults.append("left a process behind")
    return True


def _end(work: Callable[[], int]) -> None:
    """Do the work of a child and end it as a program ends, but for taking apart modules, which takes a second."""
    code = 70  # of a child that raised something: no command ends with it
    try:
        code = work()
    except BaseException:
        traceback.print_exc()
    gc.collect()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _resident(process: int) -> int:
    """The bytes that a process and its descendants have in memory."""
    total, waiting = 0, [process]
    while waiting:
        each = waiting.pop()
        try:
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1]) * PAGE
            for thread in Path(f"/proc/{each}/task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
        except (OSError, IndexError):
            continue  # it ended meanwhile
    return total


def _said(path: Path) -> str:
    streams = (Path(f"{path}{ending}") for ending in (".out", ".err"))
    return "".join(stream.read_bytes()[: 2 * LONGEST].decode("utf-8", "backslashreplace") for stream in streams)


def _faults(case: Case, outcome: Outcome, base: Path, before: dict[str, str]) -> Iterator[str]:
    """All that is wrong with what a command did."""
    said = outcome.said
    if outcome.code not in (0, 1, 2) and not outcome.faults:
        yield f"ended with {outcome.code}"
    if "Traceback" in said or "Something unforeseen" in said:
        yield "an unforeseen error"
    if outcome.code == 2 and not re.search(r"^(sfumato: |Error: )", said, re.MULTILINE) and not _answered_in_part(said):
        yield "exit code 2 without a word"
    if len(said) > LONGEST:
        yield "said more than anybody reads"
    yield from _given_away(case, outcome, base)
    if strange := sorted({letter for letter in said if _strange(letter)}):
        yield f"control characters on the terminal: {strange!r}"
    yield from _left(case, outcome, base, before)
    if not outcome.faults and outcome.command in commands(case, every=False):
        yield from _unexpected(case, outcome, base)


def _answered_in_part(said: str) -> bool:
    """Whether some tables of a folder were read, and the others listed with what is wrong with them."""
    return re.search(r"^\d+ tables?, .* could not be read\.$", said, re.MULTILINE) is not None


def _strange(letter: str) -> bool:
    return letter in TURNING or (unicodedata.category(letter) == "Cc" and letter not in "\n\t\r")


def _given_away(case: Case, outcome: Outcome, base: Path) -> Iterator[str]:
    """A cell in what was said, or in a document of results. The command `hierarchy` shows values when all went well."""
    documents = {
        path.name: path.read_text(encoding="utf-8", errors="replace") for path in (base / "out").glob("*.json")
    }
    if outcome.code in (0, 1) and outcome.command in ("hierarchy", "from-file"):
        return
    for where, words in {"what was said": outcome.said, **documents}.items():
        joined = re.sub(r"\s+", "", words).casefold()
        if MARK.casefold() in joined or str(NUMBER)[:-2] in joined.replace(",", ""):
            yield f"a cell value in {where}"


def _left(case: Case, outcome: Outcome, base: Path, before: dict[str, str]) -> Iterator[str]:
    """Files that nobody asked for, or that changed."""
    for name in ("home", "cwd", "tmp"):
        if left := sorted(path.name for path in (base / name).iterdir()):
            yield f"left in {name}: {', '.join(left)}"
    if (
        outcome.code == 2
        and not _answered_in_part(outcome.said)
        and (left := sorted(path.name for path in (base / "out").iterdir()))
    ):
        yield f"wrote in spite of its error: {', '.join(left)}"
    after = _contents(base, "case", "neighbour")
    allowed = ("sfumato.log.jsonl", "sfumato.log.head", *case.may_write)
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if case.meanwhile is None and (names := {name for name in names if not name.endswith(allowed)}):
        yield f"changed: {', '.join(sorted(names))}"


def _unexpected(case: Case, outcome: Outcome, base: Path) -> Iterator[str]:
    said = " ".join(outcome.said.split())
    if case.refused is not None and (outcome.code != 2 or case.refused.casefold() not in said.casefold()):
        yield f"expected an error with {case.refused!r}, got exit code {outcome.code}: {said[:300]}"
    if case.says is not None and (outcome.code != 1 or case.says.casefold() not in said.casefold()):
        yield f"expected a finding with {case.says!r}, got exit code {outcome.code}: {said[:300]}"
    if case.records is not None:
        document = base / "out" / "assess.json"
        records = json.loads(document.read_text(encoding="utf-8"))["records"] if document.is_file() else None
        if records != case.records:
            yield f"expected {case.records} records, got {records}, exit code {outcome.code}: {said[:300]}"


def _contents(base: Path, *folders: str) -> dict[str, str]:
    """What every file is, without opening what is none."""
    found = {}
    for top in folders:
        for parent, inner, files in os.walk(base / top):
            for name in (*inner, *files):
                path = Path(parent) / name
                found[str(path.relative_to(base))] = _content(path)
    return found


def _content(path: Path) -> str:
    known = path.lstat()
    if stat.S_ISLNK(known.st_mode):
        return f"link to {os.readlink(path)}"
    if not stat.S_ISREG(known.st_mode) or not os.access(path, os.R_OK):
        return f"mode {known.st_mode}"
    if known.st_size > 20_000_000:
        return f"{known.st_size} bytes, {known.st_mtime_ns}"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _import_all() -> None:
    """Import what commands import, so that no child has to."""
    import importlib
    import pkgutil

    import sfumato
    import sfumato.cli

    for module in pkgutil.walk_packages(sfumato.__path__, "sfumato."):
        if "spark" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    others = "duckdb pyarrow.parquet pandas pyreadstat python_calamine xlsxwriter rdata sqlite3 rich.console sqlglot"
    for name in (*others.split(), "charset_normalizer", "cryptography", "yaml"):
        importlib.import_module(name)


def _parser_once() -> None:
    """Let Typer make its parser of commands and options once, not in every child."""
    import typer.main

    from sfumato.cli import app

    made = typer.main.get_command(app)
    typer.main.get_command = lambda _: made


def main(arguments: list[str]) -> None:
    """Run cases: a file for the outcomes, `slice` or `every`, a folder to work in, and names of cases (else all).

    Cases that the file has outcomes of are not run again, so what was stopped goes on where it was.
    """
    results, extent, work, *names = arguments
    from tests.hostile.corpus import all_cases, sliced

    only, file = os.environ.get("HOSTILE_COMMAND", ""), Path(results)
    done = {json.loads(line)["case"] for line in file.read_text("utf-8").splitlines()} if file.exists() else set()
    _import_all()
    _parser_once()
    gc.freeze()  # so that a collection in a child does not copy what all of them share
    for case in sliced() if extent == "slice" and not names else all_cases():
        if case.name in done or (names and case.name not in names):
            continue
        base = Path(work) / case.name
        _remove(base)  # where a run was stopped within a case
        outcomes = [json.dumps(asdict(outcome)) for outcome in run(case, base, every=extent == "every", only=only)]
        with file.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write("".join(f"{line}\n" for line in outcomes))
        _remove(base)


def _remove(base: Path) -> None:
    for parent, inner, _ in os.walk(base):
        for name in inner:
            if not (Path(parent) / name).is_symlink():
                (Path(parent) / name).chmod(0o700)
    shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # what is frozen is not taken apart
