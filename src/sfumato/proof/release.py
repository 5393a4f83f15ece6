"""The verb of releases: a project file from end to end, into a package that leaves and evidence that stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.errors import InfeasiblePolicy, MissingRole, OutputError, ProjectError
from sfumato.outputs import require_plain_name, write_text
from sfumato.plans.apply import sources_of
from sfumato.plans.decided_columns import Decisions, said_of_columns
from sfumato.plans.made_columns import loaded_with_made, plan_of
from sfumato.plans.plan import Plan
from sfumato.plans.unshifted_dates import said_of_unshifted
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.project.context.result import Context, require_selected_for_recipient
from sfumato.project.decided_roles import DECIDE, require_decided_roles
from sfumato.project.file import Project
from sfumato.proof.package.commitments import SALT
from sfumato.proof.package.folder import REPORT, ReleaseEvidence, ReleasePackage, report_mark
from sfumato.proof.package.hand_over import Pages, ReadRelease, hand_over
from sfumato.proof.package.manifest import Manifest
from sfumato.proof.package.signature import SigningKey
from sfumato.proof.purpose_of_columns import PurposeOfColumns
from sfumato.proof.report.make_report import report as report_of
from sfumato.proof.report.page import report_page
from sfumato.proof.report.recipient_report import recipient_report
from sfumato.schema import Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.anonymise import anonymise_with_settings
from sfumato.search.keep_choice import keep_choice
from sfumato.search.make_release import make_planned_release
from sfumato.search.prepare import Source, prepare
from sfumato.search.request import search_request
from sfumato.secrets import KEY_FILE, Secrets
from sfumato.show.sheet import named
from sfumato.tables.engine import Engine
from sfumato.tables.source import Extract, ReadOptions
from sfumato.tables.write.table import writer_of

STAYS = "-evidence"  # after the name of the package: the folder that is not handed on


@dataclass(frozen=True)
class ReleaseFolder:
    """What was released: the folder for the recipient, the evidence that stays, and how both came about."""

    folder: Path
    evidence: Path
    anonymised: Anonymised
    manifest: Manifest
    kept_choice: bool = False  # whether the way that `auto` took was written into the project file

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the package, by name."""
        return tuple(sorted(path.name for path in self.folder.iterdir()))


