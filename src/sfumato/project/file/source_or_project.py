"""Whether what was named is the data or a project file."""

from __future__ import annotations

from pathlib import Path


def source_and_project(source: str | None, project: str | Path | None) -> tuple[str | None, str | Path | None]:
    """Which of the two is the project file: the one given, a source that is one, or the one in this folder."""
    if source is not None and Path(source).suffix in (".yaml", ".yml"):
        return None, source
    if source is None and project is None and Path("sfumato.yaml").exists():
        return None, "sfumato.yaml"
    return source, project
