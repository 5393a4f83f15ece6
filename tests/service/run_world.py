"""What tests of runs share: a project with a version and a source, runs in the queue, and a worker for them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select
from tests.service.conftest import World

from sfumato.service import runs
from sfumato.service.entities import ProjectVersion, RegisteredSource, Run, ServiceProject
from sfumato.service.run_queue import claim
from sfumato.service.service import Service
from sfumato.service.versions import replace_files
from sfumato.service.worker import Worker

STAND_IN = (sys.executable, "-S", str(Path(__file__).with_name("stand_in_program.py")))
TABLE = """patient_id,age,sex,postcode,diagnosis,cholesterol
P01,34,F,0151,asthma,182
P02,36,F,0152,flu,190
P03,37,F,0153,angina,201
P04,39,M,0154,asthma,188
P05,41,M,0155,flu,176
P06,44,M,0156,angina,222
P07,45,F,0157,asthma,205
P08,48,F,0158,flu,199
P09,52,M,0159,angina,231
P10,55,M,0160,asthma,214
P11,57,F,0161,flu,185
P12,58,F,0162,angina,195
"""
PROJECT = """data:
  source: patients.csv
subject: patient_id
columns:
  patient_id: {role: direct}
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  postcode: {role: direct}
  diagnosis: {role: sensitive}
  cholesterol: {role: non-sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
"""
PLAN = """steps:
  - drop: {columns: [patient_id, postcode]}
"""


def with_project(world: World, name: str = "clinic", who: str = "stella") -> None:
    """Give a project of the world a source and a version."""
    service = world.service
    with service.database.writing() as session:
        project = session.scalars(select(ServiceProject).where(ServiceProject.name == name)).one()
        session.add(
            RegisteredSource(
                project=project.handle, name="patients.csv", kind="upload", hash=service.storage.keep(TABLE.encode()),
                bytes=len(TABLE), author=world.accounts[who].handle, created=service.clock(),
            )
        )  # fmt: skip
    files = {"sfumato.yaml": PROJECT.encode()}
    replace_files(service, world.caller(who), name, files, require=lambda _hash: None)


def queued(world: World, mode: str = "quick", who: str = "stella", project: str = "clinic", **more: Any) -> str:
    """A run in the queue that does what a mode of the stand-in says; its handle."""
    wanted = runs.RunWanted("assess", {"quasi": [mode]}, **more)
    return runs.start(world.service, world.caller(who), project, wanted).handle


def state_of(service: Service, handle: str) -> Run:
    """A run as it is now."""
    with service.database.reading() as session:
        return session.get_one(Run, handle)


def worked(world: World, program: tuple[str, ...] = STAND_IN, **more: Any) -> Worker:
    """Let a worker do whatever is queued, and come back when nothing is."""
    worker = Worker(world.service, program, **more)
    while (lease := claim(world.service, worker.name)) is not None:
        worker.take(lease)
    return worker


def until(true: Callable[[], bool], seconds: float = 60) -> float:
    """Wait until something is so; how long that took. Long enough for a busy machine: nothing hangs on it."""
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < seconds, "it never came"
        time.sleep(0.02)
    return time.monotonic() - begun


class AtWork:
    """A worker in a thread of its own, for as long as it is entered."""

    def __init__(self, world: World, program: tuple[str, ...] = STAND_IN) -> None:
        self.stop = threading.Event()
        self.worker = Worker(world.service, program, stopping=self.stop.is_set)
        self.thread = threading.Thread(target=self.worker.work)

    def __enter__(self) -> AtWork:
        self.thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop.set()
        self.thread.join(60)
        assert not self.thread.is_alive()


def versions_of(service: Service) -> list[ProjectVersion]:
    """All versions, the oldest first."""
    with service.database.reading() as session:
        return list(session.scalars(select(ProjectVersion).order_by(ProjectVersion.number)))
