"""A plan as a sheet: every step in a sentence."""

from __future__ import annotations

from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]


def plan_sheet(document: Document) -> Sheet:
    """The steps for somebody who has to sign them."""
    steps = document["steps"]
    rows = tuple((str(s["number"]), s["transformation"], s["explanation"]) for s in steps)
    examples = tuple(
        (str(s["number"]), s["transformation"], str(before), str(after))
        for s in steps
        for before, after in s["examples"]
    )
    secrets = tuple(f"Secret needed: {name}." for name in document["secrets"])
    return Sheet(
        title=f"Plan {document['plan']}",
        verdict=f"{counted(len(steps), 'step')}, seed {document['seed']}.",
        sections=(
            Section("Steps", ("", "step", "what it does"), rows, secrets, numbers=(0,)),
            Section("Examples, made up", ("", "step", "before", "after"), examples, numbers=(0,)),
        ),
    )


def transformations_sheet(document: Document) -> Sheet:
    """The transformations there are, or one in full."""
    found = document["transformations"]
    if document["in_full"]:
        sections = (Section(found[0]["name"], remarks=tuple(found[0]["explanation"].splitlines())),)
    else:
        rows = tuple((t["name"], ", ".join(t["parameters"]), ", ".join(t["aliases"]), t["summary"]) for t in found)
        sections = (Section("Transformations", ("name", "parameters", "PHUSE rule", "what it does"), rows),)
    return Sheet("Transformations", f"{counted(len(found), 'transformation')}.", sections)
