"""The project file (sfumato.yaml) and what it says."""

from sfumato.project.file.first_version import first_version, seen_from, with_proposals
from sfumato.project.file.project import MeasureEntry, Project, told_apart

__all__ = ["MeasureEntry", "Project", "first_version", "seen_from", "told_apart", "with_proposals"]
