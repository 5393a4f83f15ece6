"""The file of a column's hierarchy, named in the text of a project file."""

from __future__ import annotations

import json

from sfumato.errors import ProjectError
from sfumato.project.file.added_entries import Edit, edited, is_json
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.file.yaml_text import yaml_text

COLUMNS, KEY, BINS = "columns", "hierarchy", "bins"
CANNOT = "the hierarchy could not be named without changing something else. Write `hierarchy: FILE` there yourself."


def with_hierarchy(text: str, column: str, name: str, path: object) -> str:
    r"""The text of a project file in which a column has the hierarchy of a file; bins give way to it.

    >>> before = "columns:\n  age: {role: quasi, bins: [0, 18]}\n"
    >>> print(with_hierarchy(before, "age", "age.csv", "sfumato.yaml"), end="")
    columns:
      age: {role: quasi, hierarchy: age.csv}
    """
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    file = read_yaml(text, path)
    entry = ((file.value or {}).get(COLUMNS) or {}).get(column)
    if not isinstance(entry, dict) or "role" not in entry:
        raise ProjectError(path, f"column {column!r} has no role there: decide about it first.")
    changed = edited(text, [_edit(text, file, column, entry, name)])
    expected = {key: value for key, value in entry.items() if key not in (BINS, KEY)} | {KEY: name}
    now = read_yaml(changed, path).value
    if now != {**file.value, COLUMNS: {**file.value[COLUMNS], column: expected}}:
        raise ProjectError(path, CANNOT)
    Project.parse(changed, str(path))
    return bom + changed


def column_lines(text: str, column: str, path: object) -> str:
    """What a project file says of one column, as it is written there."""
    text = text.removeprefix("\ufeff")
    file, lines = read_yaml(text, path), text.splitlines()
    starts = [line for way, line in file.lines.items() if len(way) == 1 or (len(way) == 2 and way[0] == COLUMNS)]
    start = file.line_of((COLUMNS, column))
    after = min((line for line in starts if line > start), default=len(lines) + 1)  # another column, or section
    return "\n".join([f"{COLUMNS}:", *lines[start - 1 : after - 1]]).rstrip()


def _edit(text: str, file: YamlFile, column: str, entry: dict[str, object], name: str) -> Edit:
    quoted = '"' if is_json(text, file) else ""
    key, said = f"{quoted}{KEY}{quoted}", json.dumps(name) if quoted else yaml_text(name)
    if KEY in entry:
        return (*file.spans[COLUMNS, column, KEY], said)
    if BINS in entry:
        start, end = file.spans[COLUMNS, column, BINS]
        begin = text.rfind(f"{quoted}{BINS}{quoted}", 0, start)
        return begin, start + len(text[start:end].rstrip()), f"{key}: {said}"
    end = file.spans[COLUMNS, column, "role"][1]
    start = file.spans[COLUMNS, column][0]
    if text[start] == "{":
        return end, end, f", {key}: {said}"
    line_end = text.find("\n", end)
    place = len(text) if line_end < 0 else line_end
    indent = " " * (start - (text.rfind("\n", 0, start) + 1))
    return place, place, f"\n{indent}{key}: {said}"
