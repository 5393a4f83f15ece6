"""A study from end to end: its pilots assessed and, by their project files, released with the study's own files.

One folder holds all of it: the package of each pilot, and beside it the evidence, in which the risky rows and the
summary of the study stand with the rest.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sfumato.canonical import parsed
from sfumato.errors import InfeasiblePolicy, ProjectError
from sfumato.progress import Tell, of_one, quiet
from sfumato.project.file import Project
from sfumato.proof.package.signature import SigningKey
from sfumato.proof.release import STAYS, ReleaseFolder, release
from sfumato.secrets import Secrets
from sfumato.studies.bio_streams.study import COMBINED, Study
from sfumato.studies.study import JOINT, JointResult, StudyResult, assess_pilot, assess_pilots
from sfumato.tables.engine import Engine


@dataclass(frozen=True)
class StudyRelease:
    """Where the pilots of a study are released to, and how."""

    folder: Path
    sign: SigningKey | None = None
    secrets: Secrets | None = None
    report: bool = True
    overwrite: bool = False

    def project_of(self, study: Study) -> Project:
        """The project that releases a pilot: there must be one, and for the data that the study combines."""
        if study.project is None:
            raise ProjectError(study.folder, "a release needs a project file. Name it with --project.")
        combined = study.output / COMBINED
        source = study.project.source
        if source is None or Path(source).resolve() != combined.resolve():
            problem = f"its `data: source:` is not {combined}, which the study writes, so nothing was released."
            raise ProjectError(study.project.path, problem, line=study.project.line_of("data", "source"))
        return study.project

    def of(
        self, result: StudyResult, project: Project, engine: Engine | None, tell: Tell, joint: Sequence[Path] = ()
    ) -> ReleaseFolder:
        """The package of a pilot; its evidence holds what the study wrote, but for the combined data themselves.

        `joint` are the files that are about all pilots.
        """
        pilot = result.study.pilot
        own = [*(file for file in result.files if file.name != COMBINED), *joint]
        return release(
            project, self.folder / pilot, evidence=self.folder / f"{pilot}{STAYS}", key=self.sign,
            secrets=self.secrets, report=self.report, overwrite=self.overwrite, beside=own, engine=engine, tell=tell,
        )  # fmt: skip


@dataclass(frozen=True)
class StudyOutcome:
    """What a study found in its pilots, what was released, and why a pilot was not."""

    results: tuple[StudyResult, ...]
    files: tuple[Path, ...]
    summary: str
    packages: tuple[ReleaseFolder, ...] = ()
    refusals: tuple[str, ...] = ()
    released: bool = False  # whether releases were asked for

    @property
    def met(self) -> bool:
        """Whether every pilot keeps to what is asked of it; where releases were asked for, whether each was made."""
        if self.released:
            return not self.refusals
        return all(one.assessment.met is not False for one in self.results)

    @property
    def records(self) -> int:
        """The children of all pilots."""
        return sum(one.assessment.records for one in self.results)

    @property
    def flagged(self) -> int:
        """Those of them who are at risk by any measure."""
        return sum(one.assessment.overlap.any for one in self.results)

    @property
    def verdict(self) -> str:
        """One sentence for the log: pilots by name, and counts."""
        counted = (
            f"{one.study.pilot}: {one.assessment.overlap.any} of {one.assessment.records} records at risk"
            for one in self.results
        )
        refused = f"; {len(self.refusals)} of {len(self.results)} pilots not released" if self.refusals else ""
        return f"{'; '.join(counted)}{refused}."

    def to_json(self) -> str:
        """The assessment of the pilot; of several, by name."""
        if len(self.results) == 1:
            return self.results[0].assessment.to_json()
        documents = {one.study.pilot: parsed(one.assessment.to_json().encode()) for one in self.results}
        return json.dumps(documents, indent=2, ensure_ascii=False) + "\n"


def assess_and_release(
    studies: Sequence[Study],
    releases: StudyRelease | None = None,
    *,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> StudyOutcome:
    """Assess pilots, with a joint summary where there are several, and release each by its project where that is asked.

    A pilot whose release does not keep to its policy is not released, and the others are.
    """
    projects = [releases.project_of(study) for study in studies] if releases is not None else []
    if len(studies) == 1:
        one = assess_pilot(studies[0], engine=engine, tell=tell)
        joint = JointResult((one,), one.files, one.summary)
    else:
        joint = assess_pilots(studies, engine=engine, tell=tell)
    if releases is None:
        return StudyOutcome(joint.pilots, joint.files, joint.summary)
    packages, refusals = [], []
    of_all = [file for file in joint.files if file.name == JOINT]
    for result, project in zip(joint.pilots, projects, strict=True):
        try:
            packages.append(releases.of(result, project, engine, partial(of_one, result.study.pilot, tell), of_all))
        except InfeasiblePolicy as refusal:
            refusals.append(f"{result.study.pilot}: {refusal}")
    return StudyOutcome(joint.pilots, joint.files, joint.summary, tuple(packages), tuple(refusals), released=True)
