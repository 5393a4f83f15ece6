"""The text of a project file as somebody edits it: read with the hash of its version, written over that one only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sfumato.project.file import Project
from sfumato.project.file.section_edits import section_lines
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion
from sfumato.service.permissions import Act
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Service
from sfumato.service.versions import current_files, current_hash, put_file


@dataclass(frozen=True)
class ProjectText:
    """The project file of the newest version: its text, empty where there is none, and the hash of the version."""

    text: str
    hash: str
    number: int  # 0: there is no version yet

    @property
    def project(self) -> Project | None:
        """What the file says; None where there is none."""
        return Project.parse(self.text, PROJECT_FILE) if self.text.strip() else None

    @property
    def source(self) -> str | None:
        """The name of the source that it is about."""
        named = self.project.source if self.project else None
        return Path(named).name if named else None


def project_text(service: Service, caller: Caller, project: str) -> ProjectText:
    """The project file as it is now."""
    with service.act(caller, Act.VERSION_READ, project=project) as deed:
        content = current_files(deed.session, deed.project).get(PROJECT_FILE)
        hashed, number = current_hash(deed.session, deed.project), deed.project.current
    text = service.storage.read(content).decode("utf-8") if content else ""
    return ProjectText(text, hashed, number)


def edit_project_text(
    service: Service, caller: Caller, project: str, edit: Callable[[str], str], *, since: str, message: str
) -> ProjectVersion:
    """Write the project file anew as an edit of the version whose hash is `since`; `Stale` where another is there."""
    known = project_text(service, caller, project)
    unchanged(since)(known.hash)
    return put_file(
        service, caller, project, PROJECT_FILE, edit(known.text).encode(),
        require=unchanged(since), message=message,
    )  # fmt: skip


def first_project_text(source: str) -> str:
    """The first project file of a source: it names it, and says nothing else.

    >>> print(first_project_text("visits 2024.csv"), end="")
    data: {source: "visits 2024.csv"}
    """
    return section_lines("data", {"source": source})
