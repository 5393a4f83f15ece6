"""Packages that runs of `release` left: what each claims, its files, and the whole of it as an archive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from sfumato.errors import NotKnown
from sfumato.service.caller import Caller
from sfumato.service.entities import Run
from sfumato.service.permissions import Act
from sfumato.service.run_assignment import OF_RUN
from sfumato.service.run_queue import RunState
from sfumato.service.runs import run_in
from sfumato.service.service import Service
from sfumato.service.submitted_package import SubmittedPackage
from sfumato.service.zip_stream import zip_stream

RELEASE = "release"
PARTS = ("package", "evidence")  # what leaves, and what stays
REPORT = "report.html"  # of the evidence


@dataclass(frozen=True)
class PackageSeen:
    """A package without its rows: its files and their sizes, and what it claims of itself."""

    hash: str
    files: Mapping[str, int]
    evidence: Mapping[str, int]
    claims: Mapping[str, Any]
    levels: Mapping[str, int]  # by column; none where the release was not made by levels


def package_seen(service: Service, caller: Caller, project: str, run: str) -> PackageSeen:
    """What a run of `release` has left, without its rows."""
    with service.act(caller, Act.RESULT_READ, project=project, run=run[:100], file=PARTS[0]) as deed:
        package = SubmittedPackage.of(run_in(deed.session, deed.project, run), service.storage)
        files, evidence = (
            {name: size for name, (_, size) in part.items()} for part in (package.files, package.evidence)
        )
        return PackageSeen(package.hash, files, evidence, package.claims, package.levels)


def package_archive(service: Service, caller: Caller, project: str, run: str, part: str = PARTS[0]) -> Iterator[bytes]:
    """The package of a run, or its evidence, as an archive: it holds the released rows, so it is opened as rows are."""
    with service.act(caller, Act.ROWS_VIEW, project=project, run=run[:100], file=part) as deed:
        package = SubmittedPackage.of(run_in(deed.session, deed.project, run), service.storage)
        files = package.files if part == PARTS[0] else package.evidence
        paths = {name: service.storage.path(content) for name, (content, _) in files.items()}
    return zip_stream(paths, part)


def package_report(service: Service, caller: Caller, project: str, run: str) -> Path:
    """The report of a package for whoever built it, as a file to be opened; `NotKnown` where there is none."""
    with service.act(caller, Act.RESULT_READ, project=project, run=run[:100], file=REPORT) as deed:
        evidence = SubmittedPackage.of(run_in(deed.session, deed.project, run), service.storage).evidence
        if REPORT not in evidence:
            raise NotKnown("the report")
        return service.storage.path(evidence[REPORT][0])


def release_runs(service: Service, caller: Caller, project: str, *, limit: int = 10) -> Sequence[Run]:
    """The newest runs of `release` of a project."""
    with service.act(caller, Act.RUN_READ, project=project) as deed:
        wanted = select(Run).where(Run.project == deed.project.handle, Run.verb == RELEASE)
        return deed.session.scalars(wanted.order_by(Run.handle.desc()).limit(limit)).all()


def newest_about(service: Service, caller: Caller, project: str, run: str, verb: str) -> Run | None:
    """The newest run of a verb that is about what another run has released; None where there is none."""
    with service.act(caller, Act.RUN_READ, project=project) as deed:
        known = run_in(deed.session, deed.project, run)
        wanted = select(Run).where(
            Run.project == deed.project.handle, Run.verb == verb, Run.state != RunState.CANCELLED,
            Run.handle > known.handle,
        )  # fmt: skip
        about = deed.session.scalars(wanted.order_by(Run.handle.desc()))
        return next((one for one in about if one.options.get(OF_RUN) == run), None)
