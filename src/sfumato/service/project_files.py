"""The files of a project: which names they may have, how large they are, and what the project file may say here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.errors import ServiceRefusal, SfumatoError, TooLarge, shown
from sfumato.outputs import is_plain_name
from sfumato.plans.plan_file import read_plan
from sfumato.project.file import Project
from sfumato.temporary import scratch

PROJECT_FILE = "sfumato.yaml"
ENDINGS = (".yaml", ".yml", ".json", ".csv", ".tsv", ".txt", ".md")
MOST_FILES = 500
MOST_PROJECT_BYTES = 2_000_000  # of the project file: it is read when it is saved, and a thousand columns take 200 kB
ALLOW = re.compile(r"\. Put what is needed beside this file, or allow the place: .*", re.DOTALL)


class WrongFile(ServiceRefusal):
    """A file that a project cannot have."""

    status, kind = 422, "wrong-file"


class WrongProjectFile(ServiceRefusal):
    """A project file that cannot be read, or says what it may not say here; in the words of the command line."""

    status, kind = 422, "wrong-project-file"


def require_file_name(name: str) -> None:
    """Refuse what is no plain name of a file, or of a file of another kind."""
    if not is_plain_name(name) or len(name) > 200 or not name.lower().endswith(ENDINGS):
        raise WrongFile(
            f"{shown(name)} is no name of a file that a project may have: a plain name without a folder, which ends "
            f"in {', '.join(ENDINGS)}."
        )


def require_names(names: Iterable[str], taken: Iterable[str]) -> None:
    """Refuse names of which two are one on some system, and those that sources have."""
    known = {name.casefold() for name in taken}
    for name in names:
        if name.casefold() in known:
            raise WrongFile(f"There is a file or a source of the name {shown(name)} already.")
        known.add(name.casefold())


def require_sizes(sizes: Mapping[str, int], most: int) -> None:
    """Refuse more files, and more bytes, than a project may have."""
    if len(sizes) > MOST_FILES:
        raise TooLarge(f"A project has {MOST_FILES} files at the most.")
    if sum(sizes.values()) > most:
        raise TooLarge(f"The files of a project have {most:,} bytes at the most (project_files_bytes).")
    if sizes.get(PROJECT_FILE, 0) > MOST_PROJECT_BYTES:
        raise TooLarge(f"{PROJECT_FILE} has {MOST_PROJECT_BYTES:,} bytes at the most.")


def check_project_file(content: bytes) -> None:
    """Refuse a project file that the command line would not read, or that names anything but files of the project.

    A source is named by its plain name; paths, addresses and queries come from nobody.
    """
    with scratch() as folder:
        file = folder / PROJECT_FILE
        file.write_bytes(content)
        try:
            project = Project.read(file)
            plan = read_plan(file) if project.has_plan else None
        except SfumatoError as error:
            # Where a path leads to on this machine is told to nobody.
            words = ALLOW.sub(".", str(error)).replace(f"{folder}/", "").replace(str(folder), ".")
            raise WrongProjectFile(words) from None
        _require_handles(project, folder)
        for place in (place for step in (plan.steps if plan else ()) for place in step.transformation.places()):
            _require_within(project, place, folder, "plan")


def _require_handles(project: Project, folder: Path) -> None:
    data = project.file.value.get("data") or {}
    if "source" in data and not is_plain_name(str(data["source"])):
        raise _wrong(project, "is the plain name of a source that was registered or uploaded here", "data", "source")
    if data.get("query") is not None:
        raise _wrong(project, "is not taken here: name a table, or register one of a connection", "data", "query")
    for key, place in _places(project):
        _require_within(project, place, folder, *key)


def _places(project: Project) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The places that a project file names besides its source."""
    for attribute in project.attributes:
        if isinstance(attribute.hierarchy, str):
            yield ("columns", attribute.name, "hierarchy"), attribute.hierarchy
    yield ("anonymise", "hierarchies"), project.anonymise.get("hierarchies")
    yield ("population", "table"), project.population.get("table")
    recipient = project.context.get("recipient")
    if recipient is not None and str(recipient).lower() not in ("high", "middle", "low"):
        yield ("context", "recipient"), recipient


def _require_within(project: Project, place: Any, folder: Path, *key: str) -> None:
    """What the server is allowed to read (SFUMATO_ALLOW) a project is not."""
    if place is None:
        return
    beside = "://" not in str(place) and (folder / str(place)).resolve().is_relative_to(folder.resolve())
    if not beside:
        raise _wrong(project, "names a file of the project, by its plain name", *key)


def _wrong(project: Project, words: str, *key: str) -> WrongProjectFile:
    return WrongProjectFile(f"{PROJECT_FILE}, line {project.line_of(*key)}: `{': '.join(key)}` {words}.")
