"""A real service whose processes are killed at random moments: `sfumato serve`, its workers, and their runs."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx

PARTS = ("server", "worker", "run")
WAITING = 3  # runs that wait or are at work when something is killed: more would only be left over at the end
DRAINED = 600  # seconds in which some run ends, on a busy machine
MOMENT = (1.0, 10.0)  # seconds at the least and at the most from a start to a kill: else as long as a run takes here
LEASE = 6  # seconds: what a killed worker had is taken up again after them
CELLS = (b"asthma", b"angina")  # of the table, and of nothing else
QUESTION = {"verb": "assess", "options": {"k": 2}}


class KilledService:
    """A service whose processes are killed and come back, and what must hold of it afterwards."""

    def __init__(self, root: Path, database: str | None, token: str, seed: int) -> None:
        self.root, self.chance, self.asked = root, random.Random(seed), set[str]()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        given = {"SFUMATO_SERVICE_DATABASE": database} if database else {}
        limits = {"SFUMATO_SERVICE_RUNS_PER_PERSON": "4", "SFUMATO_SERVICE_LEASE_SECONDS": str(LEASE)}
        self.environment = {**os.environ, **given, **limits}
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60
        )
        self.server = self._started()
        self.killed = dict.fromkeys(PARTS, 0)
        self.moment = self._length_of_a_run()

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "sfumato", "serve", "--root", str(self.root), "--port", str(self.port)]
        silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*command, "--workers", "2"], env=self.environment, **silent)

    def ask(self) -> None:
        """Start a run as people do, again and again under one key until the service has said that it has it."""
        key, until = uuid.uuid4().hex, time.monotonic() + DRAINED
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                answer = self.client.post("projects/clinic/runs", json=QUESTION, headers={"Idempotency-Key": key})
                if answer.status_code == 201:
                    self.asked.add(answer.json()["handle"])
                    return
                # The server was killed between the key and the answer: this key is never answered, the next one is.
                key = uuid.uuid4().hex if answer.status_code == 409 else key
            time.sleep(0.1)
        raise AssertionError("the service did not take a run")

    def unfinished(self) -> int:
        """How many runs wait or are at work, as the service says once it answers."""
        until = time.monotonic() + DRAINED
        while time.monotonic() < until:
            with suppress(httpx.TransportError):
                answer = self.client.get("projects/clinic/runs", params={"limit": 200})
                if answer.status_code == 200:
                    return sum(run["state"] in ("queued", "running") for run in answer.json()["items"])
            time.sleep(0.1)
        raise AssertionError("the service did not say which runs there are")

    def _length_of_a_run(self) -> float:
        """Seconds that a run is at work where nothing is killed, so that every part of its life is hit."""
        self.ask()
        self.await_work()
        began = time.monotonic()
        while self.unfinished():
            assert time.monotonic() - began < DRAINED, "the first run did not end"
            time.sleep(0.1)
        return min(max(time.monotonic() - began, MOMENT[0]), MOMENT[1])

    def kill(self) -> None:
        """Kill something at a random moment; the server is then started anew, which starts its workers anew."""
        while self.unfinished() < WAITING:
            self.ask()
        self.await_work()
        time.sleep(self.chance.uniform(0, self.moment))
        victim = self.chance.choice(PARTS)
        until = time.monotonic() + DRAINED
        while not (processes := self._processes(victim)):
            assert time.monotonic() < until, f"there was no {victim} to kill"
            self.ask()
            time.sleep(0.2)
        with suppress(ProcessLookupError):
            os.kill(self.chance.choice(processes), signal.SIGKILL)
        if victim == "server":
            self.server.wait()
            self.server = self._started()
        self.killed[victim] += 1

    def _processes(self, part: str) -> list[int]:
        """The processes of a part: the server, its children that are workers, or the children of those."""
        parents = {process: _parent(process) for process in _listed()}
        workers = [child for child, parent in parents.items() if parent == self.server.pid and _is_worker(child)]
        runs = [child for child, parent in parents.items() if parent in workers]
        return {"server": [self.server.pid], "worker": workers, "run": runs}[part]

    def await_work(self) -> None:
        """Wait until a run is at work, however slow the machine is: else only starts are hit."""
        until = time.monotonic() + DRAINED
        while not self._processes("run"):
            assert time.monotonic() < until, "no run was ever at work"
            time.sleep(0.05)

    def end(self) -> None:
        """Start no more runs, let the workers do what is left, and end the service."""
        from sqlalchemy import func, select

        from sfumato.service.entities import Run
        from sfumato.service.service import Service

        service = Service.at(self.root)
        unfinished = select(func.count(Run.handle)).where(Run.state.in_(("queued", "running")))
        left, until = -1, 0.0
        while left and (left < 0 or time.monotonic() < until):
            with service.database.reading() as session:
                now = session.scalar(unfinished) or 0
            if now != left:
                left, until = now, time.monotonic() + DRAINED
            time.sleep(0.2)
        service.database.close()
        self.close()

    def close(self) -> None:
        """End the server, which ends its workers."""
        self.client.close()
        self.server.terminate()
        try:
            self.server.wait(60)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def faults(self) -> tuple[list[str], dict[str, int]]:
        """Everything that should not be, and how many runs ended how."""
        from sqlalchemy import select

        from sfumato.proof.use_log.chain import Chain
        from sfumato.service.entities import Run
        from sfumato.service.service import Service
        from sfumato.service.worker import sweep_work

        service = Service.at(self.root)
        sweep_work(service)
        with service.database.reading() as session:
            runs = list(session.scalars(select(Run)))
        chain = Chain.of(service.events.log, verify=True)
        faults = [f"log: {problem}" for problem in chain.problems]
        faults += [f"left in work: {name}" for name in os.listdir(service.storage.work)]
        faults += [f"{handle} was promised and is not there" for handle in self.asked - {run.handle for run in runs}]
        worked = [use for use in chain.uses if use["command"]["name"] == "run.work"]
        ends = [use["about"]["run"] for use in worked if (use.get("outcome") or {}).get("state") == "done"]
        for run in runs:
            if run.state not in ("done", "failed"):
                faults.append(f"{run.handle} is {run.state} ({run.attempts} attempts)")
            if ends.count(run.handle) > 1:
                faults.append(f"{run.handle} was done twice")
        faults += _half(service, runs)
        faults += [f"{path} holds cells" for path in _with_cells(service)]
        begun = {(use["about"]["run"], use["about"]["attempt"]) for use in worked}
        for run in runs:
            if run.state == "done" and (run.handle, run.attempts) not in begun:
                faults.append(f"attempt {run.attempts} of {run.handle} is unlogged")
        figures = {"runs": len(runs), "taken up again": sum(run.attempts > 1 for run in runs)}
        figures |= {state: sum(run.state == state for run in runs) for state in ("done", "failed")}
        service.database.close()
        return faults, {**figures, **{f"killed: {part}": count for part, count in self.killed.items()}}


def _half(service: Any, runs: list[Any]) -> list[str]:
    """Results that are not whole: all runs ask the same, so that all that are done have files of the same names."""
    from sfumato.service.run_results import files_of
    from sfumato.service.storage import FILES

    names = {run.handle: {file.name for file in files_of(run)} for run in runs}
    documents = {file.sha256 for run in runs for file in files_of(run) if file.name == "result.json"}
    stored = (service.storage.root / FILES).glob("??/*")
    whole = next((names[run.handle] for run in runs if run.state == "done"), set())
    faults = [] if {"result.json", "sheet.txt"} <= whole else [f"a run that is done has {sorted(whole)}"]
    faults += [f"there are {len(documents)} answers to one question"] if len(documents) != 1 else []
    faults += [f"{file.name} is not what its name says" for file in stored
               if sha256(file.read_bytes()).hexdigest() != file.parent.name + file.name]  # fmt: skip
    for run in runs:
        if names[run.handle] != (whole if run.state == "done" else set()):
            faults.append(f"{run.handle} is {run.state} and has {sorted(names[run.handle])}")
        faults += [f"{run.handle}: {file.name} is not whole" for file in files_of(run)
                   if sha256(service.storage.read(file.sha256)).hexdigest() != file.sha256]  # fmt: skip
    return faults


def _with_cells(service: Any) -> list[str]:
    """Files of the service with a cell of the table, but for those that are kept: the source and the results."""
    from sfumato.service.storage import FILES

    files = (path for path in service.root.rglob("*") if path.is_file() and FILES not in path.parts)
    return [path.name for path in files if any(cell in path.read_bytes() for cell in CELLS)]


def _listed() -> list[int]:
    return [int(entry) for entry in os.listdir("/proc") if entry.isdecimal()]


def _parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _is_worker(process: int) -> bool:
    try:
        return b"worker" in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
