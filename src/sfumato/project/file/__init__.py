"""The project file (sfumato.yaml) and what it says."""

from sfumato.project.file.key_model import wrong_day
from sfumato.project.file.project import MeasureEntry, Project, RoleDecision, source_and_project
from sfumato.project.file.proposed_roles import project_template, relative_source, with_proposals
from sfumato.project.file.role_decisions import with_decisions
from sfumato.project.file.selection import GradeSelection, with_selection

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
