"""The verbs of a first project file: a commented one, and one that begins with a preset."""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.errors import OutputError
from sfumato.outputs import write_text
from sfumato.project.file import Project, first_version, seen_from, with_proposals
from sfumato.project.presets import Preset, preset
from sfumato.schema import Role
from sfumato.tables.load import load
from sfumato.tables.source import ReadOptions


def first_project(source: str, path: Path, options: ReadOptions, *, overwrite: bool = False) -> int:
    """Write a commented first project file for a source; the number of columns found."""
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already. Use --force to overwrite it, or --out to write another file.")
    extract = load(source, options)
    write_text(path, first_version(extract, seen_from(path, source)))
    return len(extract.columns)


def first_project_with(name: str, source: str, path: Path, options: ReadOptions, *, overwrite: bool = False) -> int:
    """Write a commented first project file with a preset; the number of columns found.

    The columns that the preset knows get its roles, as proposals.
    """
    chosen = preset(name)
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already. Use --force to overwrite it, or --out to write another file.")
    extract = load(source, options)
    text = with_preset_named(first_version(extract, seen_from(path, source)), chosen)
    here = {column.name for column in extract.columns}
    known = chosen.project.get("columns") or {}
    roles = {column: Role(entry["role"]) for column, entry in known.items() if column in here}
    text = with_proposals(text, roles, path)
    Project.parse(text, path)  # before anything is written
    write_text(path, text)
    return len(extract.columns)


def with_preset_named(text: str, chosen: Preset) -> str:
    """A first project file that leaves to a preset what the preset says."""
    if "missing_values" in chosen.project:
        text = re.sub(r"^missing_values:.*\n", "", text, count=1, flags=re.MULTILINE)
    measures = _commented(chosen)
    head, found, _ = text.rpartition("\nmeasures:\n")
    return f"{head}\n{measures}" if found else text + measures


def _commented(chosen: Preset) -> str:
    """The key of the preset, and what it requires as comments."""
    required = [
        f"#   {entry['measure']}{_of(entry)}: {bound} {entry[bound]}"
        for entry in chosen.project.get("measures") or []
        for bound in ("at_least", "at_most")
        if bound in entry
    ]
    lines = [
        f"# {chosen.title}. `sfumato presets {chosen.name}` shows every threshold and its source.",
        f"preset: {chosen.name}",
        "# It requires:" if required else "# It requires nothing of classes.",
        *required,
        "# What you write under `measures:` goes before it.",
    ]
    return "\n".join(lines) + "\n"


def _of(entry: dict[str, object]) -> str:
    sensitive = entry.get("sensitive")
    return "" if sensitive is None else f" of {'every sensitive column' if sensitive == '*' else sensitive}"
