"""Figures for whoever runs the service: runs, queue, workers, database, log. They name nobody and nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sfumato.errors import ServiceUnavailable
from sfumato.service.caller import Caller
from sfumato.service.entities import Run, Upload
from sfumato.service.permissions import Act
from sfumato.service.service import Service

QUEUED, RUNNING = "queued", "running"  # the states of a run that waits for a worker, and of one that has one


@dataclass(frozen=True)
class OperatingFigures:
    """How the service is doing at one moment."""

    database_up: bool
    log_lines: int
    runs: dict[tuple[str, str], int] = field(default_factory=dict)  # by state and verb
    queue: int = 0
    workers: int = 0  # that hold a run at the moment
    uploading_bytes: int = 0  # that have arrived of uploads which are not whole


def operating_figures(service: Service, caller: Caller) -> OperatingFigures:
    """The figures, for whoever may read them; for everybody where the settings say so."""
    kept = service.events.log.kept_head()
    lines = kept.head.lines if kept else 0
    if not service.settings.public_metrics:
        with service.act(caller, Act.METRICS) as deed:
            return _counted(deed.session, lines)
    try:
        with service.database.reading() as session:
            return _counted(session, lines)
    except ServiceUnavailable:
        return OperatingFigures(database_up=False, log_lines=lines)


def _counted(session: Session, lines: int) -> OperatingFigures:
    grouped = select(Run.state, Run.verb, func.count()).group_by(Run.state, Run.verb)
    runs = {(state, verb): count for state, verb, count in session.execute(grouped)}
    held = select(func.count(func.distinct(Run.worker))).where(Run.state == RUNNING)
    return OperatingFigures(
        database_up=True,
        log_lines=lines,
        runs=runs,
        queue=sum(count for (state, _), count in runs.items() if state == QUEUED),
        workers=session.scalar(held) or 0,
        uploading_bytes=int(session.scalar(select(func.coalesce(func.sum(Upload.received), 0))) or 0),
    )
