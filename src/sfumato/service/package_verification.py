"""The verification of a submitted package: a run of `verify`, and what of it may be told to whom.

What `verify` says in full names figures of the original: that is for the steward, who opens the run. Whether every
claim holds is for everybody who sees the release.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from sfumato.errors import Conflict
from sfumato.service import runs
from sfumato.service.caller import Caller
from sfumato.service.entities import Run
from sfumato.service.permissions import Act
from sfumato.service.request_states import AT_STAKE, OUT, state_now
from sfumato.service.run_assignment import OF_RUN
from sfumato.service.run_commands import DOCUMENT
from sfumato.service.run_queue import RunState
from sfumato.service.run_results import files_of
from sfumato.service.service import Deed, Service

VERIFY = "verify"
MOST = 200  # runs of verify that are looked through, the newest first


@dataclass(frozen=True)
class Verification:
    """What a verification came to: whether all claims hold, and how many there are."""

    run: str
    ended: datetime
    agrees: bool
    claims: int
    contradicted: int
    unchecked: int


def start_verification(service: Service, caller: Caller, project: str, request: str) -> str:
    """Start to verify the package of a request with its evidence and its original; the handle of the run."""
    with service.act(caller, Act.REQUEST_READ, project=project, request=request) as deed:
        if deed.request.run is None:
            raise Conflict("No package of this request was submitted yet.")
        released = deed.request.run
    return runs.start(service, caller, project, runs.RunWanted(VERIFY, {}, earlier=released)).handle


def released_verification(service: Service, caller: Caller, project: str, request: str) -> Verification | None:
    """The newest verification of the package of a request; whoever asked or receives is told once it is released."""
    with service.act(caller, Act.PROJECT_READ, project=project) as looking:
        whole = bool(looking.roles & {"steward", "reviewer"})
    act = Act.REQUEST_READ if whole else Act.REQUEST_READ_OWN
    with service.act(caller, act, project=project, request=request) as deed:
        if state_now(deed.request, deed.now) not in ((*AT_STAKE, *OUT) if whole else OUT):
            return None
        for run in _verifications(deed):
            if run.options.get(OF_RUN) == deed.request.run:
                return _told(service, run)
    return None


def _verifications(deed: Deed) -> list[Run]:
    done = select(Run).where(Run.project == deed.project.handle, Run.verb == VERIFY, Run.state == RunState.DONE)
    return list(deed.session.scalars(done.order_by(Run.handle.desc()).limit(MOST)))


def _told(service: Service, run: Run) -> Verification | None:
    document = next((file for file in files_of(run) if file.name == DOCUMENT), None)
    if document is None or not service.storage.has(document.sha256):
        return None
    read = json.loads(service.storage.read(document.sha256))
    counts = read["counts"]
    return Verification(
        run=run.handle,
        ended=run.ended or run.created,
        agrees=read["agrees"],
        claims=counts["claims"],
        contradicted=counts["contradicted"],
        unchecked=counts["unchecked"],
    )
