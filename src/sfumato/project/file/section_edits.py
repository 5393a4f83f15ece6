"""Sections of a project file that are written anew, entry by entry, in the text that somebody has.

Comments, order and all else stay as they are: an entry that has not changed keeps its text, and what is written is
read again before anybody gets it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.errors import ProjectError
from sfumato.project.file.added_entries import Edit, edited, end_of, flow_text, is_json
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml

CANNOT = (
    "this could not be written without changing something else. Nothing was written: change `{section}` in the file "
    "yourself."
)


def with_section(text: str, section: str, value: Any, path: object) -> str:
    """The text of a project file in which a section says a value; None takes the section out.

    A list has an entry on each line. `ProjectError` where what is written is no project file.
    """
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    file = read_yaml(text, path) if text.strip() else YamlFile(None, {})
    known = file.value or {}
    if known.get(section) == value:
        return bom + text
    after = edited(text, _edits(text, file, section, value))
    written = read_yaml(after, path).value or {}
    others = {key: said for key, said in written.items() if key != section}
    if written.get(section) != value or others != {key: said for key, said in known.items() if key != section}:
        raise ProjectError(path, CANNOT.format(section=section))
    Project.parse(after, str(path))
    return bom + after


def section_lines(section: str, value: Any) -> str:
    r"""A section as it is written where a file has none.

    >>> print(section_lines("population", {"fraction": 0.05}), end="")
    population: {fraction: 0.05}
    >>> print(section_lines("measures", [{"measure": "k_anonymity", "at_least": 5}]), end="")
    measures:
      - {measure: k_anonymity, at_least: 5}
    """
    if isinstance(value, list) and value:
        return f"{section}:" + "".join(f"\n  - {flow_text(entry)}" for entry in value) + "\n"
    return f"{section}: {flow_text(value)}\n"


def _edits(text: str, file: YamlFile, section: str, value: Any) -> list[Edit]:
    known = file.value or {}
    if section not in known:
        return [_new(text, file, section, value)]
    start, end = file.spans[section,]
    if value is None:
        return [_without(text, file, section)]
    by_entry = isinstance(value, list) and isinstance(known[section], list) and bool(value and known[section])
    if by_entry and text[start] != "[":
        return _entry_edits(text, file, section, value)
    end = end_of(text, file, (section,)) if known[section] else end
    if is_json(text, file) or text[start : start + 1] in ("{", "["):
        return [(start, end, json.dumps(value) if is_json(text, file) else flow_text(value))]
    return [(_after_colon(text, start), end, section_lines("", value)[1:].rstrip("\n"))]


def _new(text: str, file: YamlFile, section: str, value: Any) -> Edit:
    if is_json(text, file):
        begin = file.spans[()][0] + 1
        return begin, begin, f"{json.dumps(section)}: {json.dumps(value)}" + (", " if file.value else "")
    end = file.spans.get((), (0, len(text)))[1]  # before the mark that ends a document, where there is one
    return end, end, ("" if not end or text[:end].endswith("\n") else "\n") + section_lines(section, value)


def _without(text: str, file: YamlFile, section: str) -> Edit:
    """The edit that takes a section out, with the lines that it stands on."""
    if is_json(text, file):
        raise ProjectError("sfumato.yaml", CANNOT.format(section=section))
    begin = _line_start(text, file.lines[section,])
    return begin, _line_end(text, max(end_of(text, file, (section,)), begin)), ""


def _entry_edits(text: str, file: YamlFile, section: str, value: Sequence[Any]) -> list[Edit]:
    """The edits of a list with a line for each entry: those that stay keep their text and their comments."""
    known: list[Any] = file.value[section]
    pairs = paired(known, value)
    edits: list[Edit] = []
    kept = {old for old, _ in pairs if old is not None}
    for place in range(len(known)):
        if place not in kept:
            start = file.spans[section, place][0]
            edits.append((_line_begin(text, start), _line_end(text, end_of(text, file, (section, place))), ""))
    for old, entry in pairs:
        if old is not None and known[old] != entry:
            edits.append((file.spans[section, old][0], end_of(text, file, (section, old)), flow_text(entry)))
    new = [entry for old, entry in pairs if old is None]
    if new:
        last = end_of(text, file, (section, len(known) - 1))
        first = file.spans[section, 0][0]
        indent = text[_line_begin(text, first) : first]
        after = _line_end(text, last)
        lead = "" if text[:after].endswith("\n") else "\n"
        edits.append((after, after, lead + "".join(f"{indent}{flow_text(entry)}\n" for entry in new)))
    return edits


def paired(known: Sequence[Any], value: Sequence[Any]) -> list[tuple[int | None, Any]]:
    """Each entry of a new list with the place of the one that it was.

    Where there are as many as before, each stands in its place. Otherwise it is the same, or about the same thing.

    >>> paired([{"name": "a", "x": 1}, {"name": "b"}], [{"name": "a", "x": 2}, {"name": "b"}, {"name": "c"}])
    [(0, {'name': 'a', 'x': 2}), (1, {'name': 'b'}), (None, {'name': 'c'})]
    """
    if len(known) == len(value):
        return list(enumerate(value))
    free = list(range(len(known)))
    pairs: list[tuple[int | None, Any]] = []
    for entry in value:
        same = next((old for old in free if known[old] == entry), None)
        alike = next((old for old in free if _about(known[old]) == _about(entry)), None) if same is None else same
        if alike is not None:
            free.remove(alike)
        pairs.append((alike, entry))
    return pairs


def _about(entry: Any) -> Any:
    """What an entry is about, whatever else it says: the name of a scenario, the measure and the column of a bound."""
    if not isinstance(entry, Mapping):
        return entry
    return tuple(entry.get(key) for key in ("name", "measure", "sensitive"))


def _after_colon(text: str, start: int) -> int:
    """Where the value of a key may begin: right after its colon."""
    return text.rfind(":", 0, start) + 1


def _line_begin(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _line_start(text: str, line: int) -> int:
    """Where a line begins, by its number."""
    place = 0
    for _ in range(line - 1):
        place = text.find("\n", place) + 1
    return place


def _line_end(text: str, position: int) -> int:
    """Where the line after a position begins: what stands behind it on the line belongs to it."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end + 1
