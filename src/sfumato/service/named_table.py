"""The table of a connection in a project file: its name stands there, and for the time of a run an address instead."""

from __future__ import annotations

import json
from pathlib import Path

from sfumato.errors import Conflict, SfumatoError
from sfumato.project.file.added_entries import edited, is_json
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.places import allowing

SOURCE = ("data", "source")


def with_address(path: Path, address: str, table: str) -> tuple[str, tuple[str, str]]:
    """The text of a project file with an address and a table instead of a source; what stands there now, and before.

    All else stays as it is, so that what a run writes into the file can be taken back with the name.
    """
    text = path.read_text(encoding="utf-8")
    file = read_yaml(text, path.name)
    offset = len(text) - len(text.removeprefix("\ufeff"))
    start, end = (place + offset for place in file.spans[SOURCE])
    given = file.value["data"].get("table")
    if given is not None and str(given) != table:
        raise Conflict("The project file names another table than the one that the source is. Delete `table:` there.")
    new = json.dumps(address) + (_entry(text, file, table, offset) if given is None else "")
    changed = edited(text, [(start, end, new)])
    with allowing("localhost"):
        try:
            read = Project.parse(changed, path)
        except SfumatoError:
            read = None
    if read is None or (read.source, read.options.table) != (address, table):
        raise Conflict("The source cannot be put into the project file. Write `source: NAME` on a line of its own.")
    return changed, (new, text[start:end])


def _entry(text: str, file: YamlFile, table: str, offset: int) -> str:
    """The table as an entry after the source, in the style of what is there."""
    begin = file.spans["data",][0] + offset
    if is_json(text, file) or text[begin] == "{":
        return f', "table": {json.dumps(table)}'
    line = text.splitlines()[file.line_of(SOURCE) - 1]
    indent = line[: len(line) - len(line.lstrip(" "))]
    return f"\n{indent}table: {json.dumps(table)}"
