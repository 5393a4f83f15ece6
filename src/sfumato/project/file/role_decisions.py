"""Decisions on roles, written into the text of a project file: who decided, when and why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sfumato.errors import ProjectError
from sfumato.project.file.added_entries import Edit, edited, is_json
from sfumato.project.file.preset import ABOUT_THE_ROLE
from sfumato.project.file.project import Project, RoleDecision
from sfumato.project.file.proposed_roles import role_edit, with_proposals
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.file.yaml_text import one_line, yaml_text

# What follows a role on one line of a first project file: it goes once somebody has decided.
MARK_ON_THE_LINE = re.compile(r'\s*,\s*"?proposed"?\s*:\s*true')
MARK_ON_A_LINE = re.compile(r"\s*proposed\s*:\s*")
CANNOT = (
    "the decisions could not be written without changing something else. Nothing was written: write `role`, "
    "`decided_by`, `decided_on` and `reason` into the file yourself, and delete `proposed: true`."
)


def with_decisions(text: str, decisions: Mapping[str, RoleDecision], path: object, *, again: bool = False) -> str:
    """The text of a project file in which these roles are decided; columns that it lacks are added.

    Comments, order and all else stay as they are, or `ProjectError`. What is decided already is only decided anew
    where `again` says so.
    """
    decisions = {name: _on_one_line(decision) for name, decision in decisions.items()}
    before = Project.parse(text, str(path))
    settled = [name for name in decisions if name in before.decisions]
    if settled and not again:
        raise ProjectError(
            path, f"the role of column {settled[0]!r} is decided already.", line=before.line_of("columns", settled[0])
        )
    known = {attribute.name for attribute in before.attributes}
    lacking = {name: decision.role for name, decision in decisions.items() if name not in known}
    if lacking:
        text = with_proposals(text, lacking, path)
        before = Project.parse(text, str(path))
    bom, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    file = _as_written(before, text)
    after = edited(text, (edit for name, decision in decisions.items() for edit in _edits(text, file, name, decision)))
    if not _only_decided(file, after, path, decisions):
        raise ProjectError(path, CANNOT)
    return bom + after


def _as_written(project: Project, text: str) -> YamlFile:
    """What a text says by itself, without the preset that may stand behind it. Reading takes long in a wide table."""
    return project.file if project.preset is None else read_yaml(text, project.path)


def _on_one_line(decision: RoleDecision) -> RoleDecision:
    by, on, reason = (one_line(words or "") or None for words in (decision.by, decision.on, decision.reason))
    return RoleDecision(decision.role, by, on, reason)


def _edits(text: str, file: YamlFile, name: str, decision: RoleDecision) -> Iterator[Edit]:
    entry: Mapping[str, Any] = file.value["columns"][name]
    said = {"decided_by": decision.by, "decided_on": decision.on, "reason": decision.reason}
    yield role_edit(text, file, name, decision.role)
    for key in (key for key in said if key in entry):
        start, end = file.spans["columns", name, key]
        blank = " " if start == end else ""  # an empty value begins right after the colon
        yield start, end, blank + (_scalar(text, file, said[key]) if said[key] else "null")
    new = {key: words for key, words in said.items() if words and key not in entry}
    start = file.spans["columns", name][0]
    if text[start] == "{":
        yield from _on_the_line(text, file, name, new)
    else:
        yield from _on_lines(text, file, name, new, indent=start - (text.rfind("\n", 0, start) + 1))


def _on_the_line(text: str, file: YamlFile, name: str, new: Mapping[str, str]) -> Iterator[Edit]:
    """The edits of a column that stands on one line, between braces: after the role, where the mark was."""
    end = file.spans["columns", name, "role"][1]
    quoted = '"' if is_json(text, file) else ""
    words = "".join(f", {quoted}{key}{quoted}: {_scalar(text, file, said)}" for key, said in new.items())
    mark = MARK_ON_THE_LINE.match(text, end)
    if mark is not None and mark.end() == file.spans.get(("columns", name, "proposed"), (0, 0))[1]:
        yield end, mark.end(), words
        return
    yield end, end, words
    yield from _unmarked(file, name)


def _on_lines(text: str, file: YamlFile, name: str, new: Mapping[str, str], *, indent: int) -> Iterator[Edit]:
    """The edits of a column that has a line for each key: lines after that of the role."""
    place, newline = _line_end(text, file.spans["columns", name, "role"][1])
    yield place, place, "".join(f"{newline}{' ' * indent}{key}: {yaml_text(said)}" for key, said in new.items())
    start, end = file.spans.get(("columns", name, "proposed"), (0, 0))
    above = text.rfind("\n", 0, start)
    alone = MARK_ON_A_LINE.fullmatch(text, above + 1, start) and _line_end(text, end)[0] == end
    if start and alone and above > 0:
        yield above - (text[above - 1] == "\r"), end, ""
    else:
        yield from _unmarked(file, name)


def _unmarked(file: YamlFile, name: str) -> Iterator[Edit]:
    if file.value["columns"][name].get("proposed"):
        yield (*file.spans["columns", name, "proposed"], "false")


def _line_end(text: str, position: int) -> tuple[int, str]:
    """Where the line ends on which a position stands, and how lines end there."""
    end = text.find("\n", position)
    if end < 0:
        return len(text), "\n"
    return (end - 1, "\r\n") if text[end - 1] == "\r" and end > position else (end, "\n")


def _scalar(text: str, file: YamlFile, words: str | None) -> str:
    return json.dumps(words, ensure_ascii=False) if is_json(text, file) else yaml_text(words or "")


def _only_decided(before: YamlFile, text: str, path: object, decisions: Mapping[str, RoleDecision]) -> bool:
    """Whether a text says these decisions, and all else as before."""
    try:
        project = Project.parse(text, str(path))
    except ProjectError:
        return False
    file = _as_written(project, text)
    written = {name: project.decisions.get(name) for name in decisions}
    return written == decisions and _without(file.value, decisions) == _without(before.value, decisions)


def _without(value: Mapping[str, Any], decisions: Mapping[str, RoleDecision]) -> dict[str, Any]:
    """What a file says, but for these roles and who decided on them."""
    columns = {
        name: {key: said for key, said in entry.items() if name not in decisions or key not in ABOUT_THE_ROLE}
        for name, entry in (value.get("columns") or {}).items()
    }
    return {**value, "columns": columns}
