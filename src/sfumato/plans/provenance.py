"""Provenance: how a release came about."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.recorded_step import chance_of, recorded
from sfumato.tables.write.digest import sha256_of

PACKAGES = ("sfumato", "duckdb", "pyarrow", "pyspark")


@dataclass(frozen=True)
class Provenance:
    """What went in, what was done to it, and what came out. Without a time: the same input gives the same file."""

    plan: Plan
    settled: Plan  # as it was done, with what steps decided by looking at the data
    source: str
    records: int
    file: Path | None  # the source, where it is a file
    after: Draft
    path: Path
    released: int

    def document(self) -> dict[str, Any]:
        """The provenance as plain values. It holds no cell and no secret."""
        digest = sha256_of(self.file) if self.file else None
        columns = list(self.after.names)
        return {
            "input": {"name": self.source, "sha256": digest, "records": self.records},
            "output": {
                "name": self.path.name,
                "sha256": sha256_of(self.path),
                "records": self.released,
                "columns": columns,
            },
            "plan": {
                **self.plan.document(),
                "steps": list(map(recorded, self.plan.steps)),
                "sha256": self.plan.fingerprint(),
            },
            "settled": None if self.settled == self.plan else list(map(recorded, self.settled.steps)),
            "seeds": chance_of(self.plan),
            "secrets": list(self.plan.secrets()),
            "engine": self.after.engine.name,
            "versions": {"python": platform.python_version(), **versions()},
            "notes": list(self.after.notes),
        }


def versions() -> dict[str, str]:
    """The versions of what was used, where it is installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
