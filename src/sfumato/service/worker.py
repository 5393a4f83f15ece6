"""The worker: takes up one run after the other, and is the only one that brings a run to its end."""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from sfumato.errors import OutputError, ServiceUnavailable, SfumatoError
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, Run, ServiceProject
from sfumato.service.run_assignment import Assignment, assigned
from sfumato.service.run_end import RunOutcome, finished
from sfumato.service.run_process import RunProcess
from sfumato.service.run_queue import (
    Lease,
    LeaseLost,
    RunState,
    Watch,
    beat,
    claim,
    held,
    is_cancelled,
    lost,
    put_back,
)
from sfumato.service.run_results import SHEET
from sfumato.service.service import Service
from sfumato.service.worker_names import own_name

FOLDER = re.compile(r"([0-9a-z]{26})-([0-9]+)")  # of a run at work: its handle and the number of the attempt
POLL = 0.25  # seconds between two looks at whether a run was cancelled, and of an idle worker at the queue
BEATS = 5  # in the time of a lease
AGAIN = 0.5  # seconds until a database that does not answer is asked again
STOPPED = "The worker was stopped while it was at work. The run goes back to the queue."
UNFORESEEN = "Something unforeseen went wrong in the worker ({}). It was noted for whoever runs the service."
T = TypeVar("T")
log = logging.getLogger(__name__)


class WorkerDeed(StrEnum):
    """What a worker does by itself, as the log has it: nobody asks for it, so that no permission is for it."""

    RUN = "run.work"


@dataclass
class Worker:
    """One worker, with one run at a time."""

    service: Service
    program: Sequence[str] = (sys.executable, "-m", "sfumato")  # what a run is: the command line
    name: str = field(default_factory=own_name)
    watch: Watch = field(default_factory=Watch)
    stopping: Callable[[], bool] = lambda: False

    def work(self) -> None:
        """Take up runs until told to stop; a database that does not answer is waited for."""
        self._patiently(lambda: sweep_work(self.service))
        swept = time.monotonic()
        while not self.stopping():
            try:
                self.watch.look(self.service)
                lease = claim(self.service, self.name)
                if lease is not None:
                    self.take(lease)
                else:
                    time.sleep(POLL)
                if time.monotonic() - swept > self.service.settings.lease_seconds:
                    sweep_work(self.service)
                    swept = time.monotonic()
            except (ServiceUnavailable, SQLAlchemyError):
                self.watch.forget()
                time.sleep(AGAIN)

    def take(self, lease: Lease) -> None:
        """Do a run that was taken up, to its end: done, failed, cancelled, or back in the queue."""
        folder = self.service.storage.work / f"{lease.run}-{lease.attempt}"
        try:
            run, project, author = self._patiently(lambda: self._of(lease))
            caller = Caller(Way.WORKER, author.handle, author.name, author.identity)
            about = {"project": project.name, "run": run.handle, "verb": run.verb, "version": run.version,
                     "attempt": lease.attempt}  # fmt: skip
            try:
                begun = self.service.events.begin(caller, WorkerDeed.RUN, about)
            except OutputError:  # no run goes unlogged: this attempt is as good as lost
                self._patiently(lambda: self._lose(lease))
                time.sleep(AGAIN)
                return
            outcome = self._outcome(lease, run, folder, author.name)
            with suppress(OutputError):
                self.service.events.end(begun, state=outcome.state, **outcome.noted)
        except LeaseLost:
            log.warning("The lease of run %s was lost: another worker has it.", lease.run)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _outcome(self, lease: Lease, run: Run, folder: Path, user: str) -> RunOutcome:
        """Work on a run and bring it to its end in the database; what came of it."""
        assignment: Assignment | None = None
        try:
            assignment = self._patiently(lambda: assigned(self.service, run, folder, user))
            process = RunProcess.start(
                [*self.program, "--log-format=json", *assignment.arguments],
                folder, assignment.environment, assignment.limits, folder / SHEET,
            )  # fmt: skip
            outcome = self._followed(lease, process)
        except LeaseLost:
            raise
        except SfumatoError as error:
            outcome = RunOutcome(RunState.FAILED, str(error))
        except OSError as error:
            words = os.strerror(error.errno) if error.errno else type(error).__name__
            outcome = RunOutcome(RunState.FAILED, f"The server could not do the run: {words}.")
        except Exception as error:  # whatever it is, the worker goes on, and the run says so
            log.warning("A run ended with %s.", type(error).__name__)
            outcome = RunOutcome(RunState.FAILED, UNFORESEEN.format(type(error).__name__))
        if outcome.state is RunState.QUEUED:
            self._patiently(lambda: put_back(self.service, lease, STOPPED))
            return outcome
        return self._patiently(lambda: finished(self.service, lease, outcome, assignment, folder))

    def _followed(self, lease: Lease, process: RunProcess) -> RunOutcome:
        """Follow a process to its end: pass on how far it is, and stop it where that is wanted."""
        told, beaten = None, time.monotonic()
        try:
            while not process.ended(POLL):
                if self.stopping():
                    return RunOutcome(RunState.QUEUED, notes=tuple(process.notes))
                try:
                    if is_cancelled(self.service, lease):
                        return RunOutcome(RunState.CANCELLED, notes=tuple(process.notes))
                    now, state = time.monotonic(), (process.words, process.done, process.total)
                    since = now - beaten
                    if since > self.service.settings.lease_seconds / BEATS or (state != told and since > 1):
                        beat(self.service, lease, *state)
                        told, beaten = state, now
                except (ServiceUnavailable, SQLAlchemyError):
                    time.sleep(AGAIN)  # the run goes on without it
        finally:
            if process.ended(0):
                process.clear()
            else:
                process.stop()
        return RunOutcome.of(process)

    def _of(self, lease: Lease) -> tuple[Run, ServiceProject, Account]:
        with self.service.database.reading() as session:
            run = session.get_one(Run, lease.run)
            return run, session.get_one(ServiceProject, run.project), session.get_one(Account, run.author)

    def _lose(self, lease: Lease) -> None:
        with self.service.database.writing() as session:
            lost(self.service, held(session, lease))

    def _patiently(self, something: Callable[[], T]) -> T:
        """Do something with the database, and wait for as long as it does not answer."""
        while True:
            try:
                return something()
            except ServiceUnavailable:
                if self.stopping():
                    raise LeaseLost from None  # another worker takes it up, once the database is back
                time.sleep(AGAIN)


def sweep_work(service: Service) -> None:
    """Remove the folders of attempts that nobody is at any more."""
    for folder in service.storage.work.iterdir():
        match = FOLDER.fullmatch(folder.name)
        if match is None:
            continue
        at_work = select(Run.handle).where(Run.handle == match[1], Run.attempts == int(match[2]))
        with service.database.reading() as session:
            alive = session.scalar(at_work.where(Run.state == RunState.RUNNING))
        if alive is None:
            shutil.rmtree(folder, ignore_errors=True)
