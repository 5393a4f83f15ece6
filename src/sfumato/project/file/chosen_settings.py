"""Settings that a search chose, written into the project file, so that the next release is made in the same way."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.errors import ProjectError
from sfumato.project.file.added_entries import edited, entries_edit
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import read_yaml

SECTION = "anonymise"
REMARK = "  # chosen by `auto`, which compared the ways; `method: auto` compares them anew each time"


def with_chosen_settings(text: str, settings: Mapping[str, str | float], path: object) -> str:
    r"""The text of a project file with these settings of the search, which it did not have.

    Comments, order and all else stay as they are.

    >>> print(with_chosen_settings("subject: id\n", {"method": "local", "suppress": 0.05}, "sfumato.yaml"), end="")
    subject: id
    anonymise:  # chosen by `auto`, which compared the ways; `method: auto` compares them anew each time
      method: local
      suppress: 0.05
    """
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    before, file = Project.parse(text, str(path)), read_yaml(text, path)
    changed = edited(text, [entries_edit(text, file, SECTION, settings, remark=REMARK)])
    if Project.parse(changed, str(path)).anonymise != {**before.anonymise, **settings}:
        raise ProjectError(path, "what was chosen could not be written without changing other settings.")
    return bom + changed
