"""The levels, bounds and share that somebody chose for a release, written into the text of a project file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import ProjectError
from sfumato.project.file.added_entries import Edit, edited, entries_edit, flow_text, is_json
from sfumato.project.file.project import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml

MEASURES, SEARCH = "measures", "anonymise"
BOUNDS = ("at_least", "at_most")
CANNOT = (
    "what was chosen could not be written without changing something else. Nothing was written: write `measures:` and "
    "`anonymise:` into the file yourself."
)


@dataclass(frozen=True)
class ReleaseChoice:
    """What a release is to be: entries of measures with their bounds, and settings of the search."""

    measures: tuple[Mapping[str, Any], ...] = ()  # as the file writes them; one that it has gets another bound
    settings: Mapping[str, Any] = field(default_factory=dict)


def with_release_choice(text: str, choice: ReleaseChoice, path: object) -> str:
    r"""The text of a project file that says what was chosen; comments, order and all else stay as they are.

    >>> choice = ReleaseChoice(({"measure": "k_anonymity", "at_least": 7},), {"suppress": 0.02, "levels": {"age": 1}})
    >>> before = "measures:\n- {measure: k_anonymity, at_least: 5}  # the rule of this house\n"
    >>> print(with_release_choice(before, choice, "sfumato.yaml"), end="")
    measures:
    - {measure: k_anonymity, at_least: 7}  # the rule of this house
    anonymise:
      suppress: 0.02
      levels: {age: 1}
    """
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    file = read_yaml(text, path)
    changed = edited(text, [*_measure_edits(text, file, choice), *_setting_edits(text, file, choice)])
    if not _says(file, changed, choice, path):
        raise ProjectError(path, CANNOT)
    return bom + changed


def sections_of(text: str, path: object, *names: str) -> str:
    """Some sections of a project file, as they are written, without the rest."""
    text = text.removeprefix("\ufeff")
    file = read_yaml(text, path)
    lines, parts = text.splitlines(), []
    starts = sorted(file.line_of((name,)) for name in file.value or {})
    for name in (name for name in names if name in (file.value or {})):
        start = file.line_of((name,))
        after = next((line for line in starts if line > start), len(lines) + 1)
        parts.append("\n".join(lines[start - 1 : after - 1]).rstrip())
    return "\n".join(parts)


def _measure_edits(text: str, file: YamlFile, choice: ReleaseChoice) -> Iterator[Edit]:
    known = (file.value or {}).get(MEASURES) or []
    new = []
    for entry in choice.measures:
        place = next((i for i, one in enumerate(known) if _about(one) == _about(entry)), None)
        if place is None:
            new.append(dict(entry))
            continue
        for bound in (bound for bound in BOUNDS if bound in entry and known[place].get(bound) != entry[bound]):
            span = file.spans.get((MEASURES, place, bound))
            if span is None:
                raise ProjectError("sfumato.yaml", CANNOT)
            yield (*span, _number(entry[bound]))
    if new and not known:
        yield _section_edit(text, file, MEASURES, new)
    elif new:
        end = file.spans[MEASURES, len(known) - 1][1]
        listed = text[file.spans[MEASURES,][0]] == "["
        start = file.spans[MEASURES, 0][0]
        indent = " " * max(start - (text.rfind("\n", 0, start) + 1) - 2, 0)
        words = (f", {flow_text(one)}" if listed else f"\n{indent}- {flow_text(one)}" for one in new)
        yield end, end, "".join(words)


def _section_edit(text: str, file: YamlFile, name: str, entries: list[Any]) -> Edit:
    if is_json(text, file):
        begin = file.spans[()][0]
        return begin + 1, begin + 1, f'"{name}": {json.dumps(entries)}' + (", " if file.value else "")
    end = file.spans.get((), (0, len(text)))[1]
    lines = "".join(f"  - {flow_text(one)}\n" for one in entries)
    return end, end, ("" if text[:end].endswith("\n") or not end else "\n") + f"{name}:\n{lines}"


def _setting_edits(text: str, file: YamlFile, choice: ReleaseChoice) -> Iterator[Edit]:
    said = (file.value or {}).get(SEARCH) or {}
    for name, value in choice.settings.items():
        if name in said and said[name] != value:
            start, end = file.spans[SEARCH, name]
            # A block that ends with its last line is replaced without the line's end.
            end -= len(text[start:end]) - len(text[start:end].rstrip()) if start != end else 0
            yield start, end, ("" if start > 0 and text[start - 1] in " \n{" else " ") + _written(text, file, value)
    new = {name: value for name, value in choice.settings.items() if name not in said}
    if new:
        yield entries_edit(text, file, SEARCH, new)


def _written(text: str, file: YamlFile, value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if is_json(text, file) else flow_text(value)


def _number(value: float) -> str:
    return json.dumps(int(value) if float(value).is_integer() else value)


def _about(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What an entry of measures is about, whatever its bound."""
    return {key: value for key, value in entry.items() if key not in BOUNDS}


def _says(before: YamlFile, text: str, choice: ReleaseChoice, path: object) -> bool:
    """Whether a text says what was chosen, and all else as before."""
    try:
        Project.parse(text, str(path))
    except ProjectError:
        return False
    now, then = read_yaml(text, path).value or {}, before.value or {}
    others = {key: value for key, value in then.items() if key not in (MEASURES, SEARCH)}
    kept = {key: value for key, value in now.items() if key not in (MEASURES, SEARCH)} == others
    settings = now.get(SEARCH) == {**(then.get(SEARCH) or {}), **choice.settings}
    known = {json.dumps(_about(one), sort_keys=True): one for one in then.get(MEASURES) or []}
    known |= {json.dumps(_about(one), sort_keys=True): dict(one) for one in choice.measures}
    return kept and settings and list(known.values()) == (now.get(MEASURES) or [])
