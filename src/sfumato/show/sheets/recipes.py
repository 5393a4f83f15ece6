"""The recipes as a sheet."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]


def recipes_sheet(document: Document) -> Sheet:
    """The plans that come with the package, and what each is for."""
    found = document["recipes"]
    rows = tuple((f"recipe:{r['name']}", str(r["steps"]), r["description"]) for r in found)
    return Sheet(
        "Recipes",
        f"{counted(len(found), 'plan')} to apply as they are, or to copy and change.",
        (Section("Recipes", ("plan", "steps", "what it is for"), rows, numbers=(1,)),),
    )
