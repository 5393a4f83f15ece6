"""A source that has just come: the first one makes the project file, and the table is read at once."""

from __future__ import annotations

from contextlib import suppress

from sfumato.errors import Conflict, Stale
from sfumato.project.file.section_edits import with_section
from sfumato.service.caller import Caller
from sfumato.service.entities import RegisteredSource, Run
from sfumato.service.project_files import PROJECT_FILE
from sfumato.service.project_text import edit_project_text, first_project_text, project_text
from sfumato.service.runs import RunWanted, start
from sfumato.service.service import Service
from sfumato.service.table_overview import VERB


def take_up_source(service: Service, caller: Caller, project: str, source: RegisteredSource) -> Run | None:
    """Let a project that has none be about a new source, and have it read; None where it is about another one."""
    known = project_text(service, caller, project)
    if known.text.strip():
        return read_anew(service, caller, project) if known.source == source.name else None
    with suppress(Stale):  # somebody else was first: theirs is as good
        edit_project_text(
            service, caller, project, lambda _nothing: first_project_text(source.name), since=known.hash,
            message=f"The table {source.name}",
        )  # fmt: skip
    return read_anew(service, caller, project)


def use_source(service: Service, caller: Caller, project: str, source: RegisteredSource, *, since: str) -> Run:
    """Let the project file be about another source, or another table of it, and have it read."""

    def named(text: str) -> str:
        return with_section(text, "data", {"source": source.name}, PROJECT_FILE)

    edit_project_text(service, caller, project, named, since=since, message=f"The table {source.name}")
    return read_anew(service, caller, project)


def choose_table(service: Service, caller: Caller, project: str, table: str, *, since: str) -> Run:
    """Name the one table that is meant, of a source that has several."""

    def named(text: str) -> str:
        known = project_text(service, caller, project).project
        data = dict((known.file.value or {}).get("data") or {}) if known else {}
        return with_section(text, "data", {**data, "table": table}, PROJECT_FILE)

    edit_project_text(service, caller, project, named, since=since, message=f"The table {table}")
    return read_anew(service, caller, project)


def read_anew(service: Service, caller: Caller, project: str) -> Run:
    """Start the run that reads the table and gathers the evidence on its columns."""
    if not project_text(service, caller, project).text.strip():
        raise Conflict("There is no table yet. Bring one in first.")
    return start(service, caller, project, RunWanted(VERB, {}))
