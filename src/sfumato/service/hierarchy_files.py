"""Hierarchy files: a hierarchy that somebody edited, kept as a file of the project that the project file names."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from sfumato.errors import TooLarge
from sfumato.hierarchies.builders.from_file import hierarchy_in, hierarchy_text
from sfumato.outputs import file_name
from sfumato.project.file.hierarchy_line import column_lines, with_hierarchy
from sfumato.project.file.yaml_file import read_yaml
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion
from sfumato.service.permissions import Act
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.service import Service
from sfumato.service.versions import Require, file_of, replace_files, version

LARGEST = 5_000_000  # bytes of a hierarchy: a hundred thousand values with five levels


def name_of(column: str) -> str:
    """The file of a column's hierarchy."""
    return f"hierarchy_{file_name(column)}.csv"


def keep_hierarchy(
    service: Service, caller: Caller, project: str, column: str, text: str, *, require: Require
) -> ProjectVersion:
    """Write a hierarchy into a file of the project, and its name into the project file, as one new version."""
    require_size(len(text.encode()))
    content = hierarchy_text(hierarchy_in(text, name_of(column)))
    known = version(service, caller, project, 0)
    files = {name: service.storage.read(stored) for name, stored in known.files.items()}
    said = with_hierarchy(files[PROJECT_FILE].decode("utf-8-sig"), column, name_of(column), PROJECT_FILE)
    changed = {**files, name_of(column): content.encode(), PROJECT_FILE: said.encode()}
    message = f"Hierarchy of {column}"[:1000]
    return replace_files(service, caller, project, changed, require=require, message=message)


def lines_and_command(
    service: Service, caller: Caller, project: str, column: str, built: Mapping[str, Any]
) -> tuple[str, str]:
    """What keeping a hierarchy writes into the project file, and the command that builds it; `built` says how."""
    text = file_of(service, caller, project, 0, PROJECT_FILE).decode("utf-8-sig")
    said = with_hierarchy(text, column, name_of(column), PROJECT_FILE)
    source = (read_yaml(text, PROJECT_FILE).value.get("data") or {}).get("source", "")
    kind = [f"--kind={built['kind']}"] if built.get("kind") else []
    given = [f"--set={name}={value}" for name, value in (built.get("parameters") or {}).items()]
    words = ["sfumato", "hierarchy", *kind, *given, f"--out={name_of(column)}", "--", str(source), column]
    return column_lines(said, column, PROJECT_FILE), shlex.join(words)


def take_out(service: Service, caller: Caller, project: str, column: str) -> None:
    """Write down that somebody takes out a hierarchy: it lists the values of its column."""
    with service.act(caller, Act.ROWS_VIEW, project=project, file=name_of(column)[:200]):
        pass


def require_size(size: int) -> None:
    """Refuse more bytes than a hierarchy may have."""
    if size > LARGEST:
        raise TooLarge(f"A hierarchy has {LARGEST:,} bytes at the most.")