def release(
    project: Project | str | Path,
    out: str | Path,
    *,
    evidence: str | Path | None = None,
    name: str = "released.csv",
    key: SigningKey | str | Path | None = None,
    report: bool = True,
    overwrite: bool = False,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    options: ReadOptions | None = None,
    beside: Sequence[str | Path] = (),
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> ReleaseFolder:
    """Run a project file from end to end, and write two folders, or nothing: a package and its evidence.

    With `anonymise` in the file, or without a plan, the release is searched; otherwise it is what the plan makes. A
    release that does not keep to the measures is refused. Where the file names no method, the one that loses least is
    taken and written into it. `key` signs the manifest, and where it has a passphrase that is the secret
    `signing_key`; `report` adds the reports.

    The package `out` is for the recipient: the release, what was done, its readings, and commitments to the evidence.
    The `evidence`, `<out>-evidence` if none is named, stays with the steward: the original's hash, the comparison, who
    was left out, and every file that lists values of the original. Only its owner can read it. Files named by `beside`,
    such as those of a study, are copied into it.
    """
    known = project if isinstance(project, Project) else Project.read(project)
    target = Path(out)
    require_plain_name(name)
    writer_of(Path(name))  # a package holds no database, nor any other format than those of releases
    stays = Path(evidence) if evidence is not None else target.with_name(f"{target.resolve().name}{STAYS}")
    _check(known, target, overwrite=overwrite)
    _check_evidence(stays, target, overwrite=overwrite)
    used = Secrets.of(secrets, key_file=key_file, folder=Path(known.path).parent)
    plan = plan_of(known)
    _check_key(known, plan, used)
    sign = SigningKey.read(key, used) if isinstance(key, str | Path) else key  # before long work: it may be closed
    anonymised = _anonymised(known, plan, used, options=options, engine=engine, tell=tell)
    if not anonymised.met:
        raise _refused(anonymised)
    _check_unshifted(known, anonymised)
    kept = keep_choice(known, anonymised)
    known = replace(kept, source=known.source) if kept is not None else known
    unanswered = Context.of(known).open
    anonymised = replace(anonymised, open=(*anonymised.open, *unanswered))
    protect = [*sources_of(known.source, anonymised.plan), Path(known.path).resolve()]
    tell("Writing the package")
    written = hand_over(
        anonymised, target, stays, key=used.key(Path(known.path).parent), name=name, sign=sign, protect=protect,
        pages=_pages(anonymised, known, tell) if report else None, unanswered=unanswered, overwrite=overwrite,
        beside=[Path(file) for file in beside], tell=tell,
    )  # fmt: skip
    return ReleaseFolder(target, stays, anonymised, written.manifest, kept_choice=kept is not None)


def _pages(anonymised: Anonymised, known: Project, tell: Tell) -> Pages:
    """Writes the report for the recipient, and the full one; each says in its head of which release it is."""

    def write(read: ReadRelease, package: Path, evidence: Path) -> None:
        theirs = recipient_report(read)
        head = f"{report_mark(ReleasePackage.read(package))}\n"
        write_text(package / REPORT, report_page(theirs, head=head))
        full = report_of(anonymised=anonymised.handed_on(), project=known, tell=tell)
        head = f"{report_mark(ReleaseEvidence.read(evidence, package / read.document.released.name))}\n"
        write_text(evidence / REPORT, report_page(full, head=head))

    return write


def _anonymised(
    known: Project, plan: Plan, secrets: Secrets, *, options: ReadOptions | None, engine: Engine | None, tell: Tell
) -> Anonymised:
    extract = loaded_with_made(known.source, known, options, engine, plan=plan, watch=True)
    _check_decided(known, plan, extract)
    purpose = PurposeOfColumns.of(known, plan, extract)
    source = Source(extract, known, secrets=secrets, plan=purpose.plan)
    if not known.has_plan or known.anonymise:
        anonymised = anonymise_with_settings(source, purpose.question, purpose.settings, tell=tell)
    else:
        ready = prepare(source, purpose.question, tell)
        anonymised = make_planned_release(ready, search_request(ready), tell=tell)
    return replace(anonymised, open=(*anonymised.open, *purpose.open))


def _check(known: Project, target: Path, *, overwrite: bool) -> None:
    """What must be decided before anything is read."""
    if known.source is None:
        raise ProjectError(known.path, "there is no `data: source:`, so there is nothing to release.")
    require_decided_roles(known)
    if not any(attribute.role is Role.QUASI for attribute in known.attributes):
        raise MissingRole(Role.QUASI, "A release")
    require_selected_for_recipient(known)
    if target.exists() and not overwrite:
        raise OutputError(f"{target} exists already. Use --force to replace it, or --out to write another folder.")
    if target.exists() and not (target / "manifest.json").is_file() and any(target.iterdir()):
        raise OutputError(
            f"{target} holds something else than a release, so it is not replaced. Choose another folder."
        )


def _check_key(known: Project, plan: Plan, secrets: Secrets) -> None:
    """What protects people must not be drawn by what stands in the plan."""
    if plan.by_seed(secrets):
        raise ProjectError(
            known.path,
            "steps of the plan draw at random, and there is only a `seed` to draw by, so whoever has the plan could "
            f"undo them. Delete `seed`, and the key {KEY_FILE} is made beside this file; or name one with --key-file.",
        )


def _check_unshifted(known: Project, anonymised: Anonymised) -> None:
    """Dates that stay beside dates that are shifted tell the offsets, unless somebody decided to leave them."""
    if anonymised.followed.unshifted:
        raise ProjectError(known.path, f"nothing was released: {said_of_unshifted(anonymised.followed.unshifted)}")


def _check_decided(known: Project, plan: Plan, extract: Extract) -> None:
    """Refuse while there is a column that nobody decided about, and say what `identify` says of each."""
    decisions = Decisions.of(known, Question(), plan).with_columns(extract.made)
    columns = decisions.undecided(extract.table.columns)
    if not columns:
        return
    _check_same_table(known, extract)
    said = "".join(f"\n  {line}" for line in said_of_columns(extract, columns))
    number = f"{len(columns)} column{'s have' if len(columns) > 1 else ' has'}"
    raise ProjectError(
        known.path,
        f"{number} no role that somebody decided, so nothing was released. `identify` says:{said}\n"
        f"{DECIDE} `sfumato identify -p {known.path} --write` adds them as proposals.",
    )


def _check_same_table(known: Project, extract: Extract) -> None:
    """Refuse a table without columns that the file names. Its own are not said: without a header they are cells."""
    absent = [one.name for one in known.attributes if one.name not in extract.table.columns]
    if absent:
        are = "are" if len(absent) > 1 else "is"
        raise ProjectError(
            known.path,
            f"{named(absent)} {are} named under `columns:` and not in the data, which have columns that the file does "
            "not name, so nothing was released. Is it another table, or one without a header?",
            line=known.line_of("columns", absent[0]),
        )


def _check_evidence(stays: Path, target: Path, *, overwrite: bool) -> None:
    """What stays must not be handed on with the package, nor take the place of anything but other evidence."""
    package, evidence = target.resolve(), stays.resolve()
    if package == evidence or package in evidence.parents or evidence in package.parents:
        raise OutputError(
            f"{stays} and the package {target} would be one in the other, and the evidence is not to be handed on. "
            f"Choose another folder with --evidence or --out."
        )
    if stays.exists() and not overwrite:
        raise OutputError(f"{stays} exists already. Use --force to replace it, or --evidence to write another folder.")
    if stays.exists() and not (stays / SALT).is_file() and (not stays.is_dir() or any(stays.iterdir())):
        raise OutputError(
            f"{stays} holds something else than the evidence of a release, so it is not replaced. Choose another "
            f"folder with --evidence."
        )


def _refused(anonymised: Anonymised) -> InfeasiblePolicy:
    """The error of a release that does not keep to its measures, and what would help."""
    helps = (
        "Add `anonymise:` to the project file: the search goes on from what the plan leaves.",
        "`sfumato explore` shows which bounds can be met, and what each costs.",
    )
    return InfeasiblePolicy(
        f"Nothing was released: {'; '.join(anonymised.broken) or 'a requirement is not met'}.", helps
    )
