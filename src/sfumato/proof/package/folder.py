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
stay with its steward; the plan and the manifest know them by name and hash (`kept.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.canonical import digest, parsed
from sfumato.errors import OutputError, PlanError, PolicyError
from sfumato.outputs import write_files
from sfumato.plans.kept_files import Steward, kept_in
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.assessment import Assessment
from sfumato.proof.package.claim import at, named
from sfumato.proof.package.manifest import MANIFEST, OUTSIDE, PUBLIC, SIGNATURE, Manifest
from sfumato.proof.package.signature import signed
from sfumato.proof.use_log.log import Head
from sfumato.tables.engine import present_values

PLAN, FOUND, ASSESSMENT, COMPARISON = "plan.yaml", "anonymisation.json", "assessment.json", "comparison.json"
PROVENANCE, REPORT = ".provenance.json", "report.html"
MARK = "sfumato-release"  # the name under which a report says of which release it is
READ = ("value", "bound", "met", "flagged")


@dataclass(frozen=True)
class ReleasePackage:
    """The evidence in a release folder, as far as it can be read: a document that cannot is None."""

    folder: Path
    released: str | None  # the name of the file with the data
    provenance: Any
    found: Any
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
            folder, released, _document(folder / f"{released}{PROVENANCE}"), _document(folder / FOUND),
            _document(folder / ASSESSMENT), _document(folder / COMPARISON), _plan(folder / PLAN),
        )  # fmt: skip

    def claims(self) -> dict[str, Any]:
        """What the evidence says of the release, in short. It holds no cell."""
        chosen = {
            name: {key: reading.get(key) for key in READ}
            for name, reading in named(at(self.assessment, "readings")).items()
        }
        classes = at(self.assessment, "classes")
        return {
            "input": {key: at(self.provenance, "input", key) for key in ("sha256", "records")},
            "released": {key: at(self.provenance, "output", key) for key in ("name", "sha256", "records", "columns")},
            "plan": {
                "sha256": self.plan.fingerprint() if self.plan else None,
                "steps": len(self.plan.steps) if self.plan else None,
                "seed": self.plan.seed if self.plan else None,
            },
            "kept": self.kept(),
            "requirements": at(self.found, "requirements"),
            "quasi_identifiers": at(self.assessment, "quasi_identifiers"),
            "sensitive": at(self.assessment, "sensitive"),
            "readings": chosen,
            "met": at(self.assessment, "met"),
            "classes": {key: at(classes, key) for key in ("count", "smallest", "largest")},
            "suppressed": at(self.found, "suppressed"),
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
    found = ReleasePackage.read(folder).claims()
    columns = found["released"]["columns"] or ()
    understood = {"columns": understanding(assessment, columns)} if assessment is not None else {}
    return {**found, **understood, **({"log": head.document()} if head else {}), **more}


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


def package(folder: str | Path, claims: Mapping[str, Any], key: str | Path | None = None) -> Manifest:
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
        found = parsed(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _plan(path: Path) -> Plan | None:
    try:
        return read_plan(path)
    except PlanError:
        return None
