"""Packages: a release folder with a manifest, so that others can check what it says about itself.

released.csv                   the data, in the format of its ending
released.csv.provenance.json   how it came about: hashes, plan, seeds, versions
plan.yaml                      the steps
anonymisation.json             what was required, what was found
assessment.json                every reading of the release
comparison.json                what was lost (may lack)
report.html                    the same for people (may lack)
manifest.json                  every file with its hash, and the claims
manifest.json.sig, .pub        signature of the manifest, and its public key (may lack)

All of it may be handed on. Files that list values of the original (hierarchies, what combinations of values become)
stay with its steward; the plan and the manifest know them by name and hash (`plans/kept_files.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.canonical import canonical, digest, parsed, sha256_of
from sfumato.errors import OutputError, PlanError, PolicyError, UnreadableFile
from sfumato.outputs import write_files
from sfumato.plans.kept_files import Steward, kept_in
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.assessment import Assessment
from sfumato.proof.package.claims import at, readings_by_name
from sfumato.proof.package.signature import signed
from sfumato.show.documents.use_log import Head
from sfumato.tables.engine import present_values

PLAN, ANONYMISATION, ASSESSMENT, COMPARISON = "plan.yaml", "anonymisation.json", "assessment.json", "comparison.json"
PROVENANCE, REPORT = ".provenance.json", "report.html"
MARK = "sfumato-release"  # the name under which a report says of which release it is
READ = ("value", "bound", "met", "flagged")
MANIFEST = "manifest.json"
SIGNATURE = MANIFEST + ".sig"
PUBLIC = MANIFEST + ".pub"  # the key that belongs to the signature
OUTSIDE = (MANIFEST, SIGNATURE, PUBLIC)  # what the manifest cannot speak of
FORMAT = "sfumato release 1"


@dataclass(frozen=True)
class ListedFile:
    """A file of the folder as the manifest knows it."""

    sha256: str
    size: int


@dataclass(frozen=True)
class FileProblem:
    """A file that is not as the manifest says, and how."""

    file: str
    kind: str  # missing, additional or changed
    said: str
    actual: str


@dataclass(frozen=True)
class Manifest:
    """The files of a folder by name, and the claims. The same folder gives the same bytes."""

    files: Mapping[str, ListedFile]
    claims: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: str | Path, claims: Mapping[str, Any]) -> Manifest:
        """The manifest of a folder as it is."""
        return cls(_listed(Path(folder)), dict(claims))

    @classmethod
    def read(cls, folder: str | Path) -> Manifest:
        """The manifest in a folder; `UnreadableFile` where there is none, and the folder is no package."""
        path = Path(folder) / MANIFEST
        try:
            document = parsed(path.read_bytes())
            if document["format"] != FORMAT or not isinstance(document["claims"], dict):
                raise ValueError
            files = {str(name): ListedFile(str(f["sha256"]), int(f["size"])) for name, f in document["files"].items()}
        except OSError:
            raise UnreadableFile(folder, f"this is no release package: it has no {MANIFEST}.") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UnreadableFile(path, "this is no manifest of a release, or it was damaged.") from None
        return cls(files, document["claims"])

    def content(self) -> bytes:
        """The manifest as canonical JSON."""
        files = {name: {"sha256": file.sha256, "size": file.size} for name, file in self.files.items()}
        return canonical({"format": FORMAT, "files": files, "claims": self.claims}) + b"\n"

    def problems(self, folder: str | Path) -> list[FileProblem]:
        """Every file that is missing, additional or changed, by name."""
        here = _listed(Path(folder))
        return [p for name in sorted({*self.files, *here}) if (p := _problem(name, self.files.get(name), here))]


@dataclass(frozen=True)
class ReleasePackage:
    """The evidence in a release folder, as far as it can be read: a document that cannot is None."""

    folder: Path
    released: str | None  # the name of the file with the data
    provenance: Any
    anonymisation: Any
    assessment: Any
    comparison: Any
    plan: Plan | None

    @classmethod
    def read(cls, folder: str | Path) -> ReleasePackage:
        """What is in a folder."""
        folder = Path(folder)
        records = sorted(folder.glob(f"*{PROVENANCE}"))
        released = records[0].name.removesuffix(PROVENANCE) if records else None
        return cls(
            folder=folder,
            released=released,
            provenance=_document(folder / f"{released}{PROVENANCE}"),
            anonymisation=_document(folder / ANONYMISATION),
            assessment=_document(folder / ASSESSMENT),
            comparison=_document(folder / COMPARISON),
            plan=_plan(folder / PLAN),
        )

    def claims(self) -> dict[str, Any]:
        """What the evidence says of the release, in short. It holds no cell."""
        chosen = {
            name: {key: reading.get(key) for key in READ}
            for name, reading in readings_by_name(at(self.assessment, "readings")).items()
        }
        classes = at(self.assessment, "classes")
        return {
            "input": {key: at(self.provenance, "input", key) for key in ("sha256", "records")},
            "released": {key: at(self.provenance, "output", key) for key in ("name", "sha256", "records", "columns")},
            "plan": {
                "sha256": self.plan.fingerprint() if self.plan else None,
                "steps": len(self.plan.steps) if self.plan else None,
            },
            "kept": self.kept(),
            "requirements": at(self.anonymisation, "requirements"),
            "quasi_identifiers": at(self.assessment, "quasi_identifiers"),
            "sensitive": at(self.assessment, "sensitive"),
            "readings": chosen,
            "met": at(self.assessment, "met"),
            "verdict": at(self.anonymisation, "verdict"),
            "open": at(self.anonymisation, "open"),
            "classes": {key: at(classes, key) for key in ("count", "smallest", "largest")},
            "suppressed": at(self.anonymisation, "suppressed"),
            "engine": at(self.provenance, "engine"),
            "versions": at(self.provenance, "versions"),
        }

    def kept(self) -> dict[str, str]:
        """The files that stay with the steward, by name, with their hashes."""
        return kept_in([self.plan.document() if self.plan else None, at(self.provenance, "settled")])

    def mark(self) -> str:
        """By what a report knows this release: a hash of the input, the plan and the released data."""
        hashes = [at(self.provenance, "input", "sha256"), at(self.provenance, "output", "sha256")]
        return digest([*hashes, self.plan.fingerprint() if self.plan else None])


def report_mark(folder: str | Path) -> str:
    """The line that a report has in its head, so that it cannot pass for the report of another release."""
    return f'<meta name="{MARK}" content="{ReleasePackage.read(folder).mark()}">'


def claims_of(
    folder: str | Path, assessment: Assessment | None = None, *, head: Head | None = None, **more: Any
) -> dict[str, Any]:
    """What a folder that `Anonymised.write` wrote claims, for its manifest.

    Of the `assessment` of the release it is kept how its columns were understood, so that they are read the same way
    when they are read again; `head` is that of the log of use, and `more` what else is claimed.
    """
    claims = ReleasePackage.read(folder).claims()
    columns = claims["released"]["columns"] or ()
    understood = {"columns": understanding(assessment, columns)} if assessment is not None else {}
    return {**claims, **understood, **({"log": head.plain()} if head else {}), **more}


def understanding(assessment: Assessment, columns: Collection[str]) -> dict[str, Any]:
    """The kind of each released column, and the order of ordinal values as places among the sorted ones."""
    dataset = assessment.dataset
    kinds = {name: kind.value for name, kind in dataset.table.kinds.items() if name in columns}
    orders = {}
    for attribute in dataset.schema:
        if attribute.order and attribute.name in dataset.sensitive:
            present = present_values(dataset.table, attribute.name)
            orders[attribute.name] = [present.index(value) for value in attribute.order if value in present]
    return {"kinds": kinds, "orders": orders}


def add_manifest(folder: str | Path, claims: Mapping[str, Any], key: str | Path | None = None) -> Manifest:
    """Add a manifest to a release folder, signed where there is a key: whole or not at all.

    The manifest comes last: killed before, the folder is no package, and `sfumato verify` says so. A folder whose plan
    lists values of the original is refused: a package is for others to read.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise OutputError(f"{folder}: there is no such folder, so there is nothing to make a package of.")
    _check(folder)
    manifest = Manifest.of(folder, claims)
    content = manifest.content()
    signature = dict(zip((SIGNATURE, PUBLIC), signed(content, key), strict=True)) if key is not None else {}
    try:
        for name in OUTSIDE:
            (folder / name).unlink(missing_ok=True)
        write_files(folder, signature)
        write_files(folder, {MANIFEST: content})
    except OSError as error:
        raise OutputError(f"{folder}: the manifest was not written ({error.strerror}).") from None
    return manifest


