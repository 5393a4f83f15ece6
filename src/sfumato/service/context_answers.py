"""The context of a release as its project file says it: read with what follows, and written as a new version.

Only the part `context` of the file is written anew, as `sfumato context --ask` does it; all else stays byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from sfumato.errors import NotKnown, SfumatoError
from sfumato.project.context.file import with_context
from sfumato.project.context.result import Context
from sfumato.project.file import Project
from sfumato.project.file.yaml_file import read_yaml
from sfumato.project.recipient.answers import read_answers, template
from sfumato.service.caller import Caller
from sfumato.service.entities import ProjectVersion, Run
from sfumato.service.permissions import Act
from sfumato.service.project_files import PROJECT_FILE, WrongProjectFile
from sfumato.service.requests import read_request
from sfumato.service.run_commands import DOCUMENT
from sfumato.service.run_queue import RunState
from sfumato.service.run_results import files_of
from sfumato.service.seen_state import unchanged
from sfumato.service.service import Deed, Service
from sfumato.service.versions import Require, put_file, replace_files, version
from sfumato.service.work_folder import version_of, write_files
from sfumato.show.documents.context import ContextDocument
from sfumato.temporary import scratch

VERB = "context"
RECIPIENT = "recipient.yaml"  # the file with the answers about the recipient, as requests name it


@dataclass(frozen=True)
class MeasuredPlace:
    """Where a run of `context` has put the release in the matrix, with the risk of the table; and of which version."""

    run: str
    version: int
    matrix: Mapping[str, Any]


@dataclass(frozen=True)
class ProjectContext:
    """The answers of the newest version, what follows from them, and the hash of the version that they stand in."""

    version: int
    hash: str
    answers: Mapping[str, Any]
    columns: tuple[str, ...]
    document: ContextDocument
    recipient: Mapping[str, str | float]  # the fifteen answers about the recipient, where a file has them
    text: str  # of the project file
    measured: MeasuredPlace | None

    def lines(self, key: str) -> str:
        """The lines of the project file that say something of one part; nothing where there are none yet."""
        known = read_yaml(self.text, PROJECT_FILE).lines
        first = known.get(("context", key))
        if first is None:
            return ""
        later = [line for path, line in known.items() if len(path) <= 2 and line > first]
        text = self.text.splitlines()[first - 1 : min(later, default=len(self.text.splitlines()) + 1) - 1]
        said = [line for line in text if line.strip() and not line.lstrip().startswith("#")]
        return "\n".join(["context:", *said]) + "\n"


def project_context(service: Service, caller: Caller, project: str) -> ProjectContext:
    """The context of the newest version of a project."""
    with service.act(caller, Act.VERSION_READ, project=project) as deed:
        if not deed.project.current:
            raise NotKnown("the project file: upload a table first, or write one")
        newest = version_of(deed.session, deed.project, deed.project.current)
        known, text = _read(service, newest)
        return ProjectContext(
            version=newest.number,
            hash=newest.hash,
            answers=dict(known.context),
            columns=tuple(attribute.name for attribute in known.attributes),
            document=_context(service, newest),
            recipient=_recipient(service, newest, known),
            text=text,
            measured=_measured(service, deed),
        )


def answer_context(
    service: Service, caller: Caller, project: str, changes: Mapping[str, Any], *, require: Require
) -> ProjectVersion:
    """Write answers into the project file: a new version. What is not named stays as it was answered."""
    before = project_context(service, caller, project)
    require(before.hash)
    try:
        text = with_context(before.text, {**before.answers, **changes}, PROJECT_FILE, _named(before))
    except SfumatoError as error:
        raise WrongProjectFile(str(error)) from None
    words = f"Context: {', '.join(sorted(changes))}"
    return put_file(service, caller, project, PROJECT_FILE, text.encode(), require=require, message=words)


def take_recipient_answers(service: Service, caller: Caller, project: str, request: str) -> ProjectVersion:
    """Write the answers of a request about its recipient beside the project file, which names them from then on."""
    policy, before = read_request(service, caller, project, request).policy, project_context(service, caller, project)
    if policy is None:
        raise NotKnown("the answers about the recipient")
    words = "The recipient's answers, from a request"
    return _graded(service, caller, project, before, policy.answers_file, words)


def answer_recipient(
    service: Service, caller: Caller, project: str, answers: Mapping[str, Any], *, require: Require
) -> ProjectVersion:
    """Write the fifteen answers about the recipient beside the project file, which names them from then on."""
    before = project_context(service, caller, project)
    require(before.hash)
    try:
        text = template(read_answers(answers))
    except SfumatoError as error:
        raise WrongProjectFile(str(error)) from None
    return _graded(service, caller, project, before, text, "The recipient's answers")


def _graded(  # noqa: PLR0917
    service: Service, caller: Caller, project: str, before: ProjectContext, answers: str, words: str
) -> ProjectVersion:
    """The version whose recipient is the one of a file of answers; all other files stay."""
    text = with_context(before.text, {**before.answers, "recipient": RECIPIENT}, PROJECT_FILE, _named(before))
    kept = version(service, caller, project, before.version).files
    others = {name: service.storage.read(content) for name, content in kept.items()}
    written = {PROJECT_FILE: text.encode(), RECIPIENT: answers.encode()}
    require = unchanged(before.hash)
    return replace_files(service, caller, project, {**others, **written}, require=require, message=words)


def _named(before: ProjectContext) -> tuple[str, ...]:
    """The columns of which the file says something: no line is added for the others."""
    return tuple(before.answers.get("benefits") or ())


def _read(service: Service, version: ProjectVersion) -> tuple[Project, str]:
    text = service.storage.read(version.files[PROJECT_FILE]).decode()
    return Project.parse(text, PROJECT_FILE), text


def _context(service: Service, version: ProjectVersion) -> ContextDocument:
    """What follows from the answers; a file with those of the recipient is beside the project file."""
    with scratch() as folder:
        write_files(service, version, folder)
        try:
            return Context.of(Project.read(folder / PROJECT_FILE)).content()
        except SfumatoError as error:
            raise WrongProjectFile(str(error).replace(f"{folder}/", "")) from None


def _recipient(service: Service, newest: ProjectVersion, known: Project) -> Mapping[str, str | float]:
    """The answers of the file that the project names as its recipient, or of the one that lies ready; else none."""
    content = newest.files.get(str(known.context.get("recipient") or "")) or newest.files.get(RECIPIENT)
    if content is None:
        return {}
    try:
        said = read_yaml(service.storage.read(content).decode(), RECIPIENT).value
        return read_answers(said if isinstance(said, dict) else {})
    except (SfumatoError, UnicodeDecodeError):  # what is wrong with it is said where the grade is read
        return {}


def _measured(service: Service, deed: Deed) -> MeasuredPlace | None:
    done = select(Run).where(Run.project == deed.project.handle, Run.verb == VERB, Run.state == RunState.DONE)
    run = deed.session.scalars(done.order_by(Run.handle.desc()).limit(1)).first()
    file = next((one for one in files_of(run) if one.name == DOCUMENT), None) if run is not None else None
    if run is None or file is None or not service.storage.has(file.sha256):
        return None
    return MeasuredPlace(run.handle, run.version, json.loads(service.storage.read(file.sha256))["matrix"])
