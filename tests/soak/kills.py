"""Commands that are killed at a random moment, and what they must never leave behind."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.soak.campaign_log import note

from sfumato.canonical import sha256_of
from sfumato.proof.use_log.chain import Chain
from sfumato.proof.use_log.log import AuditLog
from sfumato.studies.demo import demo_folder

SOURCE = Path(__file__).parents[2] / "src"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
RECORDS = 1000
LONGEST = 300.0  # seconds, for a machine that does much else; a command takes one or two by itself
# Seconds of a processor within which a run that was asked to end has ended: docs/hostile-inputs.md says what was
# measured. Not of the clock, since beside many others a run has a twentieth of a processor.
ENDS = 2.0
# And seconds of the clock: a run that waits for something takes no processor. Twenty times what `ENDS` takes on a
# machine of its own, and more than the run waits for a library that does not look up (`GRACE` of cli/signals).
ENDS_BY_THE_CLOCK = 60.0
PROJECT = """\
data: {source: patients.csv}
columns:
  patient_id: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
anonymise: {method: optimal, suppress: 0.2}
plan:
  steps:
    - drop: {columns: [patient_id]}
"""
COMMANDS = {
    "release": ("release", "--out", "package", "--force", "--no-report"),
    "apply": ("apply", "sfumato.yaml", "patients.csv", "-o", "applied/released.csv"),
    "anonymise": ("anonymise", "--out", "found"),
    "log": ("log", "--verify"),
    "study": ("study", "bio-streams", "--root", "demo"),
}
WHOLE = {"apply": "applied/released.csv", "anonymise": "found/released.csv"}


@dataclass(frozen=True)
class Kill:
    """One command, the signal that ends it, and the share of its usual time after which it is sent."""

    command: str
    signal: signal.Signals
    share: float


def drawn(number: int) -> Kill:
    """The kill of a number: the commands and the signals in turn, the moment at random."""
    chance = random.Random(number)
    names = list(COMMANDS)
    return Kill(names[number % len(names)], SIGNALS[number % len(SIGNALS)], chance.uniform(0.02, 1.05))


class KilledRuns:
    """A project and a study in a folder, with a folder for temporary data beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.temporary = folder / "work", folder / "temporary"
        self.usual: dict[str, float] = {}
        for made in (self.folder, self.temporary):
            made.mkdir()
        chance = random.Random(7)
        rows = (
            f"P{n},{chance.randint(1, 99)},{chance.choice('FM')},{chance.randint(100, 140)},ménière"
            for n in range(RECORDS)
        )
        text = "\n".join(["patient_id,age,sex,postcode,diagnosis", *rows, ""])
        (self.folder / "patients.csv").write_text(text, encoding="latin-1")  # so that it is copied on the way
        (self.folder / "sfumato.yaml").write_text(PROJECT, encoding="utf-8")
        demo_folder(self.folder / "demo")
        for name in COMMANDS:
            begun = time.monotonic()
            assert self._started(name).wait(timeout=LONGEST) in (0, 1), name
            self.usual[name] = time.monotonic() - begun

    def faults(self, kill: Kill) -> list[str]:
        """Everything that is wrong after a kill."""
        before, lay = self._lines(), set(os.listdir(self.temporary))  # what an earlier kill left, until a run sweeps it
        begun = _worked_by_children()
        running = self._started(kill.command)
        time.sleep(kill.share * self.usual[kill.command])
        asked = _worked(running.pid)
        deaf = _ignores(running.pid, kill.signal)
        running.send_signal(kill.signal)
        sent = time.monotonic()
        try:
            code = running.wait(timeout=ENDS_BY_THE_CLOCK)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
            return [f"had not ended {ENDS_BY_THE_CLOCK:.0f} seconds after the signal"]
        by_the_clock, took = time.monotonic() - sent, _worked_by_children() - begun - asked
        said = running.stderr.read().decode() if running.stderr else ""
        note(f"{kill}: code {code}, {took:.2f} s of a processor, {by_the_clock:.2f} s by the clock")
        faults = [*self._half_written(), *self._unlogged(kill, before), *self._said(kill, code, said, took)]
        if deaf:
            faults.append("ignored the signal, so that nothing was shown")
        if kill.signal != signal.SIGKILL:
            faults += [f"left in the temporary folder: {name}" for name in set(os.listdir(self.temporary)) - lay]
        return faults

    def faults_after_all(self) -> list[str]:
        """What is still there once every command has run again, with nobody killing it."""
        for name in COMMANDS:
            assert self._started(name).wait(timeout=LONGEST) in (0, 1), name
        return list(self._left())

    def _started(self, name: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(SOURCE), "SFUMATO_TMP": str(self.temporary)}
        for variable in ("SFUMATO_LOG", "SFUMATO_LOG_HEAD", "BIOSTREAMS_PILOT"):
            environment.pop(variable, None)
        command = [sys.executable, "-m", "sfumato", *COMMANDS[name]]
        return subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            preexec_fn=_heeding,
        )  # fmt: skip

    def _log(self) -> AuditLog:
        return AuditLog(self.folder / "sfumato.log.jsonl")

    def _lines(self) -> int:
        return len(self._log().lines()) if self._log().path.exists() else 0

    def _said(self, kill: Kill, code: int, said: str, took: float) -> Iterator[str]:
        """A run that was asked to end ends soon, with its code and one sentence."""
        # Until Sfumato is imported, Python meets the signal: it ends by it, or shows which import was cut off. It
        # also ends by SIGINT itself where that came within a text that is run, as when a class of data is made.
        by_python = code == -kill.signal and (not said or kill.signal == signal.SIGINT)
        early = "KeyboardInterrupt" in said and "import" in said
        if code not in (0, 1, 128 + kill.signal) and not by_python:
            yield f"ended with {code}: {said[:500]}"
        if "Traceback" in said and not early:
            yield "a traceback was shown"
        if took > ENDS:
            yield f"took {took:.1f} seconds of a processor to end"

    def _half_written(self) -> Iterator[str]:
        """A package is whole, by its manifest; a released file is one that a record of it names."""
        manifest = self.folder / "package" / "manifest.json"
        if not manifest.is_file():
            yield "there is no package any more"
        else:
            for name, listed in json.loads(manifest.read_bytes())["files"].items():
                if sha256_of(self.folder / "package" / name) != listed["sha256"]:
                    yield f"package: {name} is not what the manifest says"
        for file in WHOLE.values():
            if not (self.folder / file).read_bytes().endswith(b"\n"):
                yield f"{file} is not whole"

    def _unlogged(self, kill: Kill, before: int) -> Iterator[str]:
        """The chain is whole whatever happened; a package that is there was written by a use that began."""
        chain = Chain.of(self._log(), verify=True)
        yield from (f"log: {problem}" for problem in chain.problems or () if "is torn" not in problem)
        package = self.folder / "package" / "manifest.json"
        begun = [use for use in chain.uses if use["command"]["name"] == "release" and "ended" not in use]
        if not chain.wrote(sha256_of(package)) and not begun:
            yield "a package that no line of the log knows of"
        if kill.signal == signal.SIGTERM and self._lines() - before == 1:
            yield "a use that was asked to end has no end in the log"

    def _left(self) -> Iterator[str]:
        """Nothing hidden beside outputs, and nothing in the temporary folder."""
        hidden = [path for path in self.folder.rglob(".sfumato-*") if path.parent.name != "package"]
        yield from (f"left beside outputs: {path.relative_to(self.folder)}" for path in hidden)
        yield from (
            f"left in the temporary folder after the next run: {path.name}" for path in self.temporary.iterdir()
        )


def _heeding() -> None:
    """Let a process heed SIGINT: what a shell has put into the background ignores it, and so would all it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ignores(process: int, number: signal.Signals) -> bool:
    """Whether a process would not even notice a signal."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:  # no such files on this system
        return False
    ignored = next((line.split()[1] for line in lines if line.startswith("SigIgn:")), "0")
    return bool(int(ignored, 16) >> (number - 1) & 1)


def _worked(process: int) -> float:
    """Seconds of a processor that a process has taken so far; none where it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _worked_by_children() -> float:
    """The same of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
