"""The project file (sfumato.yaml) and what it says."""

from sfumato.project.project import MeasureEntry, Project, first_version

__all__ = ["MeasureEntry", "Project", "first_version"]
