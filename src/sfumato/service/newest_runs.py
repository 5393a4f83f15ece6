"""The newest runs of a verb: what was read last, what is being read, and what went wrong since."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from sfumato.service.caller import Caller
from sfumato.service.entities import Run
from sfumato.service.permissions import Act
from sfumato.service.run_queue import RunState
from sfumato.service.run_results import files_of
from sfumato.service.service import Deed, Service

LOOKED_AT = 50  # runs of a verb, the newest first, among which one with a result is looked for


@dataclass(frozen=True)
class NewestRuns:
    """The last run of a verb that has a result, the one that is at work or waits, and one that failed since."""

    done: Run | None = None
    under_way: Run | None = None
    failed: Run | None = None


def newest_runs(service: Service, caller: Caller, project: str, verb: str) -> NewestRuns:
    """The newest runs of a verb in a project."""
    with service.act(caller, Act.RUN_READ, project=project) as deed:
        return newest_in(deed, verb)


def newest_in(deed: Deed, verb: str) -> NewestRuns:
    """The same within a deed about the project."""
    wanted = select(Run).where(Run.project == deed.project.handle, Run.verb == verb).order_by(Run.handle.desc())
    several = deed.session.scalars(wanted.limit(LOOKED_AT)).all()
    done = next((run for run in several if run.state == RunState.DONE and files_of(run)), None)
    since = [run for run in several if done is None or run.handle > done.handle]
    return NewestRuns(
        done,
        next((run for run in since if run.state in (RunState.QUEUED, RunState.RUNNING)), None),
        since[0] if since and since[0].state == RunState.FAILED else None,
    )
