"""A project file with the requirements and settings of a preset behind it: what the file says goes before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sfumato.errors import ProjectError
from sfumato.project.file.yaml_file import Path, YamlFile
from sfumato.project.presets import preset_named

EACH = "*"  # in a preset: every sensitive column of the file
# What says how a column came by its role, and nothing of how it is read.
ABOUT_THE_ROLE = frozenset({"role", "proposed", "decided_by", "decided_on", "reason"})


def with_preset(file: YamlFile, name: str, path: object) -> YamlFile:
    """What a valid file and a preset say together; whatever comes from the preset stands on the line that names it."""
    line = file.line_of(("preset",))
    try:
        behind = preset_named(name).project
    except ProjectError as error:
        raise ProjectError(path, str(error).replace("presets:", "preset:", 1), line=line) from None
    said: dict[str, Any] = file.value
    columns = {column: entry or {} for column, entry in (said.get("columns") or {}).items()}
    own = said.get("measures") or []
    more = [entry for entry in _measures(behind, columns) if _about(entry) not in map(_about, own)]
    merged = said | {
        "columns": {column: _column(entry, behind, column) for column, entry in columns.items()},
        "measures": [*own, *more],
    }
    subject = behind.get("subject")
    if subject in columns and said.get("subject") is None:
        merged["subject"] = subject
    for key in ("missing_values", "anonymise", "context"):
        merged[key] = _first(said.get(key), behind.get(key))
    lines: dict[Path, int] = {("measures", len(own) + i): line for i in range(len(more))}
    return replace(file, value=merged, lines={**lines, **file.lines})


def _measures(behind: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The requirements of a preset on these columns; what is asked of every sensitive one, for each of them."""
    sensitive = [column for column, entry in columns.items() if entry.get("role") == "sensitive"]
    entries = behind.get("measures") or []
    named = [_about(entry) for entry in entries]
    for entry in entries:
        if entry.get("sensitive") == EACH:
            each = ({**entry, "sensitive": column} for column in sensitive)
            yield from (one for one in each if _about(one) not in named)
        elif "sensitive" not in entry or entry["sensitive"] in sensitive:
            yield entry


def _about(entry: Mapping[str, Any]) -> tuple[Any, Any]:
    """What a requirement is about, whatever its bound."""
    return entry.get("measure"), entry.get("sensitive")


def _column(entry: dict[str, Any], behind: Mapping[str, Any], column: str) -> dict[str, Any]:
    """A column as the preset reads it, where the file says no more than the same role."""
    known = (behind.get("columns") or {}).get(column, {})
    same = entry.get("role") == known.get("role") and not {*entry} - ABOUT_THE_ROLE
    return {**known, **entry} if same else entry


def _first(said: Any, behind: Any) -> Any:
    """What is said, and beneath it, key by key, what stands behind it."""
    if isinstance(said, Mapping) and isinstance(behind, Mapping):
        return {key: _first(said.get(key), behind.get(key)) for key in (*said, *(k for k in behind if k not in said))}
    return behind if said is None else said
