"""What a report was made from: names, hashes, versions, seeds and settings."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.plans.plan import Plan
from sfumato.plans.provenance import versions
from sfumato.project.file import Project
from sfumato.proof.report.reported_release import ReportedRelease
from sfumato.proof.report.request import ReportRequest
from sfumato.search.anonymisation import Anonymised
from sfumato.tables.source import Extract
from sfumato.tables.write.digest import sha256_of


@dataclass(frozen=True)
class SourceFile:
    """A table or a project file: its name, how many records it has, and its hash where it is a file."""

    name: str
    sha256: str | None
    records: int | None = None


@dataclass(frozen=True)
class ReportSources:
    """Where the evidence comes from. Without a time: the same input gives the same report."""

    original: SourceFile
    release: SourceFile | None
    project: SourceFile | None
    plan: Plan | None
    search: Anonymised | None
    engine: str
    versions: Mapping[str, str]


def report_sources(
    request: ReportRequest, extract: Extract, released: ReportedRelease | None, anonymised: Anonymised | None
) -> ReportSources:
    """What the evidence on a table and its release was read from."""
    release = SourceFile(released.name, _digest(request.released), released.records) if released else None
    return ReportSources(
        original=SourceFile(extract.name, _digest(request.data), extract.table.count()),
        release=release,
        project=_project_file(request.project),
        plan=released.plan if released else None,
        search=anonymised,
        engine=extract.table.engine.name,
        versions={"python": platform.python_version(), **versions()},
    )


def _project_file(project: Project | None) -> SourceFile | None:
    file = _file_of(project.path) if project else None
    return SourceFile(file.name, sha256_of(file)) if file else None


def _digest(data: Any) -> str | None:
    file = _file_of(data)
    return sha256_of(file) if file else None


def _file_of(data: Any) -> Path | None:
    """The file that something was read from, where it is one."""
    file = Path(data) if isinstance(data, str | Path) and "://" not in str(data) else None
    return file if file is not None and file.is_file() else None
