"""Effects of the steps of a release: risk and utility after each."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.plans.plan import Plan
from sfumato.progress import Tell
from sfumato.proof.report.reported_release import ReleaseWithOriginal
from sfumato.schema import Role
from sfumato.search.anonymisation import Anonymised
from sfumato.secrets import Secrets
from sfumato.show.documents.effects import EffectsDocument
from sfumato.tables.source import Extract
from sfumato.temporary import scratch
from sfumato.utility.effects_in_hand import StepsInHand, effects_in_hand
from sfumato.utility.step_effects import effects


def effects_of_release(
    paired: ReleaseWithOriginal,
    anonymised: Anonymised | None,
    extract: Extract,
    secrets: Mapping[str, Any] | Secrets,
    tell: Tell,
) -> EffectsDocument | None:
    """Risk and utility after each step; None where the steps are not known."""
    plan = paired.released.plan
    if plan is None or not plan.steps:
        return None
    # Of the quasi-identifiers of the release, steps may have made some.
    released = paired.released.dataset.schema.columns_with(Role.QUASI)
    quasi = list(dict.fromkeys((*paired.dataset.quasi_identifiers, *released)))
    with scratch() as folder:
        placed = _with_files(plan, anonymised, folder)
        known = anonymised.compared_by if anonymised else {}
        made = _in_hand(anonymised)
        if made is not None and made.whole and paired.dataset.subject is None:
            used = Secrets.of(secrets)
            return effects_in_hand(placed, made, quasi=quasi, known=known, secrets=used, source=extract.name)
        return effects(
            placed, extract, quasi=quasi, placed=known, subject=paired.dataset.subject, secrets=secrets, tell=tell
        )


def _in_hand(anonymised: Anonymised | None) -> StepsInHand | None:
    """The steps of a release that was made a moment ago, and how it was compared."""
    if anonymised is None:
        return None
    followed, losses = anonymised.followed, anonymised.losses
    return StepsInHand(followed.before, followed.drafts, losses.compared if losses else None)


def _with_files(plan: Plan, anonymised: Anonymised | None, folder: Path) -> Plan:
    """A plan beside the files that it names: its own, and those of the search."""
    if anonymised is None or not anonymised.files:
        return plan
    named = {
        value for step in plan.steps for value in step.transformation.settings().values() if isinstance(value, str)
    }
    for name in sorted(named - set(anonymised.files)):
        if (plan.folder / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(plan.folder / name, folder / name)
    for name, content in anonymised.files.items():
        (folder / name).write_bytes(content)
    return replace(plan, folder=folder)
