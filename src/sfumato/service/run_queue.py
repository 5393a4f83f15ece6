"""The queue of runs: who may take up which run, for how long, and what becomes of a run whose worker is gone.

A worker that takes up a run holds a lease on it: its name, and the number of the attempt. Everything it later writes of
the run says both, so that a worker that was taken for dead can no longer finish what another has taken up.

No clock is compared with another, and none with itself: while the holder lives it counts up `beat`, and whoever has
watched the same count for the length of a lease, by the monotonic clock of its own process, takes the holder for dead.
A clock that is set back or on neither steals a lease nor keeps one for ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session, object_session

from sfumato.service.entities import Account, Run
from sfumato.service.notices import notify_of_failed_run
from sfumato.service.service import Service
from sfumato.service.worker_names import is_gone

CANDIDATES = 20  # people who are looked at for a run: others may be taking up theirs in the same moment


class RunState(StrEnum):
    """Where a run is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OVER = (RunState.DONE, RunState.FAILED, RunState.CANCELLED)


@dataclass(frozen=True)
class Lease:
    """The right to work on a run: whose it is, and which attempt it is."""

    run: str
    attempt: int
    worker: str


class LeaseLost(Exception):
    """The run is no longer this worker's: nothing that it did counts."""


def people_waiting(limit: int) -> Select[str]:
    """Whose run is next: of those with fewer at work than the limit, whoever has fewest; then whose turn is oldest.

    Who has queued thousands has a turn after each of the others, also where one worker has one run at a time. Each
    person costs three look-ups in indexes, however many runs there are.
    """
    oldest = (
        select(func.min(Run.created))
        .where(Run.state == RunState.QUEUED, Run.author == Account.handle)
        .correlate(Account)
        .scalar_subquery()
    )
    working = _at_work().correlate(Account).scalar_subquery()
    turn = select(func.max(Run.turn)).where(Run.author == Account.handle).correlate(Account).scalar_subquery()
    return (
        select(Account.handle)
        .where(oldest.is_not(None), working < limit)
        .order_by(working, turn, oldest, Account.handle)
        .limit(CANDIDATES)
    )


def _at_work() -> Select[int]:
    return select(func.count(Run.handle)).where(Run.state == RunState.RUNNING, Run.author == Account.handle)


def claim(service: Service, worker: str) -> Lease | None:
    """Take up the run that is next; None where there is none."""
    limit = service.settings.runs_per_person
    with service.database.reading() as session:  # an idle worker writes nothing
        people = list(session.scalars(people_waiting(limit)))
    if not people:
        return None
    with service.database.writing() as session:
        for person in session.scalars(people_waiting(limit)).all():
            run = _next_of(session, person, limit)
            if run is not None:
                run.state, run.worker, run.attempts = RunState.RUNNING, worker, run.attempts + 1
                run.started, run.lease, run.beat = service.clock(), service.clock(), run.beat + 1
                run.turn = (session.scalar(select(func.max(Run.turn))) or 0) + 1
                run.words, run.done, run.total = "", 0, 0
                return Lease(run.handle, run.attempts, worker)
    return None


def _next_of(session: Session, person: str, limit: int) -> Run | None:
    """The oldest run of somebody; None where another worker is taking it, or has taken their last place.

    The row of the person is locked (SQLite has one writer at a time anyway), so that two workers do not both take a
    last place. `key_share` lets others still start runs, which name that row.
    """
    locked = select(Account.handle).where(Account.handle == person)
    if session.scalar(locked.with_for_update(key_share=True, skip_locked=True)) is None:
        return None
    if (session.scalar(_at_work().where(Account.handle == person)) or 0) >= limit:
        return None
    oldest = select(Run).where(Run.state == RunState.QUEUED, Run.author == person).order_by(Run.created, Run.handle)
    return session.scalar(oldest.limit(1).with_for_update(skip_locked=True))


def held(session: Session, lease: Lease) -> Run:
    """The run of a lease, locked until the transaction ends; `LeaseLost` where the lease no longer holds."""
    wanted = select(Run).where(Run.handle == lease.run, Run.state == RunState.RUNNING)
    run = session.scalar(wanted.where(Run.worker == lease.worker, Run.attempts == lease.attempt).with_for_update())
    if run is None:
        raise LeaseLost
    return run


