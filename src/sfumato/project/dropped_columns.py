"""Dropped columns: what the plan of a project file leaves out, as its text says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sfumato.project.file import Project

# Steps of a plan that leave columns out, by the parameters that name them; with `drop: false` they stay.
DROPPING = {
    "drop": ("columns",), "remove": ("columns",), "age": ("birth",), "derive_age": ("birth",),
    "duration": ("start", "end"), "merge_columns": ("columns",),
}  # fmt: skip


def dropped(project: Project) -> set[str]:
    """The columns that the plan of a project file drops: by the step `drop`, and where it makes another of them."""
    plan = project.file.value.get("plan") if isinstance(project.file.value, Mapping) else None
    steps = (plan or {}).get("steps") or []
    said = [one for step in steps if isinstance(step, Mapping) for one in step.items() if isinstance(one[1], Mapping)]
    return {name for step, given in said for name in _dropped_by(step, given)}


def _dropped_by(step: str, given: Mapping[str, Any]) -> Iterator[str]:
    """The columns that a step of a plan drops, as its parameters say."""
    for key in DROPPING.get(step, ()):
        named = given.get(key)
        names = [named] if isinstance(named, str) else named if isinstance(named, list | tuple) else []
        if given.get("drop", True) is not False:
            yield from (str(name) for name in names if name != given.get("into"))
