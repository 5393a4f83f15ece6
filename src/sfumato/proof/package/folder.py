"""Packages: a release folder with a manifest, so that others can check what it says about itself.

The package, which is handed on:

released.csv                   the data, in the format of its ending
release.json                   what was required, what was done in words and levels, how the columns are read
plan.yaml                      the steps; what names values is masked
assessment.json                every reading of the released rows
report.html                    the same for people (may lack)
manifest.json                  every file with its hash, the claims, and commitments to the evidence
manifest.json.sig, .pub        signature of the manifest, and its public key (may lack)

The evidence, which stays with the steward:

released.csv.provenance.json   how the release came about: the original's name and hash, plan, versions
plan.yaml                      the steps as they were followed, and beside it the files that list values of the original
anonymisation.json             what was required, what was found, whom suppression hits
assessment.json                every reading of the release, by person where persons are known
comparison.json                what was lost (may lack)
report.html                    all of it for people (may lack)
keys.json                      the names of keys and secrets
salt                           of the commitments
manifest.json                  every file with its hash
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.canonical import digest, parsed, plain_values
from sfumato.errors import OutputError, PlanError, ProjectError
from sfumato.outputs import is_plain_name, write_files
from sfumato.plans.kept_files import kept_in
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import parse_plan
from sfumato.project.file.yaml_file import read_yaml
from sfumato.proof.package.claims import at, readings_by_name
from sfumato.proof.package.commitments import commitments, read_salt
from sfumato.proof.package.manifest import EVIDENCE, LARGEST, MANIFEST, OUTSIDE, PUBLIC, SIGNATURE, Manifest
from sfumato.proof.package.plain_files import plain_bytes, what_is
from sfumato.proof.package.signature import SigningKey
from sfumato.show.documents.use_log import Head

PLAN, ANONYMISATION, ASSESSMENT, COMPARISON = "plan.yaml", "anonymisation.json", "assessment.json", "comparison.json"
PROVENANCE, REPORT = ".provenance.json", "report.html"
MARK = "sfumato-release"  # the name under which a report says of which release it is
READ = ("value", "bound", "met", "flagged")
WHOLE = "the release"  # what readings say they are of, before the name of a scenario
PACKAGE, KEYS = "release.json", "keys.json"
# Bytes of a plan: ten thousand steps take one million, and the reader, which knows the line of everything, is slow.
LARGEST_PLAN = 2 * 1024 * 1024


@dataclass(frozen=True)
class ReleasePackage:
    """What is in the folder of a package, as far as it can be read: a document that cannot is None."""

    folder: Path
    release: Any
    assessments: Mapping[str, Any]  # by scenario; one without a name where there is none
    plan: Any

    @classmethod
    def read(cls, folder: str | Path, names: Iterable[str] | None = None) -> ReleasePackage:
        """What is in a folder; of its readings only those among `names`, where they are given."""
        folder = Path(folder)
        return cls(
            folder=folder,
            release=_document(folder / PACKAGE),
            assessments=read_assessments(folder, _files_in(folder) if names is None else names),
            plan=_yaml(folder / PLAN),
        )

    @property
    def released(self) -> str | None:
        """The name of the file with the data."""
        name = at(self.release, "released", "name")
        return name if isinstance(name, str) and is_plain_name(name) else None

    @property
    def data(self) -> Path:
        """The file with the data."""
        return self.folder / str(self.released)

    def claims(self) -> dict[str, Any]:
        """What the documents say of the release, in short. It holds no cell."""
        same = (
            "requirements", "quasi_identifiers", "sensitive", "met", "verdict", "open", "released_against_evidence",
            "counted", "left_out", "engine", "versions",
        )  # fmt: skip
        return {
            "released": at(self.release, "released"),
            "steps": len(steps) if isinstance(steps := at(self.release, "steps"), list) else None,
            **{key: at(self.release, key) for key in same},
            "readings": {name: _chosen(document) for name, document in self.assessments.items()},
            "classes": {
                name: {key: at(document, "classes", key) for key in ("count", "smallest", "largest")}
                for name, document in self.assessments.items()
            },
        }

    def mark(self) -> str:
        """By what a report knows this release: a hash of the released data and of what is said of them."""
        return digest([at(self.release, "released"), self.release, self.plan])


@dataclass(frozen=True)
class ReleaseEvidence:
    """What stays with the steward, as far as it can be read, and the released file that it is about."""

    folder: Path
    data: Path
    provenance: Any
    anonymisation: Any
    assessments: Mapping[str, Any]
    comparison: Any
    plan: Plan | None

    @classmethod
    def read(cls, folder: str | Path, data: Path, names: Iterable[str] | None = None) -> ReleaseEvidence:
        """What is in a folder; `data` is the released file, which is in the package, and `names` as there."""
        folder = Path(folder)
        return cls(
            folder=folder,
            data=data,
            provenance=_document(folder / f"{data.name}{PROVENANCE}"),
            anonymisation=_document(folder / ANONYMISATION),
            assessments=read_assessments(folder, _files_in(folder) if names is None else names),
            comparison=_document(folder / COMPARISON),
            plan=_plan(folder / PLAN),
        )

    @property
    def released(self) -> str:
        """The name of the file with the data."""
        return self.data.name

    @property
    def assessment(self) -> Any:
        """The readings; where there are scenarios, for the first of them."""
        return next(iter(self.assessments.values()), None)

    def claims(self) -> dict[str, Any]:
        """What the evidence says of the original and of the release, in short."""
        return {
            "input": at(self.provenance, "input"),
            "released": at(self.provenance, "output"),
            "plan": {
                "sha256": self.plan.fingerprint() if self.plan else None,
                "steps": len(self.plan.steps) if self.plan else None,
            },
            "kept": self.kept(),
            "suppressed": at(self.anonymisation, "suppressed"),
            "met": at(self.anonymisation, "met"),
        }

    def kept(self) -> dict[str, str]:
        """The files that list values of the original, by name, with their hashes."""
        return kept_in([self.plan.document() if self.plan else None, at(self.provenance, "settled")])

    def mark(self) -> str:
        """By what the full report knows this release: a hash of the input, the plan and the released data."""
        hashes = [at(self.provenance, "input", "sha256"), at(self.provenance, "output", "sha256")]
        return digest([*hashes, self.plan.fingerprint() if self.plan else None])


def report_mark(about: ReleasePackage | ReleaseEvidence) -> str:
    """The line that a report has in its head, so that it cannot pass for the report of another release."""
    return f'<meta name="{MARK}" content="{about.mark()}">'


def seal(
    package: str | Path, evidence: str | Path, key: SigningKey | None = None, head: Head | None = None
) -> Manifest:
    """Give both folders their manifests: that of the package commits to every file of the evidence, and is signed.

    `key` is the key that signs, and `head` that of the log of use.
    """
    package, evidence = Path(package), Path(evidence)
    read = ReleasePackage.read(package)
    claims = ReleaseEvidence.read(evidence, read.data).claims()
    write_files(evidence, {MANIFEST: Manifest.of(evidence, claims, EVIDENCE).content()})
    committed = commitments(evidence, read_salt(evidence))
    more = {"log": head.plain()} if head else {}
    return add_manifest(package, {**read.claims(), "evidence": committed, **more}, key)


def add_manifest(folder: str | Path, claims: Mapping[str, Any], key: SigningKey | None = None) -> Manifest:
    """Add a manifest to a release folder, signed where there is a key: whole or not at all.

    The manifest comes last: killed before, the folder is no package, and `sfumato verify` says so.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise OutputError(f"{folder}: there is no such folder, so there is nothing to make a package of.")
    manifest = Manifest.of(folder, claims)
    content = manifest.content()
    signature = dict(zip((SIGNATURE, PUBLIC), key.signed(content), strict=True)) if key is not None else {}
    try:
        for name in OUTSIDE:
            (folder / name).unlink(missing_ok=True)
        write_files(folder, signature)
        write_files(folder, {MANIFEST: content})
    except OSError as error:
        raise OutputError(f"{folder}: the manifest was not written ({error.strerror}).") from None
    return manifest


