"""What `auto` chose, kept in the project file, so that the next release is made in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.outputs import write_text
from sfumato.privacy.question import Question
from sfumato.project.file.source_or_project import read_project
from sfumato.project.file.yaml_file import file_text
from sfumato.search.anonymisation import Anonymised

if TYPE_CHECKING:
    from sfumato.project.file import Project


def keep_choice(
    project: Project | None,
    anonymised: Anonymised,
    question: Question | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Project | None:
    """Write the way that was chosen into the project file, and the project as it is then; None where nothing was to do.

    A file that says `method: auto` asks for a comparison each time, and stays as it is. So it does where the run was
    asked for something else than the file says, by a question or by settings: that is not what the project would take.
    """
    if (question or Question()) != Question() or not (settings or {}).keys() <= {"suppress"}:
        return None
    chosen = next((way for way in anonymised.alternatives if way.chosen), None)
    if project is None or chosen is None or "method" in project.anonymise or not Path(project.path).is_file():
        return None
    from sfumato.project.file.chosen_settings import with_chosen_settings

    said = project.anonymise
    if any(name in said and said[name] != value for name, value in chosen.settings.items()):
        return None  # the file says something else than this run was asked for
    settings = {name: value for name, value in chosen.settings.items() if name not in said}
    path = Path(project.path)
    write_text(path, with_chosen_settings(file_text(path, hint=""), settings, path))
    return read_project(path)
