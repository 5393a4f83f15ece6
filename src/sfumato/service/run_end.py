"""The end of a run: its files in the storage, then one transaction that makes it done, for whoever holds its lease."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from sfumato.errors import SfumatoError
from sfumato.proof.use_log.log import AuditLog
from sfumato.service.caller import Caller, Way
from sfumato.service.entities import Account, Run, ServiceProject
from sfumato.service.references import hold, let_go
from sfumato.service.run_assignment import Assignment
from sfumato.service.run_commands import PROJECT_FILE
from sfumato.service.run_process import RunProcess
from sfumato.service.run_queue import Lease, LeaseLost, RunState, end, held
from sfumato.service.run_results import USE_LOG, ResultFile, collected, keep_again, result_of
from sfumato.service.service import Deed, Service
from sfumato.service.versions import run_wrote

NOT_MET = 1  # the exit code of a command that did its work and found a requirement not met
MOVED_ON = (
    "The run chose a way for the project file, which somebody has changed meanwhile. The choice was not written there."
)


@dataclass(frozen=True)
class RunOutcome:
    """What came of a run."""

    state: RunState
    problem: str | None = None
    exit_code: int | None = None
    notes: tuple[str, ...] = ()
    noted: dict[str, Any] = field(default_factory=dict)  # for the log: codes, hashes and counts

    @classmethod
    def of(cls, process: RunProcess) -> RunOutcome:
        """What came of a process that has ended by itself or by a limit."""
        code, notes = process.process.returncode, tuple(process.notes)
        if process.beyond is not None:
            return cls(RunState.FAILED, process.beyond, code, notes)
        if code in (0, NOT_MET) and process.told_exit == code:  # Python itself also ends with 1, without having said so
            return cls(RunState.DONE, None, code, notes)
        problem = process.error or _unsaid(code)
        return cls(RunState.FAILED, problem, code, notes)


def _unsaid(code: int) -> str:
    """What to say of a command that said nothing of why it ended."""
    if code < 0:
        return f"The command was ended by the system ({signal.Signals(-code).name})."
    return f"The command ended with exit code {code} and did not say why."


def finished(
    service: Service, lease: Lease, outcome: RunOutcome, assignment: Assignment | None, folder: Path
) -> RunOutcome:
    """Bring a run to its end: with all of its files where it is done, and without any where it is not.

    `LeaseLost` where another worker has taken the run up meanwhile: what this one wrote is let go again.
    """
    files: list[ResultFile] = []
    noted: dict[str, Any] = {"exit": outcome.exit_code}
    if outcome.state is RunState.DONE and assignment is not None:
        head = AuditLog(folder / USE_LOG).kept_head()
        noted["log_head"] = head.head.hash if head is not None else None
        try:
            files = collected(assignment.command, folder, service.storage)
        except OSError:
            outcome = replace(outcome, state=RunState.FAILED, problem="The server has no room for the results.")
    try:
        with service.database.writing() as session:
            run = held(session, lease)
            run.exit_code, run.notes = outcome.exit_code, [*run.notes, *outcome.notes]
            if outcome.state is RunState.DONE and assignment is not None:
                _done(service, session, run, outcome, assignment, folder, files, noted)
            end(service, run, outcome.state, outcome.problem)
    except LeaseLost:
        let_go(service, *(file.sha256 for file in files))
        raise
    noted["files"] = len(files)
    return replace(outcome, noted={name: value for name, value in noted.items() if value is not None})


def _done(  # noqa: PLR0917
    service: Service,
    session: Session,
    run: Run,
    outcome: RunOutcome,
    assignment: Assignment,
    folder: Path,
    files: list[ResultFile],
    noted: dict[str, Any],
) -> None:
    # From here on nobody lets go of a content that is also in this result, and what was let go of before is kept again:
    # an attempt that came too late, or an older run whose time is over, has written the same.
    for content in sorted({file.sha256 for file in files}):
        hold(session, content)
    keep_again(files, folder, service.storage)
    project = session.get_one(ServiceProject, run.project, with_for_update={"key_share": True})
    run.result = result_of(files, met=outcome.exit_code == 0, log_head=noted.get("log_head"))
    days = project.keep_results_days or service.settings.keep_results_days
    run.expires = service.clock() + timedelta(days=days) if days else None
    changed = _changed_project_file(assignment, folder)
    if changed is None:
        return
    if project.current != run.version:
        run.notes = [*run.notes, MOVED_ON]
        return
    author = session.get_one(Account, run.author)
    deed = Deed(session, Caller(Way.WORKER, author.handle, author.name, author.identity), service.clock())
    deed.project_found = project
    try:
        noted["version"] = run_wrote(service, deed, {PROJECT_FILE: changed}, run.handle).number
    except SfumatoError as error:
        run.notes = [*run.notes, f"What the run chose was not written into the project file: {error}"]


def _changed_project_file(assignment: Assignment, folder: Path) -> bytes | None:
    """The project file as the run has left it, where that is another than before."""
    file = folder / PROJECT_FILE
    if assignment.project_file is None or file.is_symlink() or not file.is_file():
        return None
    content = file.read_bytes()
    if content == assignment.project_file:
        return None
    return assignment.prepared.taken_back(content.decode()).encode()
