"""Answers about the context as text: each below its question, and put into a project file that stays as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sfumato.errors import ProjectError
from sfumato.project.context.benefit import Need
from sfumato.project.context.checklist import CHECKLISTS, CRITERIA, ContextChecklist, Response
from sfumato.project.context.risk_benefit import Level
from sfumato.project.file import Project
from sfumato.project.file.yaml_file import YamlFile, read_yaml
from sfumato.project.recipient.grade import Grade

TEXTS = {
    "purpose": "What are the data released for?",
    "release": "Who may have them? public, restricted (named recipients) or internal",
    "recipient": "The recipient: a file of answers for `sfumato recipient`, or High, Middle or Low",
    "handed_to": "Who gets the data, by name?",
    "controller": "Who answers for the data: the controller?",
    "officer": "Whom to ask: the data protection officer?",
    "legal_basis": "On which legal basis are the data handed on?",
}
# Words that no reader of YAML takes for something else.
BARE = frozenset({*Need, *Level, *Grade, "public", "restricted", "internal"})
HEADING = "# The context of the release: answer yes, partly or no; what is left empty is unanswered.\n"


def written_context(answers: Mapping[str, Any], columns: tuple[str, ...] = ()) -> str:
    """The part `context` of a project file, with every question as a comment."""
    return HEADING + "\n".join(["context:", *_lines(answers, columns)]) + "\n"


def with_context(text: str, answers: Mapping[str, Any], path: object, columns: tuple[str, ...] = ()) -> str:
    """The text of a project file with these answers; comments, order and all else stay as they are."""
    text = text.removeprefix("\ufeff")
    before = read_yaml(text, path)
    if text.lstrip().startswith("{"):
        raise ProjectError(path, "this file is JSON, into which no comments can be written. Use --save FILE.")
    start, end = _place(text, before)
    head = text[:start] if not text[:start] or text[:start].endswith("\n") else text[:start] + "\n"
    changed = head + written_context(answers, columns) + text[end:]
    after = read_yaml(changed, path)
    Project.parse(changed, str(path))
    if _others(before) != _others(after):
        raise ProjectError(path, "the answers could not be written without changing another part. Use --save FILE.")
    return changed


def _place(text: str, file: YamlFile) -> tuple[int, int]:
    """Where the part `context` begins and ends in a text; at its end where there is none yet."""
    first = file.lines.get(("context",))
    if first is None:
        return len(text), len(text)
    lines = text.splitlines(keepends=True)
    later = [line for path, line in file.lines.items() if len(path) == 1 and line > first]
    last = min(later, default=len(lines) + 1) - 1
    start, end = file.spans["context",]
    if text[start : start + 1] == "{":
        last = text.count("\n", 0, end) + 1
    while last > first and text[start : start + 1] != "{" and not lines[last - 1].startswith((" ", "\t")):
        last -= 1  # comments and empty lines before the next key are its own
    begin = first - 1
    if begin and lines[begin - 1] == HEADING:
        begin -= 1
    return sum(map(len, lines[:begin])), sum(map(len, lines[:last]))


def _others(file: YamlFile) -> dict[str, Any]:
    return {key: value for key, value in (file.value or {}).items() if key != "context"}


def _lines(answers: Mapping[str, Any], columns: tuple[str, ...]) -> Iterator[str]:
    for key, asks in TEXTS.items():
        yield f"  # {asks}"
        yield f"  {key}:{_value(answers.get(key))}"
    for checklist in CHECKLISTS:
        yield from _section(checklist, answers.get(checklist.key) or {})
    yield "  # How much does the purpose need each column? none, low, medium or high"
    benefits: Mapping[str, Any] = answers.get("benefits") or {}
    names = dict.fromkeys([*columns, *benefits])
    yield "  benefits:" + ("" if names else " {}")
    yield from (f"    {json.dumps(name, ensure_ascii=False)}:{_value(benefits.get(name))}" for name in names)
    for key in ("matrix", "decisions"):
        if answers.get(key):
            yield f"  {key}:{_value(answers[key])}"


def _section(checklist: ContextChecklist, given: Mapping[str, Any]) -> Iterator[str]:
    yield f"  # {checklist.title}: {checklist.about}" if checklist.key != CRITERIA.key else f"  # {checklist.title}"
    yield f"  {checklist.key}:"
    for question, said in checklist.answered(given):
        yield f"    # {question.asks} {question.why}"
        yield f"    {question.key}:{'' if said is Response.UNANSWERED else f' {said}'}"


def _value(given: Any) -> str:
    """A value as YAML, on one line; nothing where nothing was said."""
    if isinstance(given, Mapping):
        shown = {key: value for key, value in given.items() if value is not None}
        if set(shown) <= {"need"}:
            return _value(shown.get("need"))
        return f" {{{', '.join(f'{key}:{_value(value)}' for key, value in shown.items())}}}"
    if given is None:
        return ""
    words = str(given)
    return f" {words}" if words in BARE else f" {json.dumps(words, ensure_ascii=False)}"
