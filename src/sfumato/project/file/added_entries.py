"""Entries that are added to the text of a project file, in the style of what is there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sfumato.project.file.yaml_file import Path, YamlFile
from sfumato.project.file.yaml_text import yaml_key, yaml_text

Edit = tuple[int, int, str]  # where a span of a text begins and ends, and what takes its place


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text in which spans are replaced, each named by where it begins and ends in the text as it was."""
    for start, end, words in sorted(edits, reverse=True):
        text = text[:start] + words + text[end:]
    return text


def is_json(text: str, file: YamlFile) -> bool:
    """Whether a file is written as JSON."""
    begin = file.spans.get((), (0, 0))[0]
    return text[begin : begin + 1] == "{"


def end_of(text: str, file: YamlFile, path: Path) -> int:
    """Where a value ends: after its last word. YAML counts the comments and lines that follow a block to it."""
    within = {place: span for place, span in file.spans.items() if place[: len(path)] == path}
    parents = {place[:-1] for place in within}

    def exact(place: Path, span: tuple[int, int]) -> bool:
        return place not in parents or text[span[0] : span[0] + 1] in ("{", "[")

    return max((span[1] for place, span in within.items() if exact(place, span)), default=file.spans[path][1])


def entries_edit(text: str, file: YamlFile, section: str, entries: Mapping[str, Any], *, remark: str = "") -> Edit:
    """The edit that adds entries to a section: before its first one, or as a section of its own, with a remark.

    Comments, order and all else stay as they are.
    """
    if is_json(text, file):
        return _json_edit(file, section, json.dumps(entries)[1:-1])
    known = file.value or {}
    lines = "".join(f"\n  {yaml_key(name)} {flow_text(entry)}" for name, entry in entries.items())
    if section not in known:
        end = file.spans.get((), (0, len(text)))[1]  # before the mark that ends a document, where there is one
        return end, end, ("" if text[:end].endswith("\n") else "\n") + f"{section}:{remark}{lines}\n"
    start, end = file.spans[section,]
    if not known[section]:
        return start, end, lines
    if text[start] == "{":
        words = "".join(f"{yaml_text(name)}: {flow_text(entry)}, " for name, entry in entries.items())
        return start + 1, start + 1, words
    indent = " " * (start - (text.rfind("\n", 0, start) + 1))
    words = "".join(f"{yaml_key(name)} {flow_text(entry)}\n{indent}" for name, entry in entries.items())
    return start, start, words


def _json_edit(file: YamlFile, section: str, listed: str) -> Edit:
    if section not in file.value:
        begin = file.spans[()][0]
        return begin + 1, begin + 1, f'"{section}": {{{listed}}}' + (", " if file.value else "")
    start, end = file.spans[section,]
    return (start + 1, start + 1, f"{listed}, ") if file.value[section] else (start, end, f"{{{listed}}}")


def flow_text(entry: Any) -> str:
    """A value on one line of YAML.

    >>> flow_text({"role": "quasi", "proposed": True}), flow_text(0.05), flow_text("no"), flow_text({"2nd, or so": [1]})
    ('{role: quasi, proposed: true}', '0.05', '"no"', '{"2nd, or so": [1]}')
    """
    if isinstance(entry, Mapping):
        return "{" + ", ".join(f"{yaml_text(str(key))}: {flow_text(value)}" for key, value in entry.items()) + "}"
    if isinstance(entry, list | tuple):
        return "[" + ", ".join(map(flow_text, entry)) + "]"
    if isinstance(entry, str):
        return yaml_text(entry)
    return json.dumps(entry)
