"""Presets as sheets: all of them, and one with its thresholds and their sources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sfumato.show.documents.presets import PresetDocument, PresetsDocument
from sfumato.show.sheet import Section, Sheet, counted


def presets_sheet(document: PresetsDocument) -> Sheet:
    """The presets, and what each requires."""
    rows = tuple((preset.name, preset.title, _required(preset)) for preset in document.presets)
    return Sheet(
        "Presets",
        f"{counted(len(rows), 'preset')} for `preset:` in a project file.",
        (Section("Presets", ("preset", "what it is", "what it requires"), rows),),
    )


def preset_sheet(document: PresetDocument) -> Sheet:
    """One preset: what it is for, its thresholds with their sources, and what it puts behind a project file."""
    rows = tuple((t.about, t.value, t.source, t.known) for t in document.thresholds)
    sections = (
        Section("What it is for", remarks=(document.description, f"Source: {document.source}")),
        Section("Thresholds", ("about", "value", "source", "how it is known"), rows),
        Section("What it says in a project file", ("key", "value"), tuple(_lines(document.project))),
        Section("What to run", remarks=("sfumato assess", *document.then)),
        Section("What this is", remarks=("Evidence for a qualified decision; not a legal determination.",)),
    )
    return Sheet(f"Preset {document.name}", document.title, sections)


def _required(preset: PresetDocument) -> str:
    return "; ".join(_requirement(entry) for entry in preset.project.get("measures") or []) or "nothing"


def _requirement(entry: Mapping[str, Any]) -> str:
    """A requirement as it is written for `--require`."""
    sensitive = entry.get("sensitive")
    about = "" if sensitive is None else f"({'each sensitive column' if sensitive == '*' else sensitive})"
    sign, bound = (">=", entry["at_least"]) if "at_least" in entry else ("<=", entry["at_most"])
    return f"{entry['measure']}{about} {sign} {bound}"


def _lines(project: Mapping[str, Any]) -> list[tuple[str, str]]:
    lines = []
    for key, value in project.items():
        if key == "measures":
            lines += [(key, _requirement(entry)) for entry in value]
        elif isinstance(value, dict):
            lines += [(key, f"{name}: {_plain(entry)}") for name, entry in value.items()]
        else:
            lines.append((key, _plain(value)))
    return lines


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
