"""Processes of a service that are killed at random moments: one that starts runs, two workers, and the runs themselves.

`python service_kills.py start|work ROOT` is such a process. A run is `tests/service/stand_in_program.py`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).resolve()
STAND_IN = (sys.executable, "-S", str(HERE.parents[1] / "service" / "stand_in_program.py"))
MOST_WAITING = 6  # runs in the queue at once: all of them are to end
PARTS = ("start", "work", "work")
DRAINED = 300  # seconds until all that is left is done, on a busy machine


def work(root: str) -> None:
    """A worker, until it is told to stop or killed."""
    import threading

    from sfumato.service.service import Service
    from sfumato.service.worker import Worker

    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda _number, _frame: told.set())
    Worker(Service.at(root), STAND_IN, stopping=told.is_set).work()


def start(root: str) -> None:
    """Starts runs as the server does, by the same function, until it is killed."""
    from sqlalchemy import func, select

    from sfumato.service import runs
    from sfumato.service.caller import Caller, Way
    from sfumato.service.entities import Account, Run
    from sfumato.service.service import Service

    service = Service.at(root)
    with service.database.reading() as session:
        account = session.scalars(select(Account).where(Account.name == "stella")).one()
    caller = Caller(Way.SESSION, account.handle, account.name, account.identity)
    for number in range(10**6):
        with service.database.reading() as session:
            waiting = session.scalar(select(func.count(Run.handle)).where(Run.state.in_(("queued", "running"))))
        if waiting < MOST_WAITING:
            mode = ("quick", "short", "unmet", "choose")[number % 4]
            runs.start(service, caller, "clinic", runs.RunWanted("assess", {"quasi": [mode]}))
        time.sleep(0.05)


class KilledService:
    """A service whose processes are killed and started anew, and what must hold of it afterwards."""

    def __init__(self, root: Path, database: str | None, seed: int) -> None:
        self.root, self.chance = root, random.Random(seed)
        given = {"SFUMATO_SERVICE_DATABASE": database} if database else {}
        self.environment = {**os.environ, **given, "SFUMATO_SERVICE_RUNS_PER_PERSON": "4"}
        self.processes = [self._started(part) for part in PARTS]
        self.killed = dict.fromkeys(("start", "work", "run"), 0)

    def _started(self, part: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(HERE), part, str(self.root)]
        return subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL)

    def kill(self) -> None:
        """Kill something at a random moment; a process of the service is then started anew."""
        self._await_work()
        time.sleep(self.chance.uniform(0, 1.5))
        victim = self.chance.choice(("start", "work", "work", "run"))
        if victim == "run":
            workers = {str(one.pid) for one, part in zip(self.processes, PARTS, strict=True) if part == "work"}
            children = [process for process in _processes() if _parent(process) in workers]
            if not children:
                return self.kill()
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(children), signal.SIGKILL)
        else:
            place = self.chance.choice([number for number, part in enumerate(PARTS) if part == victim])
            self.processes[place].kill()
            self.processes[place].wait()
            self.processes[place] = self._started(victim)
        self.killed[victim] += 1
        return None

    def _await_work(self) -> None:
        """Wait until something was done since the last kill, however slow the machine is: else only starts are hit."""
        log, until = self.root / "log" / "sfumato.log.jsonl", time.monotonic() + DRAINED
        before = log.stat().st_size
        while log.stat().st_size < before + 4000 and time.monotonic() < until:
            time.sleep(0.05)

    def end(self) -> None:
        """Start no more runs, let the workers do what is left, and end them."""
        from sqlalchemy import func, select

        from sfumato.service.entities import Run
        from sfumato.service.service import Service

        self._await_work()
        self.processes[0].kill()
        self.processes[0].wait()
        service = Service.at(self.root)
        until = time.monotonic() + DRAINED
        unfinished = select(func.count(Run.handle)).where(Run.state.in_(("queued", "running")))
        while time.monotonic() < until:
            with service.database.reading() as session:
                if session.scalar(unfinished) == 0:
                    break
            time.sleep(0.2)
        for process in self.processes[1:]:
            process.terminate()
            process.wait(60)
        service.database.close()

    def faults(self) -> tuple[list[str], dict[str, int]]:
        """Everything that should not be, and how many runs ended how."""
        from sqlalchemy import select

        from sfumato.proof.use_log.chain import Chain
        from sfumato.service.entities import Run
        from sfumato.service.run_results import files_of
        from sfumato.service.service import Service
        from sfumato.service.worker import sweep_work

        service = Service.at(self.root)
        sweep_work(service)
        with service.database.reading() as session:
            runs = list(session.scalars(select(Run)))
        chain = Chain.of(service.events.log, verify=True)
        faults = [f"log: {problem}" for problem in chain.problems]
        faults += [f"left in work: {name}" for name in os.listdir(service.storage.work)]
        worked = [use for use in chain.uses if use["command"]["name"] == "run.work"]
        ends = [use["about"]["run"] for use in worked if (use.get("outcome") or {}).get("state") == "done"]
        for run in runs:
            if run.state not in ("done", "failed"):
                faults.append(f"{run.handle} is {run.state} ({run.attempts} attempts)")
            if ends.count(run.handle) > 1:
                faults.append(f"{run.handle} was done twice")
            names = {file.name for file in files_of(run)}
            whole = {"sheet.txt", "result.json", "flagged/flagged.csv"} if run.state == "done" else set()
            if names != whole:
                faults.append(f"{run.handle} is {run.state} and has {sorted(names)}")
            faults += [f"{run.handle}: {file.name} is not whole" for file in files_of(run)
                       if sha256(service.storage.read(file.sha256)).hexdigest() != file.sha256]  # fmt: skip
        begun = {use["about"]["run"] for use in worked}
        faults += [f"{run.handle} is unlogged" for run in runs if run.state == "done" and run.handle not in begun]
        figures = {"runs": len(runs), "taken up again": sum(run.attempts > 1 for run in runs)}
        figures |= {state: sum(run.state == state for run in runs) for state in ("done", "failed")}
        service.database.close()
        return faults, {**figures, **{f"killed: {part}": count for part, count in self.killed.items()}}


def _processes() -> list[int]:
    return [int(entry) for entry in os.listdir("/proc") if entry.isdecimal()]


def _parent(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]
    except OSError:
        return ""


if __name__ == "__main__":
    {"start": start, "work": work}[sys.argv[1]](sys.argv[2])
