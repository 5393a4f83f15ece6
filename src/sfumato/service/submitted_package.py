"""A submitted package: the files of a release as a run left them, and what is to be known of it without its rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.canonical import parsed
from sfumato.errors import Conflict, NotKnown
from sfumato.proof.package.folder import ASSESSMENT, COMPARISON, PLAN, PROVENANCE, REPORT
from sfumato.proof.package.folder import PACKAGE as RELEASE
from sfumato.proof.package.manifest import MANIFEST, OUTSIDE
from sfumato.service.entities import RegisteredSource, Run
from sfumato.service.storage import Storage

PACKAGE, EVIDENCE = "package/", "package-evidence/"  # how the names of the files of a run begin
# What reviewers read of the evidence. The rest of it lists values of the original, or opens its commitments.
READ_IN_REVIEW = frozenset({REPORT, ASSESSMENT, COMPARISON})
NOT_WHOLE = "The package of this run is not whole. Run the release again."


@dataclass(frozen=True)
class SubmittedPackage:
    """The files of a release by name, each with its hash and size: what leaves, and what stays as evidence."""

    files: Mapping[str, tuple[str, int]]
    evidence: Mapping[str, tuple[str, int]]
    storage: Storage

    @classmethod
    def of(cls, run: Run, storage: Storage) -> SubmittedPackage:
        """The package that a run has left; `Conflict` where it is not whole."""
        listed = (run.result or {}).get("files", [])
        by_name = {str(one["name"]): (str(one["sha256"]), int(one["bytes"])) for one in listed}
        package = cls(_within(by_name, PACKAGE), _within(by_name, EVIDENCE), storage)
        package.require_whole()
        return package

    @property
    def hash(self) -> str:
        """The hash of the manifest, by which the log of use knows a package."""
        return self.files[MANIFEST][0]

    @property
    def claims(self) -> dict[str, Any]:
        """What the package claims of itself."""
        return dict(self._manifest()["claims"])

    @property
    def levels(self) -> dict[str, int]:
        """The level of each column, where the release has levels."""
        return self._document(RELEASE).get("levels") or self._planned_levels()

    def require_whole(self) -> None:
        """Refuse a package that lacks a file, or has another one than its manifest says."""
        if MANIFEST not in self.files:
            raise Conflict("This run has left no package. Submit a run of `release` that is done.")
        said = {name: one["sha256"] for name, one in self._manifest()["files"].items()}
        there = {name: digest for name, (digest, _) in self.files.items() if name not in OUTSIDE}
        if said != there or not all(self.storage.has(digest) for digest, _ in self.files.values()):
            raise Conflict(NOT_WHOLE)

    def summary(self, source: RegisteredSource | None) -> dict[str, Any]:
        """What is kept with the request: no row, and enough to compare it with another release."""
        claims = self.claims
        smallest = [one["smallest"] for one in claims.get("classes", {}).values() if "smallest" in one]
        return {
            "rows": claims["released"]["name"],
            "columns": claims["released"]["columns"],
            "records": claims["released"]["records"],
            "levels": self.levels,
            "method": self._document(RELEASE).get("method"),
            "quasi_identifiers": claims.get("quasi_identifiers", []),
            "sensitive": claims.get("sensitive", []),
            "requirements": claims.get("requirements", []),
            "k": min(smallest, default=None),
            "verdict": claims.get("verdict"),
            "plan": self.files[PLAN][0] if PLAN in self.files else None,
            "sources": self._sources(source),
            "files": {name: list(one) for name, one in sorted(self.files.items())},
            "evidence": {name: list(one) for name, one in sorted(self.evidence.items()) if name in READ_IN_REVIEW},
        }

    def _sources(self, source: RegisteredSource | None) -> dict[str, list[str]]:
        """The hashes and the names of what it was made from."""
        records = [json.loads(self.storage.read(one[0])) for name, one in self.evidence.items() if _is_record(name)]
        inputs = [record.get("input") or {} for record in records]
        hashes = [source.hash if source is not None else None, *(one.get("sha256") for one in inputs)]
        names = [source.name if source is not None else None, *(one.get("name") for one in inputs)]
        return {"hashes": sorted({one for one in hashes if one}), "names": sorted({one for one in names if one})}

    def _planned_levels(self) -> dict[str, int]:
        """The levels to which the steps of a plan generalise columns; of what is done otherwise there are none."""
        import yaml

        plan = yaml.safe_load(self.storage.read(self.files[PLAN][0])) if PLAN in self.files else {}
        done = [step["generalise"] for step in (plan or {}).get("steps", []) if "generalise" in step]
        return {one["column"]: one["level"] for one in done if isinstance(one.get("level"), int)}

    def _document(self, name: str) -> dict[str, Any]:
        return json.loads(self.storage.read(self.files[name][0])) if name in self.files else {}

    def _manifest(self) -> dict[str, Any]:
        try:
            document = parsed(self.storage.read(self.hash))
        except (ValueError, NotKnown):
            raise Conflict(NOT_WHOLE) from None
        return document  # type: ignore[no-any-return]


def _within(files: Mapping[str, tuple[str, int]], folder: str) -> dict[str, tuple[str, int]]:
    return {name.removeprefix(folder): one for name, one in files.items() if name.startswith(folder)}


def _is_record(name: str) -> bool:
    return name.endswith(PROVENANCE)
