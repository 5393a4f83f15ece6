"""Settings that a search chose, written into the project file, so that the next release is made in the same way."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sfumato.errors import ProjectError
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml

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
    start, end, words = _edit(text, file, settings)
    changed = text[:start] + words + text[end:]
    if Project.parse(changed, str(path)).anonymise != {**before.anonymise, **settings}:
        raise ProjectError(path, "what was chosen could not be written without changing other settings.")
    return bom + changed


def _edit(text: str, file: YamlFile, settings: Mapping[str, str | float]) -> tuple[int, int, str]:
    """Where something is put into the text, and what: in the style of what is there."""
    begin, end = file.spans.get((), (0, len(text)))
    if text[begin : begin + 1] == "{":  # a file in JSON
        return _edit_of_json(file, json.dumps(settings)[1:-1], begin)
    pairs = [f"{name}: {value}" for name, value in settings.items()]
    lines = "".join(f"\n  {pair}" for pair in pairs)
    if SECTION not in (file.value or {}):
        return end, end, ("" if text[:end].endswith("\n") else "\n") + f"{SECTION}:{REMARK}{lines}\n"
    start, end = file.spans[SECTION,]
    if not file.value[SECTION]:
        return start, end, lines
    if text[start] == "{":
        return start + 1, start + 1, "".join(f"{pair}, " for pair in pairs)
    indent = " " * (start - (text.rfind("\n", 0, start) + 1))
    return start, start, "".join(f"{pair}\n{indent}" for pair in pairs)


def _edit_of_json(file: YamlFile, listed: str, begin: int) -> tuple[int, int, str]:
    if SECTION not in file.value:
        return begin + 1, begin + 1, f'"{SECTION}": {{{listed}}}' + (", " if file.value else "")
    start, end = file.spans[SECTION,]
    return (start + 1, start + 1, f"{listed}, ") if file.value[SECTION] else (start, end, f"{{{listed}}}")
