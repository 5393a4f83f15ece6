"""Whether what was named is the data or a project file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.project.file.project import Project


def source_and_project(source: str | None, project: str | Path | None) -> tuple[str | None, str | Path | None]:
    """Which of the two is the project file: the one given, a source that is one, or the one in this folder."""
    if source is not None and Path(source).suffix in (".yaml", ".yml"):
        return None, source
    if source is None and project is None and Path("sfumato.yaml").exists():
        return None, "sfumato.yaml"
    return source, project


def read_project(path: str | Path) -> Project:
    """The project file. What may stand in one is loaded here, so that nobody waits for it who has none."""
    from sfumato.project.file.project import Project

    return Project.read(path)
