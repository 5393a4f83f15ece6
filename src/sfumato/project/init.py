"""The verb of the project file: write the first version of one, which may begin with a preset."""

from __future__ import annotations

import re
from pathlib import Path

from sfumato.errors import OutputError
from sfumato.outputs import write_text
from sfumato.project.file import Project, project_template, relative_source, with_proposals
from sfumato.project.places import allowing
from sfumato.project.presets import Preset, preset_named
from sfumato.schema import Role
from sfumato.tables.load import load
from sfumato.tables.source import ReadOptions


def init_project(
    source: str, path: Path, options: ReadOptions, *, preset: str | None = None, overwrite: bool = False
) -> int:
    """Write a commented first project file for a source; the number of its columns.

    With a preset, the columns that the preset knows get its roles, as proposals.
    """
    chosen = preset_named(preset) if preset is not None else None
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already. Use --force to overwrite it, or --out to write another file.")
    extract = load(source, options)
    text = project_template(extract, relative_source(path, source))
    if chosen is not None:
        known = chosen.project.get("columns") or {}
        here = {column.name for column in extract.columns}
        roles = {column: Role(entry["role"]) for column, entry in known.items() if column in here}
        with allowing(source):
            text = with_proposals(_with_preset(text, chosen), roles, path)
            Project.parse(text, path)  # before anything is written
    write_text(path, text, overwrite=overwrite)
    return len(extract.columns)


def _with_preset(text: str, chosen: Preset) -> str:
    """A first project file that leaves to a preset what the preset says: what it requires stands there as comments."""
    if "missing_values" in chosen.project:
        text = re.sub(r"^missing_values:.*\n", "", text, count=1, flags=re.MULTILINE)
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
    head, mark, _ = text.rpartition("\nmeasures:\n")  # the template ends with them
    return (f"{head}\n" if mark else text) + "\n".join(lines) + "\n"


def _of(entry: dict[str, object]) -> str:
    sensitive = entry.get("sensitive")
    return "" if sensitive is None else f" of {'every sensitive column' if sensitive == '*' else sensitive}"
