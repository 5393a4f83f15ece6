"""The project file (sfumato.yaml) and what it says.

Names are imported when they are first used: most commands are also run without a project file, and what may stand in
one takes a tenth of a second to set up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.project.file.key_model import wrong_day
    from sfumato.project.file.project import MeasureEntry, Project, RoleDecision
    from sfumato.project.file.proposed_roles import project_template, relative_source, with_proposals
    from sfumato.project.file.role_decisions import with_decisions
    from sfumato.project.file.selection import GradeSelection, with_selection
    from sfumato.project.file.source_or_project import source_and_project

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
    if name not in __all__:
        raise AttributeError(f"module 'sfumato.project.file' has no attribute {name!r}")
    from sfumato.project.file import key_model, project, proposed_roles, role_decisions, selection, source_or_project

    files = (key_model, project, proposed_roles, role_decisions, selection, source_or_project)
    return next(vars(file)[name] for file in files if name in vars(file))