def is_cancelled(service: Service, lease: Lease) -> bool:
    """Whether somebody has cancelled the run; `LeaseLost` where it is no longer ours."""
    wanted = select(Run.cancel).where(Run.handle == lease.run, Run.state == RunState.RUNNING)
    with service.database.reading() as session:
        cancel = session.scalar(wanted.where(Run.worker == lease.worker, Run.attempts == lease.attempt))
    if cancel is None:
        raise LeaseLost
    return cancel


def beat(service: Service, lease: Lease, words: str, done: int, total: int) -> None:
    """Show that the holder of a lease lives, and how far it is."""
    mine = (Run.handle == lease.run, Run.state == RunState.RUNNING, Run.worker == lease.worker)
    told = {"words": words, "done": done, "total": total, "lease": service.clock()}
    with service.database.writing() as session:
        change = update(Run).where(*mine, Run.attempts == lease.attempt).values(beat=Run.beat + 1, **told)
        if session.execute(change).rowcount != 1:  # type: ignore[attr-defined]
            raise LeaseLost


def put_back(service: Service, lease: Lease, note: str) -> None:
    """Let go of a run that another worker is to take up, such as when this one is told to stop."""
    with service.database.writing() as session:
        run = held(session, lease)
        if run.cancel:
            end(service, run, RunState.CANCELLED)
        else:
            _queue_again(run, note)


def end(service: Service, run: Run, state: RunState, problem: str | None = None) -> None:
    """Bring a run to its end, within the transaction that it was read in; whoever started it hears of a failure."""
    run.state, run.problem, run.ended = state, problem, service.clock()
    run.worker = run.lease = None
    session = object_session(run)
    if state is RunState.FAILED and session is not None:
        notify_of_failed_run(session, run, service.clock())


def lost(service: Service, run: Run) -> None:
    """A run whose worker is gone: it is queued again, at most so often as the settings say, then it has failed."""
    run.lost += 1
    if run.cancel:
        end(service, run, RunState.CANCELLED)
    elif run.lost >= service.settings.run_attempts:
        note = f"Its worker ended {run.lost} times while it was at work, so that it was given up."
        run.notes = [*run.notes, note]
        end(service, run, RunState.FAILED, note)
    else:
        _queue_again(run, f"Attempt {run.attempts} was lost: its worker ended. The run was taken up again.")


def _queue_again(run: Run, note: str) -> None:
    run.state, run.notes = RunState.QUEUED, [*run.notes, note]
    run.worker = run.lease = None


@dataclass
class Watch:
    """What one worker has seen of the leases of others, and since when by its own monotonic clock."""

    clock: Callable[[], float] = time.monotonic
    seen: dict[tuple[str, int, int], float] = field(default_factory=dict)  # run, attempt and beat

    def forget(self) -> None:
        """Begin anew: while the database did not answer, nobody could be heard of."""
        self.seen.clear()

    def look(self, service: Service) -> list[str]:
        """Look at every run that is at work, and take those from their workers that are gone; their handles."""
        wanted = select(Run.handle, Run.attempts, Run.beat, Run.worker).where(Run.state == RunState.RUNNING)
        with service.database.reading() as session:
            rows = session.execute(wanted).all()
        now = self.clock()
        self.seen = {(h, a, b): self.seen.get((h, a, b), now) for h, a, b, _ in rows}
        dead = [
            (handle, attempt, count)
            for handle, attempt, count, worker in rows
            if now - self.seen[handle, attempt, count] > service.settings.lease_seconds or is_gone(worker or "")
        ]
        return [handle for handle, attempt, count in dead if _taken(service, handle, attempt, count)]


def _taken(service: Service, handle: str, attempt: int, count: int) -> bool:
    """Take a run from its worker, unless it was heard of in between or another has taken it."""
    same = (Run.handle == handle, Run.state == RunState.RUNNING, Run.attempts == attempt, Run.beat == count)
    with service.database.writing() as session:
        run = session.scalar(select(Run).where(*same).with_for_update(skip_locked=True))
        if run is not None:
            lost(service, run)
    return run is not None
