"""Decided roles: a release stands on what a person has decided about every column that the project file knows of."""

from __future__ import annotations

from sfumato.errors import ProjectError
from sfumato.project.dropped_columns import dropped
from sfumato.project.file import Project
from sfumato.show.sheet import named

DECIDE = (
    "Give each a role under `columns:` (direct, quasi, sensitive or non-sensitive), or leave it out with a step `drop`."
)


def require_decided_roles(project: Project) -> None:
    """Refuse a project file that leaves a column undecided, or with a role that nobody has confirmed.

    What the file does not know of is seen in the table alone.
    """
    unknown, proposed = project.undecided - dropped(project), project.proposed - project.undecided
    if unknown:
        are = "column is" if len(unknown) == 1 else "columns are"
        raise ProjectError(
            project.path,
            f"{len(unknown)} {are} undecided ({named(sorted(unknown))}), so nothing was released. {DECIDE} A data "
            f"dictionary (`sfumato identify --dictionary FILE --write`) may say what they are.",
        )
    if proposed:
        number = len(proposed)
        raise ProjectError(
            project.path,
            f"the role of {number} column{'s are' if number > 1 else ' is'} only proposed. `sfumato confirm` asks "
            f"about each: a release stands on roles that a person has confirmed.",
        )
