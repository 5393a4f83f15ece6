"""Project lines: what to write into the project file for some levels and bounds, and the command that does the same."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sfumato.errors import UnusableInput
from sfumato.privacy.assess import policy_of
from sfumato.privacy.measure_interface import Safer
from sfumato.privacy.policy import Policy, Requirement
from sfumato.privacy.question import Question
from sfumato.privacy.requirement_text import stated
from sfumato.project.file import Project
from sfumato.project.file.yaml_text import yaml_key, yaml_text
from sfumato.search.methods.optimal import Optimal

# What the levels stand in the place of: how they would be searched.
SEARCHED = ("method", "suppress", "levels", "nodes", "seconds", "heuristic")
OPTIONS = ("objective", "aggregate", "balance", "against")  # settings that are one option of the command each


@dataclass(frozen=True)
class AsWritten:
    """Where a request comes from: a project file, and what was said beside it."""

    project: Project | None = None
    question: Question = field(default_factory=Question.written)
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the search, which go before those of the file


@dataclass(frozen=True)
class ProjectLines:
    """The sections `measures` and `anonymise` of a project file, and a command; both give the same release."""

    sections: str
    command: str | None  # None where no option says what differs from the file: write the sections first


def project_lines(written: AsWritten, policy: Policy, share: float, levels: Mapping[str, int]) -> ProjectLines:
    """What a person writes to get these levels under this policy; paths stay as they are in the file."""
    project = written.project
    if project is None or written.question != Question.written():
        raise UnusableInput(
            "There is no project file that says all that was asked for, so there are no lines to write. Write one "
            "with `sfumato init`, and give it to `evaluate_source`."
        )
    said: Mapping[str, Any] = {**(project.file.value.get("anonymise") or {}), **written.settings}
    settings = {name: value for name, value in said.items() if name not in SEARCHED}
    sections = [
        "measures:",
        *(f"  - {_measure(requirement)}" for requirement in policy.requirements if requirement.bound is not None),
        "anonymise:",
        *(f"  {yaml_key(name)} {_flow(value)}" for name, value in settings.items()),
        f"  method: {Optimal.name()}",
        f"  suppress: {share:.15g}",
        "  levels:",
        *(f"    {yaml_key(name)} {level}" for name, level in levels.items()),
    ]
    return ProjectLines("\n".join(sections) + "\n", _command(project, written.settings, policy, share, levels))


def _measure(requirement: Requirement) -> str:
    side = "at_least" if requirement.measure.safer is Safer.HIGHER else "at_most"
    parts = {"measure": requirement.measure.name(), **requirement.parameters, side: requirement.bound}
    return f"{{{', '.join(f'{name}: {_flow(value)}' for name, value in parts.items())}}}"


def _flow(value: Any) -> str:
    """A value on one line of YAML, which takes all that JSON writes."""
    if isinstance(value, str):
        return yaml_text(value)
    if isinstance(value, float):
        return f"{value:.15g}"
    return json.dumps(value, ensure_ascii=False, default=str)


def _command(
    project: Project, settings: Mapping[str, Any], policy: Policy, share: float, levels: Mapping[str, int]
) -> str | None:
    if any(name not in (*OPTIONS, *SEARCHED) for name in settings):
        return None
    before = policy_of(project).requirements
    changed = [stated(r) for r in policy.requirements if r.bound is not None and r not in before]
    if not all(isinstance(text, str) for text in changed):
        return None
    words = ["sfumato", "anonymise", "--project", project.path]
    words += [word for text in changed for word in ("--require", str(text))]
    words += [word for name in OPTIONS if name in settings for word in (f"--{name}", f"{settings[name]}")]
    words += ["--method", Optimal.name(), "--suppress", f"{share:.15g}", *_level_options(levels)]
    return shlex.join(words)


def _level_options(levels: Mapping[str, int]) -> Iterator[str]:
    for name, level in levels.items():
        doubled = name.replace('"', '""')
        yield from ("--level", f'"{doubled}"={level}' if {"=", '"'} & {*name} else f"{name}={level}")
