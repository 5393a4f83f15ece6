"""Presets as sheets: all of them, and one with its thresholds and their sources."""

from __future__ import annotations

import json
from typing import Any

from sfumato.show.sheet import Section, Sheet, counted

Document = dict[str, Any]


def presets_sheet(document: Document) -> Sheet:
    """The presets, and what each requires."""
    found = document["presets"]
    rows = tuple((preset["name"], preset["title"], "; ".join(_required(preset)) or "nothing") for preset in found)
    return Sheet(
        "Presets",
        f"{counted(len(found), 'preset')} for `preset:` in a project file.",
        (Section("Presets", ("preset", "what it is", "what it requires"), rows),),
    )


def preset_sheet(document: Document) -> Sheet:
    """One preset: what it is for, its thresholds with their sources, and what it puts behind a project file."""
    rows = tuple((t["about"], t["value"], t["source"], t["known"]) for t in document["thresholds"])
    sections = (
        Section("What it is for", remarks=(document["description"], f"Source: {document['source']}")),
        Section("Thresholds", ("about", "value", "source", "how it is known"), rows),
        Section("What it says in a project file", ("key", "value"), tuple(_lines(document["project"]))),
        Section("What to run", remarks=("sfumato assess", *document["then"])),
        Section("What this is", remarks=("Evidence for a qualified decision; not a legal determination.",)),
    )
    return Sheet(f"Preset {document['name']}", document["title"], sections)


def _required(preset: Document) -> list[str]:
    return [_requirement(entry) for entry in preset["project"].get("measures") or []]


def _requirement(entry: Document) -> str:
    """A requirement as it is written for `--require`."""
    sensitive = entry.get("sensitive")
    about = "" if sensitive is None else f"({'each sensitive column' if sensitive == '*' else sensitive})"
    sign, bound = (">=", entry["at_least"]) if "at_least" in entry else ("<=", entry["at_most"])
    return f"{entry['measure']}{about} {sign} {bound}"


def _lines(project: Document) -> list[tuple[str, str]]:
    found = []
    for key, value in project.items():
        if key == "measures":
            found += [(key, _requirement(entry)) for entry in value]
        elif isinstance(value, dict):
            found += [(key, f"{name}: {_plain(entry)}") for name, entry in value.items()]
        else:
            found.append((key, _plain(value)))
    return found


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
