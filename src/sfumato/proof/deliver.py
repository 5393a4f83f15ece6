"""The verbs of delivery: write down to whom a package was handed, and what its recipient reported back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from sfumato.columns.open_roles import today
from sfumato.errors import DeliveryRefused, PolicyError, ProjectError, UnusableInput
from sfumato.progress import Tell, quiet
from sfumato.project.file import wrong_day
from sfumato.project.file.yaml_text import one_line
from sfumato.proof.package.manifest import Manifest
from sfumato.proof.package.plain_files import told_name
from sfumato.proof.use_log.chain import DELIVERY, REPORTED, Chain
from sfumato.proof.use_log.entry import logged
from sfumato.proof.use_log.log import AuditLog, log_of
from sfumato.proof.verify import verify
from sfumato.show.documents.delivery import DeliveryDocument, ReportedUseDocument
from sfumato.show.presented import Presented
from sfumato.show.sheet import Sheet
from sfumato.show.sheets.delivery import delivery_sheet, reported_use_sheet

SHOWN = 3  # claims that are not true are named one by one up to this many: `sfumato verify` names all
LONGEST = 1000  # characters of what is written down for people: a paragraph, and no copy of a table
NEVER_RELEASED = "No use in the log says that it released this package."


@dataclass(frozen=True, repr=False)
class Delivery(Presented):
    """A package that was handed to somebody, for a purpose, on a day."""

    package: str
    manifest: str  # SHA-256
    to: str
    purpose: str
    on: str
    problems: tuple[str, ...] = ()  # what spoke against it
    anyway: str | None = None  # why it was handed on all the same
    log: Path = field(default=Path(), compare=False)

    def content(self) -> DeliveryDocument:
        """The delivery as plain values. It holds no cell value."""
        return DeliveryDocument(
            package=self.package, manifest=self.manifest, to=self.to, purpose=self.purpose, on=self.on,
            problems=self.problems, anyway=self.anyway,
        )  # fmt: skip

    def sheet(self) -> Sheet:
        """The same for people."""
        return delivery_sheet(self.content())


@dataclass(frozen=True, repr=False)
class ReportedUse(Presented):
    """A use of a package that its recipient reported."""

    package: str
    manifest: str
    by: str
    use: str
    on: str
    log: Path = field(default=Path(), compare=False)

    def content(self) -> ReportedUseDocument:
        """The report as plain values."""
        return ReportedUseDocument(package=self.package, manifest=self.manifest, by=self.by, use=self.use, on=self.on)

    def sheet(self) -> Sheet:
        """The same for people."""
        return reported_use_sheet(self.content())


def deliver(
    package: str | Path,
    *,
    to: str,
    purpose: str,
    on: str | None = None,
    project: str | Path = "sfumato.yaml",
    anyway: str | None = None,
    tell: Tell = quiet,
) -> Delivery:
    """Write to the log of a project that a package was handed to somebody, and for which purpose.

    `DeliveryRefused` where the log does not say that this very package was released, where a claim of the package is
    not true, or where the log was tampered with; unless `anyway` says why it is handed on all the same. `on` is the
    day, today if none is named. The attempt is in the log as well.
    """
    whom, why, day = _said(to, "to whom"), _said(purpose, "the purpose"), _day(on)
    reason = _said(anyway, "why it is handed on all the same") if anyway is not None else None
    path = _log(project)
    options = ["--to", "--purpose", *(["--on"] if on else []), *(["--anyway"] if reason else [])]
    with logged("deliver", project, options=options, inputs=[package]) as use:
        manifest = Manifest.read(package).sha256
        problems = _problems(package, manifest, path, tell)
        if problems and reason is None:
            raise DeliveryRefused(
                f"{Path(package).name}: this package was not handed on. {' '.join(problems)} Release it anew, or give "
                f"--anyway REASON to hand it on all the same."
            )
        name = told_name(Path(package).resolve().name)
        delivery = Delivery(name, manifest, whom, why, day, problems, reason if problems else None, path)
        use.note(f"Handed {name} to {whom}, for: {why}{' (against the checks)' if problems else ''}")
        use.outcome[DELIVERY] = delivery.document()
    return delivery


def report_use(
    package: str | Path, *, by: str, use: str, on: str | None = None, project: str | Path = "sfumato.yaml"
) -> ReportedUse:
    """Write to the log of a project what the recipient of a package reports of its use.

    `package` is the folder, or the SHA-256 of its manifest, as the log names it. `by` is who received it: somebody to
    whom the log says that it was handed.
    """
    who, what, day = _said(by, "by whom"), _said(use, "the use"), _day(on)
    path = _log(project)
    with logged("report-use", project, options=["--by", "--use", *(["--on"] if on else [])]) as logged_use:
        manifest = _manifest(package)
        delivered = [one for one in Chain.of(AuditLog(path)).deliveries if one.get("manifest") == manifest]
        to = sorted({str(one.get("to")) for one in delivered})
        if not delivered:
            raise UnusableInput("The log does not say that this package was handed to anybody: `sfumato deliver`.")
        if who not in to:
            others = " and to ".join(map(repr, to))  # each in quotes: a name may have a comma in it
            raise UnusableInput(f"The log does not say that this package was handed to {who!r}, but to {others}.")
        reported = ReportedUse(str(delivered[-1].get("package", "-")), manifest, who, what, day, path)
        logged_use.note(f"{who} reports of {reported.package}: {what}")
        logged_use.outcome[REPORTED] = reported.document()
    return reported


def _problems(package: str | Path, manifest: str, log: Path, tell: Tell) -> tuple[str, ...]:
    """What speaks against handing a package on."""
    chain = Chain.of(AuditLog(log), verify=True)
    tampered = ("The log of use was tampered with or damaged: `sfumato log --verify`.",) if chain.problems else ()
    released = () if chain.wrote(manifest) else (NEVER_RELEASED,)
    untrue = [claim.what for claim in verify(package, tell=tell).contradicted]
    more = f", and {len(untrue) - SHOWN} more" if len(untrue) > SHOWN else ""
    said = (f"What it says is not true of: {', '.join(untrue[:SHOWN])}{more} (`sfumato verify`).",) if untrue else ()
    return (*tampered, *released, *said)


def _manifest(package: str | Path) -> str:
    """The hash of the manifest of a package: of the folder, or as it was written down."""
    if re.fullmatch(r"[0-9A-Fa-f]{64}", str(package)):
        return str(package).lower()
    return Manifest.read(package).sha256


def _log(project: str | Path) -> Path:
    """The log of a project, which must be there: a delivery that nobody writes down is none."""
    if not Path(project).is_file():
        raise ProjectError(
            project, "there is no such project file, so there is no log to write to. Name it: --project."
        )
    return log_of(project)


def _said(words: str, what: str) -> str:
    """What somebody says, on one line."""
    said = one_line(words)
    if not said:
        raise PolicyError(f"A delivery is written down with {what}. It must not be empty.")
    if len(said) > LONGEST:
        raise PolicyError(
            f"{what[0].upper()}{what[1:]}: {len(said)} characters, and at most {LONGEST} are written down."
        )
    return said


def _day(on: str | None) -> str:
    """The day, which is not to come: what was not done yet is not written down."""
    now = today()
    if on is None:
        return now
    problem = wrong_day(on) or ("this day is still to come." if on[:10] > now else None)
    if problem:
        raise PolicyError(f"The day of a delivery: {problem}")
    return on
