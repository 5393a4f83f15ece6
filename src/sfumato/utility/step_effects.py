"""The loop of a release: risk and utility after every step of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import EmptyTable, PolicyError, UnknownColumn
from sfumato.hierarchies.builders.from_file import hierarchies_in, read_hierarchy
from sfumato.hierarchies.hierarchy import Hierarchy
from sfumato.plans.draft import Draft, DraftColumn
from sfumato.plans.made_columns import with_made_columns
from sfumato.plans.plan import Plan
from sfumato.plans.plan_file import read_plan
from sfumato.privacy.dataset import Dataset
from sfumato.privacy.sizes import Sizes
from sfumato.progress import Tell, quiet
from sfumato.schema import Role
from sfumato.secrets import Secrets
from sfumato.show.documents.effects import EffectDocument, EffectsDocument
from sfumato.tables.engine import Engine, quoted
from sfumato.tables.load import load
from sfumato.tables.source import Extract, ReadOptions
from sfumato.utility.model_interface import Figure, Figures, read_models
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
    quasi: Sequence[str] = (),
    subject: str | None = None,
    hierarchies: str | Path | None = None,
    placed: Mapping[str, Hierarchy] | None = None,
    secrets: Mapping[str, str | Path] | Secrets | None = None,
    key_file: str | Path | None = None,
    options: ReadOptions | None = None,
    engine: Engine | None = None,
    tell: Tell = quiet,
) -> EffectsDocument:
    """Risk and utility of a table before a plan and after each of its steps, as plain values; nothing is written.

    Both are over the same columns from the first step to the last: a quasi-identifier that a step makes is computed
    from the original until then. One that a step drops counts no longer for the risk. Utility compares the original
    with what became of it so far, by the hierarchies of the folder `hierarchies`, or by those that are `placed`.
    Quasi-identifiers and subject that are not named are those of the project file around the plan.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    quasi = quasi or [name for name, role in plan.roles.items() if role is Role.QUASI]
    subject = subject or plan.subject
    plan = replace(plan, hierarchies=hierarchies_in(hierarchies)) if hierarchies else plan
    known = {name: read_hierarchy(path) for name, path in plan.hierarchies.items() if name in quasi} | dict(
        placed or {}
    )
    tell("Reading the data")
    extract = data if isinstance(data, Extract) else load(data, options, engine)
    if extract.table.count() == 0:
        raise EmptyTable(extract.name)
    extract = with_made_columns(extract, plan, quasi)
    begun = Draft.of(extract, subject=subject).held(extract.table.count(), made=True)
    original = replace(begun, columns=(*begun.columns, *map(DraftColumn, begun.made)))  # its table has them already
    before = effect = effect_of(original, original, quasi, known)
    steps: list[EffectDocument] = []
    waiting, same = begun.made, None
    followed = plan.followed(begun, Secrets.of(secrets, key_file=key_file), tell, held=True)
    for number, (step, (_, draft)) in enumerate(zip(plan.steps, followed, strict=True), 1):
        waiting = tuple(name for name in waiting if name not in step.transformation.makes())
        rows = (draft.table, waiting, [name in draft.names for name in (*quasi, draft.subject)])
        if same != rows:  # a step that only leaves out other columns changes nothing of what is read
            effect, same = effect_of(original, _beside(draft, original, waiting), quasi, known), rows
        explanation = step.transformation.told()
        steps.append(
            replace(effect, notes=draft.notes, number=number, transformation=step.name, explanation=explanation)
        )
    require_columns(quasi, [effect.quasi_identifiers for effect in (before, *steps)], extract.table.columns)
    return EffectsDocument(source=extract.name, plan=Path(plan.path).name, before=before, steps=steps)


def effect_of(original: Draft, draft: Draft, quasi: Sequence[str], known: Mapping[str, Hierarchy]) -> EffectDocument:
    """Risk and utility of a draft."""
    compared = [name for name in quasi if name in original.names]
    lost = _lost(original, draft, compared, known) if compared else {}
    return effect_with(draft, quasi, lost)


def effect_with(draft: Draft, quasi: Sequence[str], lost: Mapping[str, float | None]) -> EffectDocument:
    """Risk of a draft, beside what was lost."""
    present = [name for name in quasi if name in draft.names]
    return effect_document(draft, present, _sizes(draft, present) if present else None, lost)


def effect_document(
    draft: Draft, present: Sequence[str], sizes: Sizes | None, lost: Mapping[str, float | None]
) -> EffectDocument:
    """Risk by the sizes of classes of those quasi-identifiers that a draft has, beside what was lost."""
    return EffectDocument(
        quasi_identifiers=list(present),
        records=draft.count(),
        k=sizes.smallest if sizes else None,
        singled_out=sizes.records_below(2) if sizes else None,
        average_risk=sizes.average_risk if sizes else None,
        lost=lost,
        notes=draft.notes,
    )


def _beside(draft: Draft, original: Draft, names: Sequence[str]) -> Draft:
    """A draft with columns of which the step that makes them is still to come, as they are in the original."""
    for name in names:
        join = f"JOIN {original.table} AS original ON original.{quoted(original.row)} = {draft.number}"
        draft = draft.added(DraftColumn(name), f"original.{quoted(name)}", join=join)
    return draft


def _sizes(draft: Draft, present: Sequence[str]) -> Sizes:
    subject = draft.subject if draft.subject in draft.names else None
    classes = Dataset.of(draft.counted_table(), dict.fromkeys(present, "quasi"), subject=subject).classes()
    sizes = Sizes.of(classes)
    classes.forget()
    return sizes


def _lost(
    original: Draft, draft: Draft, compared: Sequence[str], known: Mapping[str, Hierarchy]
) -> dict[str, float | None]:
    """What was lost so far on each model, from 0 to 1."""
    tables = original.counted_table(numbered=True), draft.counted_table(numbered=True)
    pairing = Pairing.of(*tables, names=compared, hierarchies=known, key=original.row, numbered=True)
    compared_so_far = Comparison.of(pairing)
    figures = read_models(compared_so_far, READ)
    compared_so_far.forget()  # of ten steps, what is held for each would be ten times the table
    return lost_of(figures)


def lost_of(figures: Mapping[Any, Figures]) -> dict[str, float | None]:
    """What was lost on each model, from 0 to 1; None where it says nothing."""
    return {
        model.name(): read.total.normalised if isinstance(read.total, Figure) else None
        for model, read in figures.items()
    }


def require_columns(quasi: Sequence[str], present: Sequence[Sequence[str]], columns: Sequence[str]) -> None:
    """Refuse quasi-identifiers that there are not, before the plan or after any step of it."""
    if not quasi:
        raise PolicyError("Name the quasi-identifiers whose risk is to be followed: --quasi.")
    for name in quasi:
        if not any(name in names for names in present):
            raise UnknownColumn(name, columns)
