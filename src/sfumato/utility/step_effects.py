"""The loop of a release: risk and utility after every step of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import PolicyError, UnknownColumn
from sfumato.hierarchies.builders.from_file import hierarchies_in, read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.draft import Draft
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.sizes import Sizes
from sfumato.progress import Tell, quiet
from sfumato.secrets import Secrets
from sfumato.tables.engine import Engine, Table, listed, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.model_interface import Figure, read_models
from sfumato.utility.models.generic_non_uniform_entropy import GenericNonUniformEntropy
from sfumato.utility.models.loss import Loss
from sfumato.utility.models.total_variation import TotalVariation
from sfumato.utility.paired.comparison import Comparison
from sfumato.utility.paired.pairing import Pairing

READ = (GenericNonUniformEntropy(), Loss(), TotalVariation())


def effects(
    plan: Plan | str | Path,
    data: Any,
    *,
    quasi: Sequence[str],
    subject: str | None = None,
    hierarchies: str | Path | None = None,
    secrets: Mapping[str, str | Path] | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> dict[str, Any]:
    """Risk and utility of a table before a plan and after each of its steps, as plain values; nothing is written.

    Risk is that of the quasi-identifiers that the table has at that point: one that a step makes counts from there on,
    one that a step drops no longer. Utility compares those that the original has with what became of them so far.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    plan = replace(plan, hierarchies=hierarchies_in(hierarchies)) if hierarchies else plan
    known = {name: read_hierarchy(path) for name, path in plan.hierarchies.items() if name in quasi}
    tell("Reading the data")
    extract = data if isinstance(data, Extract) else load(data, options, engine)
    original = Draft.of(extract, subject=subject)
    found = [_effect(original, original, quasi, known)]
    followed = plan.followed(original, Secrets(secrets or {}), tell)
    for number, (step, (_, draft)) in enumerate(zip(plan.steps, followed, strict=True), 1):
        said = {"number": number, "transformation": step.name, "explanation": step.transformation.told()}
        found.append(said | _effect(original, draft, quasi, known))
    _check(quasi, [step["quasi_identifiers"] for step in found], extract)
    return {"source": extract.name, "plan": Path(plan.path).name, "before": found[0], "steps": found[1:]}


def _effect(original: Draft, draft: Draft, quasi: Sequence[str], known: Mapping[str, Hierarchy]) -> dict[str, Any]:
    """Risk and utility of a draft, as plain values."""
    present = [name for name in quasi if name in draft.names]
    compared = [name for name in quasi if name in original.names]
    risk = _risk(draft, present) if present else {"k": None, "singled_out": None, "average_risk": None}
    return {
        "quasi_identifiers": present,
        "records": draft.count(),
        **risk,
        "lost": _lost(original, draft, compared, known) if compared else {},
        "notes": list(draft.notes),
    }


def _risk(draft: Draft, present: Sequence[str]) -> dict[str, Any]:
    dataset = Dataset.of(_released(draft), dict.fromkeys(present, "quasi"), subject=_subject(draft))
    classes = dataset.classes()
    sizes = Sizes.of(classes)
    classes.forget()
    alone = sizes.records_below(2)
    return {"k": sizes.smallest, "singled_out": alone, "average_risk": sizes.average_risk}


def _lost(
    original: Draft, draft: Draft, compared: Sequence[str], known: Mapping[str, Hierarchy]
) -> dict[str, float | None]:
    """What was lost so far on each model, from 0 to 1."""
    tables = _released(original, numbered=True), _released(draft, numbered=True)
    pairing = Pairing.of(*tables, names=compared, hierarchies=known, key=original.row)
    figures = read_models(Comparison.of(pairing), READ)
    return {
        model.name(): read.total.normalised if isinstance(read.total, Figure) else None
        for model, read in figures.items()
    }


def _released(draft: Draft, *, numbered: bool = False) -> Table:
    names = [*([draft.row] if numbered else []), *draft.names]
    return draft.engine.view(f"SELECT {listed(quoted(name) for name in names)} FROM {draft.table}")


def _subject(draft: Draft) -> str | None:
    return draft.subject if draft.subject in draft.names else None


def _check(quasi: Sequence[str], present: Sequence[Sequence[str]], extract: Extract) -> None:
    if not quasi:
        raise PolicyError("Name the quasi-identifiers whose risk is to be followed: --quasi.")
    for name in quasi:
        if not any(name in names for names in present):
            raise UnknownColumn(name, extract.table.columns)