def read_assessments(folder: Path, names: Iterable[str]) -> dict[str, Any]:
    """The readings among the files of a folder by scenario, as each document says of itself."""
    of_scenario = re.compile(f"{Path(ASSESSMENT).stem}(_.*)?\\.json")
    files = [folder / name for name in sorted(names) if of_scenario.fullmatch(name) and is_plain_name(name)]
    documents = [(file, _document(file)) for file in files if what_is(file) != "nothing"]
    return {_scenario(file, document): document for file, document in documents}


def _scenario(file: Path, document: Any) -> str:
    source = at(document, "source")
    if file.name == ASSESSMENT or not isinstance(source, str):
        return "" if file.name == ASSESSMENT else file.stem
    return source.removeprefix(f"{WHOLE}, ")


def _chosen(document: Any) -> dict[str, Any]:
    return {
        name: {key: reading.get(key) for key in READ}
        for name, reading in readings_by_name(at(document, "readings")).items()
    }


def _yaml(path: Path) -> Any:
    """The values of a YAML file, read as strictly as JSON; None where it cannot be read so."""
    try:
        file = read_yaml(plain_bytes(path, LARGEST_PLAN).decode("utf-8"), path)
        return plain_values(file.value) if not file.problems else None
    except (OSError, ValueError, ProjectError):
        return None


def _document(path: Path) -> Any:
    try:
        document = parsed(plain_bytes(path, LARGEST))
    except (OSError, ValueError):
        return None
    return document if isinstance(document, dict) else None


def _plan(path: Path) -> Plan | None:
    try:
        plan = parse_plan(plain_bytes(path, LARGEST_PLAN).decode("utf-8-sig"), path)
        plain_values(plan.document())
    except (OSError, ValueError, OverflowError, RecursionError, PlanError):
        return None
    return plan


def _files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]