def _check(folder: Path) -> None:
    plan = _plan(folder / PLAN)
    steps = [step.transformation for step in plan.steps] if plan else []
    if any(step.handed_on(Steward(lambda _: b""))[1] for step in steps):
        raise PolicyError(
            f"{folder}: its plan lists values of the original, or names files that do, and a package is for others to "
            f"read. Write the folder with `keep=`, the name of a folder that is not handed on."
        )


def _document(path: Path) -> Any:
    try:
        document = parsed(path.read_bytes())
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) else None


def _plan(path: Path) -> Plan | None:
    try:
        return read_plan(path)
    except PlanError:
        return None


def _problem(name: str, said: ListedFile | None, here: Mapping[str, ListedFile]) -> FileProblem | None:
    now = here.get(name)
    if said is None:
        return FileProblem(name, "additional", "not part of the release", "there")
    if now is None:
        return FileProblem(name, "missing", f"{said.size} bytes", "not there")
    if now != said:
        sizes = (f"{said.size} bytes, ", f"{now.size} bytes, ") if said.size != now.size else ("", "")
        digests = [f"{size}SHA-256 {file.sha256[:12]}" for size, file in zip(sizes, (said, now), strict=True)]
        return FileProblem(name, "changed", *digests)
    return None


def _listed(folder: Path) -> dict[str, ListedFile]:
    """Every file, hidden ones and those in folders too."""
    names = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name: ListedFile(sha256_of(path), path.stat().st_size) for name, path in names.items() if name not in OUTSIDE
    }
