"""Live questions: what levels and bounds would come to, asked of a process that holds the project in memory.

What is answered are counts, losses, and labels of the hierarchies, which are values of the source at the lowest level:
so it is for whoever may look at rows. That somebody begins to ask is a line in the log; each question is none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.errors import Conflict
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion, RegisteredSource, ServiceProject
from sfumato.service.live_processes import MINUTE, LiveEnded, LiveKey, LiveProcess
from sfumato.service.permissions import Act
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.release_choices import ChosenLevels
from sfumato.service.run_assignment import environment_of, limits_of, on_spark
from sfumato.service.run_process import RunLimits
from sfumato.service.runs import source_of_version
from sfumato.service.service import Deed, Service
from sfumato.service.work_folder import CONNECTION, version_of, work_folder

GLANCE = 0.4  # seconds for which a page waits for a search: what takes longer is shown as under way
BETWEEN = 0.02  # seconds between two looks at it
Shape = Mapping[str, Any]  # what can be asked for


@dataclass(frozen=True)
class LiveReply:
    """What came of asking: answers, or how far the process is on its way to be ready, or why it never will be."""

    version: int
    hash: str  # of the version: what is changed on the ground of an answer is changed of this
    shape: Mapping[str, Any] | None = None
    answers: tuple[dict[str, Any], ...] = ()
    words: str = ""
    done: int = 0
    total: int = 0
    problem: str | None = None
    kind: str = ""  # of the problem: the class of the error

    @property
    def ready(self) -> bool:
        """Whether there are answers."""
        return self.shape is not None


@dataclass(frozen=True)
class _About:
    """What is asked about: a version of a project and its source."""

    project: ServiceProject
    version: ProjectVersion
    source: RegisteredSource | None

    @property
    def key(self) -> LiveKey:
        return LiveKey(self.project.handle, self.version.number, self.source.handle if self.source else None)


def ask(service: Service, caller: Caller, project: str, *questions: Mapping[str, Any]) -> LiveReply:
    """Ask about the newest version of a project; the first question starts the process that answers."""
    return ask_by_shape(service, caller, project, lambda _shape: questions)


def ask_by_shape(
    service: Service, caller: Caller, project: str, questions: Callable[[Shape], Sequence[Mapping[str, Any]]]
) -> LiveReply:
    """Ask what depends on what can be asked for, in one go."""
    with service.act(caller, Act.LIVE_ASK, project=project) as deed:
        about = _about(service, deed)
    process = _opened(service, caller, about)
    reply = LiveReply(about.version.number, about.version.hash)
    if process.problem is not None:
        return replace(reply, problem=process.problem, kind=process.kind)
    if process.shape is None:
        words, done, total = process.progress
        return replace(reply, words=words, done=done, total=total)
    try:
        wanted = questions(process.shape)
        answers = process.ask(wanted) if wanted else []
    except LiveEnded as error:
        return replace(reply, problem=str(error))
    return replace(reply, shape=process.shape, answers=tuple(answers))


def asked_for_a_glance(service: Service, caller: Caller, project: str, question: Mapping[str, Any]) -> LiveReply:
    """Ask something that is searched, and wait a moment for its end: many searches take less."""
    until = time.monotonic() + GLANCE
    while True:
        reply = ask(service, caller, project, question)
        busy = reply.ready and reply.answers[0].get("state") == "busy"
        if not busy or time.monotonic() > until:
            return reply
        time.sleep(BETWEEN)


def carry_over(service: Service, kept: ProjectVersion, before: int, chosen: ChosenLevels) -> None:
    """Let the process of a version answer for the one in which somebody has kept levels, bounds and a share.

    Those are in every question: nothing that the process holds is another, and nobody has to wait for the same again.
    """
    process = service.live.current(kept.project, before)
    if process is None or process.shape is None or kept.number == before:
        return
    bounds = [{**one, "bound": chosen.bounds[one["name"]]} for one in process.shape["requirements"]]
    levels = [chosen.levels[column["name"]] for column in process.shape["columns"]]
    changed = {"requirements": bounds, "levels": levels, "suppress": chosen.suppress}
    service.live.carry_over(kept.project, before, kept.number, changed)


def _about(service: Service, deed: Deed) -> _About:
    if not deed.project.current:
        raise Conflict("The project has no project file yet, so there is nothing to ask about.")
    version = version_of(deed.session, deed.project, deed.project.current)
    return _About(deed.project, version, source_of_version(service, deed, version, None, needed=True))


def _opened(service: Service, caller: Caller, about: _About) -> LiveProcess:
    """The process of a project; whoever asks it for the first time has a line in the log before that."""
    process, account = service.live.of(about.key), caller.account or ""
    if process is not None and account in process.opened_by:
        return process
    key = about.key
    with service.act(caller, Act.LIVE_OPEN, project=about.project.name, version=key.version, source=key.source):
        pass
    settings = service.settings
    process = service.live.opened(
        about.key,
        most=settings.live_processes,
        idle=settings.live_minutes * MINUTE,
        work=service.storage.work,
        lay_out=lambda folder: _laid_out(service, about, folder, caller.name),
    )
    process.opened_by.add(account)
    return process


def _laid_out(service: Service, about: _About, folder: Path, user: str) -> tuple[Mapping[str, str], RunLimits]:
    """Write the folder that the process works in; the environment and the limits of the process."""
    with service.database.reading() as session:
        project = session.get_one(ServiceProject, about.project.handle)
        prepared = work_folder(service, session, project, about.version.number, None, folder)
    spark = on_spark(None, folder / PROJECT_FILE)
    environment = environment_of(service, prepared, folder, user, spark=spark)
    network = spark or (about.source is not None and about.source.kind == CONNECTION)
    return environment, limits_of(service, folder, network=network)
