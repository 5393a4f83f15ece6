"""Tracing: what a report was made from: names, hashes, versions, seeds and settings."""

from __future__ import annotations

import platform
from typing import Any

from sfumato.plans.plan import Plan
from sfumato.plans.provenance import versions
from sfumato.project.file import Project
from sfumato.proof.report.reported_release import Beside, file_of
from sfumato.search.anonymisation import Anonymised
from sfumato.tables.source import Extract
from sfumato.tables.write.digest import sha256_of


def traced(
    extract: Extract,
    project: Project | None,
    beside: Beside | None,
    found: Anonymised | None,
    *,
    files: tuple[Any, Any],
) -> dict[str, Any]:
    """Where the evidence comes from, as plain values. Without a time: the same input gives the same report.

    `files` are what the original and the release were read from, where they were.
    """
    data, released = files
    return {
        "original": {"name": extract.name, "records": extract.table.count(), "sha256": _digest(data)},
        "release": _released(released, beside),
        "project": _project(project),
        "preset": project.preset if project else None,
        "plan": _plan(beside.released.plan if beside else None),
        "search": _searched(found),
        "engine": extract.table.engine.name,
        "versions": {"python": platform.python_version(), **versions()},
    }


def _project(project: Project | None) -> dict[str, Any] | None:
    file = file_of(project.path) if project else None
    return {"name": file.name, "sha256": sha256_of(file)} if file else None


def _plan(plan: Plan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    return {
        "sha256": plan.fingerprint(),
        "seed": plan.seed,
        "steps": len(plan.steps),
        "secrets": list(plan.secrets()),
    }


def _digest(data: Any) -> str | None:
    file = file_of(data)
    return sha256_of(file) if file else None


def _released(data: Any, beside: Beside | None) -> dict[str, Any] | None:
    if beside is None:
        return None
    found = beside.released
    return {"name": found.name, "records": found.records, "columns": list(found.columns), "sha256": _digest(data)}


def _searched(found: Anonymised | None) -> dict[str, Any] | None:
    if found is None:
        return None
    wanted = found.request
    return {
        "method": found.method,
        "objective": wanted.objective.name(),
        "requirements": [r.text for r in wanted.policy.requirements if r.bound is not None],
        "suppression_limit": wanted.suppression,
        "optimal": found.solution.optimal,
    }
