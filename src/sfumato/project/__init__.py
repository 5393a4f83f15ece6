"""The project file (sfumato.yaml) and what it says."""

from sfumato.project.first_version import first_version, seen_from, with_proposals
from sfumato.project.project import MeasureEntry, Project, told_apart

__all__ = ["MeasureEntry", "Project", "first_version", "seen_from", "told_apart", "with_proposals"]
