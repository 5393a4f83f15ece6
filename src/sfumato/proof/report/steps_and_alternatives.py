"""Retracing: what each step of a plan did to risk and utility, and which other releases were possible."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from sfumato.errors import InfeasiblePolicy
from sfumato.plans.plan import Plan
from sfumato.privacy.question import Question
from sfumato.progress import Tell, quiet
from sfumato.proof.report.reported_release import Beside
from sfumato.schema import Role
from sfumato.search.anonymisation import Anonymised
from sfumato.search.exploration import Explored
from sfumato.search.explore import SearchGrid, explore_with_settings
from sfumato.search.prepare import Source
from sfumato.show.documents.effects import EffectsDocument
from sfumato.tables.source import Extract
from sfumato.utility.step_effects import effects

CURVE, NODES = (2, 3, 5, 11), 500  # sizes of the curve, and how far each search of it goes: no clock, so always as far


def retraced(
    beside: Beside, found: Anonymised | None, extract: Extract, secrets: Mapping[str, Any], tell: Tell = quiet
) -> EffectsDocument | None:
    """Risk and utility after each step, as plain values; None where the steps are not known."""
    plan = beside.released.plan
    if plan is None or not plan.steps:
        return None
    quasi = dict.fromkeys((*beside.dataset.quasi_identifiers, *_now(beside)))
    with tempfile.TemporaryDirectory(prefix="sfumato-") as folder:
        placed = _with_files(plan, found, Path(folder))
        return effects(placed, extract, quasi=list(quasi), subject=beside.dataset.subject, secrets=secrets, tell=tell)


def others(source: Source, question: Question, suppress: float, tell: Tell = quiet) -> Explored | None:
    """The curve of risk against loss over a few class sizes; None where none of them is possible."""
    tried, settings = SearchGrid(k=CURVE, suppress=(suppress,)), {"nodes": NODES, "seconds": inf}
    try:
        return explore_with_settings(source, question, tried, settings, tell)
    except InfeasiblePolicy:
        return None


def _now(beside: Beside) -> tuple[str, ...]:
    """The quasi-identifiers of the release, of which steps may have made some."""
    return beside.released.dataset.schema.columns_with(Role.QUASI)


def _with_files(plan: Plan, found: Anonymised | None, folder: Path) -> Plan:
    """A plan beside the files that it names: its own, and those of the search."""
    if found is None or not found.files:
        return plan
    named = {
        value for step in plan.steps for value in step.transformation.settings().values() if isinstance(value, str)
    }
    for name in sorted(named - set(found.files)):
        if (plan.folder / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(plan.folder / name, folder / name)
    for name, content in found.files.items():
        (folder / name).write_bytes(content)
    return replace(plan, folder=folder)
