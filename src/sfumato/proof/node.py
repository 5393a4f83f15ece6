"""The verb of a node: extracts that came into its inbox are released by the projects that lie on it.

    NODE/inbox/NAME/            extracts of a project, put there by others; they are only read
    NODE/projects/NAME/         sfumato.yaml of the project, its key, its hierarchies
    NODE/releases/NAME/0001/    the package of each release, for the recipient
    NODE/evidence/NAME/0001/    its evidence, which stays
    NODE/log/                   the log of use, and the lock of the run

A run keeps no books of its own: an extract whose hash is in the evidence of a release is done, and all others are new.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from sfumato.bounded_file import file_bytes
from sfumato.canonical import parsed, sha256_of
from sfumato.errors import OutputError, ProjectError, SfumatoError, UnreadableFile, exit_code
from sfumato.outputs import is_plain_name
from sfumato.progress import Tell, of_one, quiet
from sfumato.project.file import Project
from sfumato.proof.package.claims import at
from sfumato.proof.package.folder import PROVENANCE
from sfumato.proof.package.manifest import LARGEST
from sfumato.proof.package.signature import SigningKey
from sfumato.proof.release import ReleaseFolder, release
from sfumato.proof.use_log.entry import logged
from sfumato.secrets import Secrets
from sfumato.show.sheet import counted
from sfumato.tables.engine import Engine
from sfumato.temporary import lock

PROJECT = "sfumato.yaml"
LOCK = "node.lock"
UNFINISHED = (".part", ".partial", ".tmp")  # endings of files that somebody is still writing
DIGITS = 4  # of the number of a release: 0001 sorts before 0010


class ExtractState(StrEnum):
    """What became of an extract."""

    RELEASED = "released"
    REFUSED = "refused"  # no release keeps to the policy
    FAILED = "failed"  # something else is wrong


@dataclass(frozen=True)
class ExtractOutcome:
    """One extract that a run dealt with."""

    project: str
    extract: str
    state: ExtractState
    words: str  # where the release is, or why there is none


@dataclass(frozen=True)
class NodeRun:
    """What a run of a node did."""

    projects: int
    known: int  # extracts that were released before
    outcomes: tuple[ExtractOutcome, ...]

    @property
    def code(self) -> int:
        """With what a run ends: 0 all is released, 1 a policy was not met, 2 something is wrong."""
        states = {outcome.state for outcome in self.outcomes}
        return 2 if ExtractState.FAILED in states else int(ExtractState.REFUSED in states)

    @property
    def words(self) -> str:
        """The run in one sentence."""
        before = f"{counted(self.projects, 'project')}, {counted(self.known, 'extract')} released before"
        if not self.outcomes:
            return f"Nothing new: {before}."
        counts = {state: sum(one.state is state for one in self.outcomes) for state in ExtractState}
        return f"{', '.join(f'{count} {state}' for state, count in counts.items() if count)}; {before}."


@dataclass(frozen=True)
class NodeFolder:
    """The folder of a node."""

    folder: Path

    @property
    def log(self) -> Path:
        """The folder of the log of use."""
        return self.folder / "log"

    def projects(self) -> tuple[str, ...]:
        """The names of the projects, and of folders of the inbox without one; `ProjectError` where this is no node."""
        if not (self.folder / "projects").is_dir():
            problem = "there is no folder `projects` in it, so this is no node. Name the folder of the node."
            raise ProjectError(self.folder, problem)
        named = {path.parent.name for path in (self.folder / "projects").glob(f"*/{PROJECT}")}
        came = {path.name for path in self._folders(self.folder / "inbox")}
        return tuple(sorted(name for name in named | came if is_plain_name(name)))

    def extracts(self, project: str) -> tuple[Path, ...]:
        """The extracts of a project, by name. A link is none: it could lead anywhere on this machine."""
        inbox = self.folder / "inbox" / project
        files = sorted(inbox.iterdir()) if inbox.is_dir() and not inbox.is_symlink() else []
        return tuple(
            path
            for path in files
            if path.is_file()
            and not path.is_symlink()
            and not path.name.startswith((".", "~"))
            and path.suffix.lower() not in UNFINISHED
        )

    def project_file(self, project: str) -> Path:
        """The project file by which the extracts of a project are released."""
        return self.folder / "projects" / project / PROJECT

    def released(self, project: str) -> frozenset[str]:
        """The hashes of the extracts that were released, as the evidence says."""
        return frozenset(map(_input_hash, (self.folder / "evidence" / project).glob(f"*/*{PROVENANCE}")))

    def next_number(self, project: str) -> str:
        """The number of the next release: it says nothing of the extract."""
        taken = (path for part in ("releases", "evidence") for path in self._folders(self.folder / part / project))
        numbers = [int(path.name) for path in taken if path.name.isdecimal()]
        return f"{max(numbers, default=0) + 1:0{DIGITS}}"

    @staticmethod
    def _folders(folder: Path) -> list[Path]:
        return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _input_hash(provenance: Path) -> str:
    """The hash of the extract that a release was made of. What cannot be read may be that of any: nothing is done."""
    try:
        return str(at(parsed(file_bytes(provenance, LARGEST)), "input", "sha256"))
    except (OSError, ValueError):
        problem = "it cannot be read, so it is not known what was released. Put it back from a copy."
        raise UnreadableFile(provenance, problem) from None


def run_node(
    folder: str | Path,
    *,
    sign: SigningKey | None = None,
    secrets: Secrets | None = None,
    engine: Engine | None = None,
    report: bool = True,
    tell: Tell = quiet,
) -> NodeRun:
    """Release every new extract in the inbox of a node by its project, and log each; one run at a time.

    An extract whose release does not keep to the policy is not released, and neither is one that cannot be read; the
    others are, and the next run tries again.
    """
    node = NodeFolder(Path(folder))
    names = node.projects()
    outcomes: list[ExtractOutcome] = []
    known = 0
    made = partial(release, key=sign, secrets=secrets, engine=engine, report=report)
    with _alone(node):
        for name in names:
            done = node.released(name)
            for extract in node.extracts(name):
                if sha256_of(extract) in done:
                    known += 1
                    continue
                outcomes.append(_released(node, name, extract, made, partial(of_one, name, tell)))
                done = node.released(name)  # the same content under two names is released once
    return NodeRun(len(names), known, tuple(outcomes))


def _released(
    node: NodeFolder, name: str, extract: Path, made: Callable[..., ReleaseFolder], tell: Tell
) -> ExtractOutcome:
    path, number = node.project_file(name), node.next_number(name)
    package, stays = (node.folder / part / name / number for part in ("releases", "evidence"))
    try:
        with logged("node", path, inputs=[extract], folder=node.log) as use:
            try:
                project = replace(Project.read(path), source=str(extract))
                for folder in (package, stays):
                    folder.parent.mkdir(parents=True, exist_ok=True)
                written = made(project, package, evidence=stays, tell=tell)
            except SfumatoError as error:
                use.because(str(error))
                raise
            use.wrote(package)
            solution = written.anonymised.solution
            use.note(
                written.anonymised.verdict.words, records=solution.records, suppressed=solution.suppressed, met=True
            )
    except SfumatoError as error:
        state = ExtractState.REFUSED if exit_code(error) == 1 else ExtractState.FAILED
        return ExtractOutcome(name, extract.name, state, str(error))
    except OSError as error:
        raise OutputError(f"{node.folder}: the release was not written ({error.strerror}).") from None
    return ExtractOutcome(name, extract.name, ExtractState.RELEASED, str(package.relative_to(node.folder)))


@contextmanager
def _alone(node: NodeFolder) -> Iterator[None]:
    """Be the only run of a node; a second one is an `OutputError`, since it would release the same once more."""
    try:
        node.log.mkdir(mode=0o700, exist_ok=True)
        file = os.open(node.log / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise OutputError(f"{node.log} cannot be written ({error.strerror}), so nothing was done.") from None
    try:
        try:
            lock(file, within=0)
        except BlockingIOError:
            raise OutputError(f"Another run of {node.folder} is going on, so this one did nothing.") from None
        yield
    finally:
        os.close(file)  # which gives the lock back


def outcome_lines(run: NodeRun) -> Sequence[tuple[ExtractState, str]]:
    """A line on each extract. A reason of several lines stays one message."""
    return [(one.state, f"{one.project}: {one.extract} {one.state}: {one.words}") for one in run.outcomes]
