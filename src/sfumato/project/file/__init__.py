"""The project file (sfumato.yaml) and what it says.

Names are imported when they are first used: most commands are also run without a project file, and what may stand in
one takes a tenth of a second to set up.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.project.file.key_model import wrong_day
    from sfumato.project.file.project import MeasureEntry, Project, RoleDecision
    from sfumato.project.file.proposed_roles import project_template, relative_source, with_proposals
    from sfumato.project.file.role_decisions import with_decisions
    from sfumato.project.file.selection import GradeSelection, with_selection
    from sfumato.project.file.source_or_project import source_and_project

_FILES = {
    "GradeSelection": "selection",
    "MeasureEntry": "project",
    "Project": "project",
    "RoleDecision": "project",
    "project_template": "proposed_roles",
    "relative_source": "proposed_roles",
    "source_and_project": "source_or_project",
    "with_decisions": "role_decisions",
    "with_proposals": "proposed_roles",
    "with_selection": "selection",
    "wrong_day": "key_model",
}

__all__ = [
    "GradeSelection",
    "MeasureEntry",
    "Project",
    "RoleDecision",
    "project_template",
    "relative_source",
    "source_and_project",
    "with_decisions",
    "with_proposals",
    "with_selection",
    "wrong_day",
]


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'sfumato.project.file' has no attribute {name!r}")
    return getattr(importlib.import_module(f"sfumato.project.file.{_FILES[name]}"), name)
