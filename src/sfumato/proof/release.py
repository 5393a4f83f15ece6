"""The verb of releases: a project file from end to end, into one folder that proves itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.errors import InfeasiblePolicy, MissingRole, OutputError, ProjectError
from sfumato.outputs import whole_folder, write_text
from sfumato.plans.apply import sources_of
from sfumato.plans.decided_columns import Decisions, said_of_columns
from sfumato.plans.kept_files import FOLDER, write_kept
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.meaning_of_columns import loaded
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.project.context.result import Context
from sfumato.project.file import Project
from sfumato.proof.package.folder import REPORT, Manifest, add_manifest, claims_of, report_mark
from sfumato.proof.report.make_report import report as report_of
from sfumato.proof.report.page import report_page
from sfumato.schema import Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise_with_settings
from sfumato.search.make_release import make_planned_release
from sfumato.search.prepare import Source, prepare
from sfumato.search.request import search_request
from sfumato.tables.engine import Engine
from sfumato.tables.source import Extract, ReadOptions


@dataclass(frozen=True)
class ReleaseFolder:
    """What was released: the folder, what is in it, and how it came about."""

    folder: Path
    anonymised: Anonymised
    manifest: Manifest
    kept: tuple[Path, ...] = ()  # files that list values of the original, and are no part of the folder

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the folder, by name."""
        return tuple(sorted(path.name for path in self.folder.iterdir()))


def release(
    project: Project | str | Path,
    out: str | Path,
    *,
    name: str = "released.csv",
    keep: str | Path | None = None,
    key: str | Path | None = None,
    report: bool = True,
    overwrite: bool = False,
    secrets: Mapping[str, str | Path] | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> ReleaseFolder:
    """Run a project file from end to end, and write one folder: release, plan, evidence and manifest; or nothing.

    With `anonymise` in the file, or without a plan, the release is searched; otherwise it is what the plan makes. A
    release that does not keep to the measures is refused. `key` signs the manifest; `report` adds report.html.

    The folder may be handed on as it is. Files that list values of the original (hierarchies, what combinations of
    values become) are written to `keep`, a folder of the steward's: `kept` beside the project file if none is named.
    """
    known = project if isinstance(project, Project) else Project.read(project)
    target = Path(out)
    kept = Path(keep) if keep is not None else Path(known.path).parent / FOLDER
    _check(known, target, overwrite=overwrite)
    _check_kept(kept, target)
    anonymised = _anonymised(known, secrets or {}, options, engine, tell)
    if not anonymised.met:
        raise _refused(anonymised)
    anonymised = replace(anonymised.handed_on(), open=(*anonymised.open, *Context.of(known).open))
    protect = [*sources_of(known.source, anonymised.plan), Path(known.path).resolve()]
    tell("Writing the package")
    with whole_folder(target) as folder:
        replace(anonymised, files={}).write(folder, name, protect=protect, tell=tell)
        if report:
            _write_report(anonymised, known, folder, tell)
        manifest = add_manifest(folder, claims_of(folder, anonymised.assessment), key)
        write_kept(kept, anonymised.files)
    return ReleaseFolder(target, anonymised, manifest, tuple(kept / file for file in manifest.claims["kept"]))


def _anonymised(
    known: Project, secrets: Mapping[str, str | Path], options: ReadOptions | None, engine: Engine | None, tell: Tell
) -> Anonymised:
    extract = loaded(known.source, known, options, engine)
    _check_decided(known, extract)
    source = Source(extract, known, secrets=secrets)
    if not known.has_plan or known.anonymise:
        return anonymise_with_settings(source, Question(), {}, tell=tell)
    ready = prepare(source, Question(), tell)
    return make_planned_release(ready, search_request(ready), tell=tell)


def _write_report(anonymised: Anonymised, known: Project, folder: Path, tell: Tell) -> None:
    """Write the report of a release, which says in its head of which it is."""
    report = report_of(anonymised=anonymised, project=known, tell=tell)
    write_text(folder / REPORT, report_page(report, head=f"{report_mark(folder)}\n"))


def _check(known: Project, target: Path, *, overwrite: bool) -> None:
    """What must be decided before anything is read."""
    if known.source is None:
        raise ProjectError(known.path, "there is no `data: source:`, so there is nothing to release.")
    if known.proposed:
        number = len(known.proposed)
        raise ProjectError(
            known.path,
            f"the role of {number} column{'s are' if number > 1 else ' is'} only proposed. Decide, and delete "
            f"`proposed: true`: a release stands on roles that a person has confirmed.",
        )
    if not any(attribute.role is Role.QUASI for attribute in known.attributes):
        raise MissingRole(Role.QUASI, "A release")
    if target.exists() and not overwrite:
        raise OutputError(f"{target} exists already. Use --force to replace it, or --out to write another folder.")
    if target.exists() and not (target / "manifest.json").is_file() and any(target.iterdir()):
        raise OutputError(
            f"{target} holds something else than a release, so it is not replaced. Choose another folder."
        )


def _check_decided(known: Project, extract: Extract) -> None:
    """Refuse while there is a column that nobody decided about, and say what `identify` says of each."""
    plan = read_plan(known.path) if known.has_plan else None
    columns = Decisions.of(known, Question(), plan).undecided(extract.table.columns)
    if not columns:
        return
    said = "".join(f"\n  {line}" for line in said_of_columns(extract, columns))
    number = f"{len(columns)} column{'s have' if len(columns) > 1 else ' has'}"
    raise ProjectError(
        known.path,
        f"{number} no role that somebody decided, so nothing was released. `identify` says:{said}\n"
        f"Give each a role under `columns:` (direct, quasi, sensitive or non-sensitive), or leave it out with a step "
        f"`drop`. `sfumato identify -p {known.path} --write` adds them as proposals.",
    )


def _check_kept(kept: Path, target: Path) -> None:
    """What is kept must not be handed on with the package."""
    if target.resolve() in (kept.resolve(), *kept.resolve().parents):
        raise OutputError(
            f"{kept} would be part of the package {target}, and what is written there is not to be handed on. Choose "
            f"another folder with --keep or --out."
        )


def _refused(anonymised: Anonymised) -> InfeasiblePolicy:
    """The error of a release that does not keep to its measures, and what would help."""
    broken = [
        f"{reading.measure} is {reading.value:.4g}, and {reading.bound:g} is required"
        for reading in anonymised.content().readings
        if reading.met is False and reading.value is not None
    ]
    helps = (
        "Add `anonymise:` to the project file: the search goes on from what the plan leaves.",
        "`sfumato explore` shows which bounds can be met, and what each costs.",
    )
    return InfeasiblePolicy(f"Nothing was released: {'; '.join(broken) or 'a requirement is not met'}.", helps)
